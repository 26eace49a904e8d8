use std::net::TcpListener;
use std::thread;

use serde_json::json;

use super::*;

/// Asks a listener that reads one request and answers with these bytes.
fn answered(bytes: &'static [u8]) -> (Answer, String) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = vec![0; 4096];
        let read = stream.read(&mut request).unwrap();
        request.truncate(read);
        stream.write_all(bytes).unwrap();
        String::from_utf8(request).unwrap()
    });
    let answer = post(port, "/x", &json!({"a": 1}), Duration::from_secs(5));
    (answer, server.join().unwrap())
}

#[test]
fn a_json_answer_is_read_and_the_request_is_one_that_a_server_takes() {
    let (answer, request) =
        answered(b"HTTP/1.1 202 Accepted\r\ncontent-length: 11\r\n\r\n{\"ok\":true}");
    assert_eq!(answer, Answer::Http(202, Some(json!({"ok": true}))));
    assert!(
        request.starts_with("POST /x HTTP/1.1\r\nHost: 127.0.0.1:"),
        "{request}"
    );
    assert!(
        request.ends_with("Content-Length: 7\r\n\r\n{\"a\":1}"),
        "{request}"
    );
}

#[test]
fn what_is_no_http_or_no_json_is_told_apart() {
    assert_eq!(answered(b"SSH-2.0-OpenSSH\r\n").0, Answer::Mute);
    assert_eq!(answered(b"").0, Answer::Mute);
    assert_eq!(answered(b"HTTP/1.1 \xff\r\n\r\n").0, Answer::Mute);
    assert_eq!(
        answered(b"HTTP/1.0 200 OK\r\n\r\n<html>").0,
        Answer::Http(200, None)
    );
}

#[test]
fn a_port_without_a_listener_has_nobody_and_a_silent_one_is_mute_in_time() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    assert_eq!(get(port, "/", Duration::from_millis(20)), Answer::Mute);
    drop(listener);
    assert_eq!(get(port, "/", Duration::from_secs(5)), Answer::Nobody);
}

#[test]
fn an_endless_answer_is_cut() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        while stream.write_all(&[b'x'; 4096]).is_ok() {}
    });
    assert_eq!(
        get(port, "/", Duration::from_secs(5)),
        Answer::Http(200, None)
    );
    server.join().unwrap();
}
