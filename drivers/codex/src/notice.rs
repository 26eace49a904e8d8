//! Notifications that change nothing in a turn: progress worth a line, notes for the diagnostics, and
//! what is known to be of no interest. Whatever is not known is carried as "unknown-event".

use crate::call::Link;
use groupx_driver_sdk::{Level, Note, Output, json, text};
use serde_json::Value;
use serde_json::value::RawValue;

/// Known, and of no interest here.
const SILENT: [&str; 24] = [
    "account/rateLimits/updated",
    "account/updated",
    "app/list/updated",
    "hook/completed",
    "hook/started",
    "item/commandExecution/outputDelta",
    "item/commandExecution/terminalInteraction",
    "item/fileChange/outputDelta",
    "item/fileChange/patchUpdated",
    "item/plan/delta",
    "item/reasoning/summaryPartAdded",
    "remoteControl/status/changed",
    "serverRequest/resolved",
    "skills/changed",
    "thread/compacted",
    "thread/goal/cleared",
    "thread/goal/updated",
    "thread/name/updated",
    "thread/queue/changed",
    "thread/readState/changed",
    "thread/settings/updated",
    "thread/started",
    "thread/status/changed",
    "turn/diff/updated",
];

/// Whether a notification is about one turn.
pub(crate) fn of_a_turn(method: &str) -> bool {
    matches!(
        method,
        "turn/started"
            | "turn/completed"
            | "item/started"
            | "item/completed"
            | "error"
            | "thread/tokenUsage/updated"
            | "turn/plan/updated"
            | "item/mcpToolCall/progress"
            | "model/rerouted"
    )
}

/// A line for whoever waits for our turn.
pub(crate) fn progress(method: &str, params: &Value, turn: &str, link: &mut Link) {
    let words = match method {
        "turn/plan/updated" => plan(params),
        "item/mcpToolCall/progress" => params["message"].as_str().map(str::to_owned),
        "model/rerouted" => params["toModel"]
            .as_str()
            .map(|model| format!("Codex goes on with model {model}")),
        _ => None,
    };
    if let Some(words) = words {
        link.out.push(Output::TurnProgress(Note {
            turn: turn.to_owned(),
            item: params["itemId"].as_str().unwrap_or_default().to_owned(),
            text: text::one_line(&words, 300),
        }));
    }
}

/// The step that Codex is at.
fn plan(params: &Value) -> Option<String> {
    let steps = params["plan"].as_array()?;
    let done = steps
        .iter()
        .filter(|step| step["status"] == "completed")
        .count();
    let now = steps.iter().find(|step| step["status"] == "inProgress");
    let now = now.and_then(|step| step["step"].as_str()).unwrap_or("plan");
    Some(format!("{now} ({done} of {} steps done)", steps.len()))
}

/// A notification that belongs to no turn.
pub(crate) fn outside_turns(method: &str, params: Option<&RawValue>, link: &mut Link) {
    if SILENT.contains(&method) {
        return;
    }
    let raw = params.map_or("null", RawValue::get);
    let code = match method {
        "warning" | "guardianWarning" => "warning",
        "configWarning" => "config-warning",
        "deprecationNotice" => "deprecation",
        "mcpServer/startupStatus/updated" => return server_status(raw, link),
        _ => {
            return link
                .out
                .unknown_event(method, Some(json::bounded(raw, link.max_json)));
        }
    };
    let params: Value = serde_json::from_str(raw).unwrap_or_default();
    let words = params["message"].as_str().or(params["summary"].as_str());
    link.out.diagnostic(
        Level::Info,
        code,
        &text::one_line(words.unwrap_or(raw), 500),
    );
}

fn server_status(raw: &str, link: &mut Link) {
    let params: Value = serde_json::from_str(raw).unwrap_or_default();
    if params["status"] == "failed" {
        let name = params["name"].as_str().unwrap_or("?");
        let error = params["error"].as_str().unwrap_or("no reason given");
        let message = format!(
            "MCP server {name} did not start: {}",
            text::one_line(error, 400)
        );
        link.out.diagnostic(Level::Warn, "mcp-failed", &message);
    }
}
