//! A line that was too long to keep: only its two ends are known, and they have to tell whether the
//! session can go on.

use crate::errors;
use groupx_driver_sdk::{Failure, Oversized};
use serde_json::json;

pub(crate) enum Verdict {
    /// Nothing is lost that the turn's end depends on; says what was left out.
    Skip(String),
    /// It was the end of a turn, made anew without its items.
    Ended(String),
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
    let Some(method) = value_of(&head, "method").or_else(|| value_of(&tail, "method")) else {
        let message = format!(
            "a message of {} bytes is more than can be read",
            frame.bytes
        );
        return Verdict::Lost(errors::failure("protocol-error", &message));
    };
    if method == "turn/completed"
        && let Some(thread) = value_of(&head, "threadId").or_else(|| value_of(&tail, "threadId"))
        && let Some(turn) = value_after(&head, "\"turn\"", "id")
        && let Some(status) = last_value_of(&tail, "status")
    {
        let params = json!({ "threadId": thread, "turn": { "id": turn, "status": status } });
        return Verdict::Ended(json!({ "method": method, "params": params }).to_string());
    }
    match method == "turn/completed" {
        true => Verdict::Lost(errors::failure(
            "protocol-error",
            "the end of a turn is more than can be read",
        )),
        false => Verdict::Skip(format!("{method} with {} bytes", frame.bytes)),
    }
}

/// The string that stands first at `"key":` in a piece of JSON.
fn value_of<'a>(piece: &'a str, key: &str) -> Option<&'a str> {
    string_at(piece, piece.find(&format!("\"{key}\":"))?, key)
}

fn last_value_of<'a>(piece: &'a str, key: &str) -> Option<&'a str> {
    string_at(piece, piece.rfind(&format!("\"{key}\":"))?, key)
}

fn value_after<'a>(piece: &'a str, mark: &str, key: &str) -> Option<&'a str> {
    value_of(&piece[piece.find(mark)?..], key)
}

fn string_at<'a>(piece: &'a str, place: usize, key: &str) -> Option<&'a str> {
    let value = piece[place + key.len() + 3..]
        .trim_start()
        .strip_prefix('"')?;
    value.split_once('"').map(|(value, _)| value)
}
