//! A line that was too long to keep: only its two ends are known, and they have to tell whether the
//! session can go on.

use crate::errors;
use groupx_driver_sdk::{Failure, Oversized};
use serde_json::{Map, Value, json};

pub(crate) enum Verdict {
    /// Nothing is lost that the turn's end depends on; says what was left out.
    Skip(String),
    /// It was the end of a turn, made anew without its text, which was streamed before.
    Ended(String),
    /// It may have been something that is waited for.
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
    match value_of(&head, "type").as_ref().and_then(Value::as_str) {
        Some("result") => Verdict::Ended(result(&head, &tail).to_string()),
        Some(kind @ ("assistant" | "stream_event" | "system" | "user")) => {
            Verdict::Skip(format!("{kind} with {} bytes", frame.bytes))
        }
        _ => {
            let message = format!(
                "a message of {} bytes is more than can be read",
                frame.bytes
            );
            Verdict::Lost(errors::failure("protocol-error", &message))
        }
    }
}

/// The result without what makes it long.
fn result(head: &str, tail: &str) -> Value {
    let mut result = Map::new();
    result.insert("type".into(), json!("result"));
    for key in [
        "subtype",
        "is_error",
        "api_error_status",
        "terminal_reason",
        "stop_reason",
    ] {
        if let Some(value) = value_of(head, key).or_else(|| value_of(tail, key)) {
            result.insert(key.into(), value);
        }
    }
    Value::Object(result)
}

/// The string, number or word that stands first at `"key":` in a piece of JSON.
fn value_of(piece: &str, key: &str) -> Option<Value> {
    let mark = format!("\"{key}\":");
    let value = piece[piece.find(&mark)? + mark.len()..].trim_start();
    let end = match value.strip_prefix('"') {
        Some(text) => text.find('"')? + 2,
        None => value.find([',', '}'])?,
    };
    serde_json::from_str(&value[..end]).ok()
}
