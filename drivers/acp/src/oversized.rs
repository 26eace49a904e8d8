//! A line that was too long to keep: only its two ends are known, and they have to tell whether the
//! session can go on.

use crate::errors;
use groupx_driver_sdk::{Failure, Oversized};
use serde_json::json;

pub(crate) enum Verdict {
    /// Nothing is lost that the turn's end depends on; says what was left out.
    Skip(String),
    /// It was a request, made anew without its parameters: it has to be answered.
    Asked(String),
    /// It may have been an answer that is waited for.
    Lost(Failure),
}

pub(crate) fn judge(frame: &Oversized) -> Verdict {
    let (head, tail) = (
        String::from_utf8_lossy(&frame.head),
        String::from_utf8_lossy(&frame.tail),
    );
    if !head.trim_start().starts_with('{') {
        return Verdict::Skip(format!("{} bytes of noise", frame.bytes));
    }
    let ends = [&*head, &*tail];
    // Text of any kind may stand in the middle, so only the members of the message itself count.
    let method = ends.iter().find_map(|end| string_at(end, "method"));
    match method {
        Some(method) if method.ends_with("request_permission") => {
            match ends.iter().find_map(|end| id_in(end)) {
                Some(id) => Verdict::Asked(format!(r#"{{"id":{id},"method":{}}}"#, json!(method))),
                None => Verdict::Lost(lost(frame.bytes)),
            }
        }
        Some(method) => Verdict::Skip(format!("{method} with {} bytes", frame.bytes)),
        None => Verdict::Lost(lost(frame.bytes)),
    }
}

fn lost(bytes: u64) -> Failure {
    let message = format!("a message of {bytes} bytes is more than can be read");
    errors::failure("protocol-error", &message)
}

/// The string that stands first at `"key":` in a piece of JSON.
fn string_at<'a>(piece: &'a str, key: &str) -> Option<&'a str> {
    let value = value_at(piece, key)?.strip_prefix('"')?;
    value.split_once('"').map(|(value, _)| value)
}

/// The number or string that is the message's id.
fn id_in(piece: &str) -> Option<&str> {
    let value = value_at(piece, "id")?;
    let end = match value.strip_prefix('"') {
        Some(rest) => rest.find('"')? + 2,
        None => value.find(|c: char| !c.is_ascii_digit() && c != '-')?,
    };
    value.get(..end).filter(|id| !id.is_empty())
}

fn value_at<'a>(piece: &'a str, key: &str) -> Option<&'a str> {
    let mark = format!("\"{key}\":");
    piece
        .find(&mark)
        .map(|place| piece[place + mark.len()..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(head: &str, tail: &str) -> Oversized {
        Oversized {
            bytes: 20 << 20,
            head: head.into(),
            tail: tail.into(),
        }
    }

    #[test]
    fn the_ends_tell_what_was_lost() {
        let update =
            r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"#;
        assert!(
            matches!(judge(&ends(update, "}}}")), Verdict::Skip(what) if what.starts_with("session/update"))
        );
        assert!(matches!(judge(&ends("words", "words")), Verdict::Skip(_)));
        let answer = r#"{"jsonrpc":"2.0","id":4,"result":{"#;
        assert!(matches!(judge(&ends(answer, "}}")), Verdict::Lost(_)));
        let asked = r#"{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"#;
        assert!(
            matches!(judge(&ends(asked, "}}")), Verdict::Asked(line) if line == r#"{"id":0,"method":"session/request_permission"}"#)
        );
        let named = r#"{"id":"a-1","method":"session/request_permission","params":{"#;
        assert!(
            matches!(judge(&ends(named, "}}")), Verdict::Asked(line) if line.contains(r#""id":"a-1""#))
        );
    }
}
