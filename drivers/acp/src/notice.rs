//! Updates that change nothing in a turn: progress worth a line, what is known to be of no interest, and
//! what is not known, which is carried as "unknown-event".

use crate::call::Link;
use groupx_driver_sdk::{Note, Output, json, text};
use serde_json::Value;
use serde_json::value::RawValue;

/// Known, and of no interest here. Some agents echo every prompt.
pub(crate) fn is_silent(kind: &str) -> bool {
    matches!(
        kind,
        "available_commands_update"
            | "config_option_update"
            | "current_mode_update"
            | "session_info_update"
            | "user_message_chunk"
    )
}

/// A line for whoever waits for our turn.
pub(crate) fn progress(turn: &str, item: &str, words: &str, link: &mut Link) {
    link.out.push(Output::TurnProgress(Note {
        turn: turn.to_owned(),
        item: item.to_owned(),
        text: text::one_line(words, 300),
    }));
}

/// The step that the agent is at.
pub(crate) fn plan(turn: &str, update: &Value, link: &mut Link) {
    let Some(steps) = update["entries"].as_array() else {
        return;
    };
    let done = steps.iter().filter(|step| step["status"] == "completed");
    let now = steps.iter().find(|step| step["status"] == "in_progress");
    let now = now
        .and_then(|step| step["content"].as_str())
        .unwrap_or("plan");
    let words = format!("{now} ({} of {} steps done)", done.count(), steps.len());
    progress(turn, "plan", &words, link);
}

/// Something of a later protocol, or of none.
pub(crate) fn unknown(name: &str, params: Option<&RawValue>, link: &mut Link) {
    let native = params.map(|params| json::bounded(params.get(), link.max_json));
    link.out.unknown_event(name, native);
}
