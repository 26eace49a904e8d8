//! One HTTP request to a port of this machine, within a deadline.
//!
//! Two verbs ask two questions on 127.0.0.1, where no name is resolved, nothing is encrypted and
//! no connection is kept: a client from a crate would bring more code than these lines, and bounds
//! of its own. Whatever answers may be any program, so nothing of its answer is trusted.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Most bytes of an answer; a health answer has a few hundred for each agent.
const ANSWER_BYTES: usize = 1 << 20;

/// What came back.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    /// A status, and the body if it is JSON.
    Http(u16, Option<Value>),
    /// Something took the connection and did not answer in HTTP, or not in time.
    Mute,
    /// Nobody listens.
    Nobody,
}

/// `GET path`.
pub(super) fn get(port: u16, path: &str, within: Duration) -> Answer {
    ask(port, "GET", path, None, within)
}

/// `POST path` with a JSON body.
pub(super) fn post(port: u16, path: &str, body: &Value, within: Duration) -> Answer {
    ask(port, "POST", path, Some(body.to_string()), within)
}

fn ask(port: u16, method: &str, path: &str, body: Option<String>, within: Duration) -> Answer {
    let until = Instant::now() + within;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let stream = match TcpStream::connect_timeout(&address, within) {
        Ok(stream) => stream,
        Err(error) if error.kind() == io::ErrorKind::TimedOut => return Answer::Mute,
        Err(_) => return Answer::Nobody,
    };
    let body = body.unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    match exchange(stream, &request, until) {
        Ok(bytes) => parse(&bytes).unwrap_or(Answer::Mute),
        Err(_) => Answer::Mute,
    }
}

fn exchange(mut stream: TcpStream, request: &str, until: Instant) -> io::Result<Vec<u8>> {
    stream.set_write_timeout(Some(remaining(until)?))?;
    stream.write_all(request.as_bytes())?;
    let mut bytes = vec![];
    let mut chunk = [0; 16 << 10];
    while bytes.len() < ANSWER_BYTES && !is_whole(&bytes) {
        stream.set_read_timeout(Some(remaining(until)?))?;
        match stream.read(&mut chunk)? {
            0 => break,
            read => bytes.extend_from_slice(&chunk[..read]),
        }
    }
    Ok(bytes)
}

/// Time that is left; none is an error, because a timeout of zero would mean "wait for ever".
fn remaining(until: Instant) -> io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        Err(io::ErrorKind::TimedOut.into())
    } else {
        Ok(left)
    }
}

/// Head and body, once the head is complete.
fn split(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 4..]))
}

fn is_whole(bytes: &[u8]) -> bool {
    let announced = |(head, body): (&str, &[u8])| {
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse().ok())?
        });
        length.is_some_and(|length: usize| body.len() >= length)
    };
    split(bytes).is_some_and(announced)
}

fn parse(bytes: &[u8]) -> Option<Answer> {
    let (head, body) = split(bytes)?;
    let (version, rest) = head.split_once(' ')?;
    let status = rest.get(..3)?.parse().ok()?;
    version
        .starts_with("HTTP/1.")
        .then(|| Answer::Http(status, serde_json::from_slice(body).ok()))
}

#[cfg(test)]
mod tests;
