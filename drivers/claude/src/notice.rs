//! Frames that change nothing in a turn: progress worth a line, notes for the diagnostics, and what is
//! known to be of no interest. Whatever is not known is carried as "unknown-event".

use crate::control::Link;
use groupx_driver_sdk::{Level, Note, Output, json, text};
use serde_json::Value;

/// Known `system` frames of no interest here.
const SILENT_SYSTEM: [&str; 19] = [
    "api_error",
    "commands_changed",
    "elicitation_complete",
    "files_persisted",
    "hook_progress",
    "hook_response",
    "hook_started",
    "init",
    "local_command_output",
    "model_refusal_no_fallback",
    "post_turn_summary",
    "session_state_changed",
    "status",
    "stop_hook_summary",
    "task_notification",
    "task_progress",
    "task_started",
    "task_updated",
    "thinking_tokens",
];

/// Known frames of no interest here.
const SILENT: [&str; 8] = [
    "assistant",
    "auth_status",
    "prompt_suggestion",
    "rate_limit_event",
    "stream_event",
    "tool_progress",
    "tool_use_summary",
    "user",
];

/// A line for whoever waits for our turn, if the `system` frame is worth one.
pub(crate) fn progress(frame: &Value) -> Option<(&'static str, String)> {
    match frame["subtype"].as_str()? {
        "api_retry" => Some(("retry", retry(frame))),
        "status" if frame["status"] == "compacting" => {
            Some(("compact", "Claude compacts its context".to_owned()))
        }
        "compact_boundary" => Some(("compact", "Claude has compacted its context".to_owned())),
        "model_fallback" | "model_refusal_fallback" => {
            let words = frame["content"].as_str();
            Some((
                "model",
                words
                    .unwrap_or("Claude goes on with another model")
                    .to_owned(),
            ))
        }
        _ => None,
    }
}

pub(crate) fn tell(turn: &str, item: &str, words: &str, link: &mut Link) {
    link.out.push(Output::TurnProgress(Note {
        turn: turn.to_owned(),
        item: item.to_owned(),
        text: text::one_line(words, 300),
    }));
}

fn retry(frame: &Value) -> String {
    let mut words = "Claude tries again".to_owned();
    if let (Some(attempt), Some(most)) = (frame["attempt"].as_u64(), frame["max_retries"].as_u64())
    {
        words += &format!(" ({attempt} of {most})");
    }
    if let Some(millis) = frame["retry_delay_ms"].as_f64() {
        words += &format!(" in {:.1} s", millis / 1_000.0);
    }
    if let Some(error) = frame["error"].as_str() {
        words += &format!(": {}", error.replace('_', " "));
    }
    if let Some(status) = frame["error_status"].as_u64() {
        words += &format!(" (HTTP {status})");
    }
    words
}

/// A frame that nobody here waits for; `line` is how it stood on the wire.
pub(crate) fn carry(kind: &str, frame: &Value, line: &str, link: &mut Link) {
    let subtype = frame["subtype"].as_str().unwrap_or_default();
    let silent = match kind {
        "system" => SILENT_SYSTEM.contains(&subtype) || progress(frame).is_some(),
        _ => SILENT.contains(&kind),
    };
    if silent {
        return;
    }
    if matches!(subtype, "informational" | "notification") {
        let words = frame["content"].as_str().or(frame["message"].as_str());
        let words = text::one_line(words.unwrap_or(subtype), 500);
        return link.out.diagnostic(Level::Info, "notice", &words);
    }
    let name = match (kind, subtype) {
        ("", _) => "a frame without a type".to_owned(),
        (_, "") => kind.to_owned(),
        _ => format!("{kind}/{subtype}"),
    };
    let native = json::bounded(line, link.max_json);
    link.out.unknown_event(&name, Some(native));
}
