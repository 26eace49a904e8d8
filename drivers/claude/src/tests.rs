//! The driver's stories: what Claude prints, what the room wants, and what must come of it.

mod answers;
mod cancels;
mod foreign_turns;
mod handshakes;
mod hostile_wire;
mod lines;
mod questions;
mod recordings;
mod starts;
mod tools;
mod turns;
mod usage;

use crate::Claude;
use groupx_driver_sdk::story::{Story, config};
use serde_json::{Value, json};

/// The id of the session in every story.
const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// A session that is ready. Its handshake took the request ids 1 and 2.
fn ready() -> Story<Claude> {
    let mut story = greeted(Story::begin(config()));
    story.told(&[&format!("ready {SESSION}")]);
    story
}

/// The handshake up to the unrestricted mode.
fn greeted(mut story: Story<Claude>) -> Story<Claude> {
    story.wrote_json(asked(1, json!({ "subtype": "initialize" })));
    answers(&mut story, 1, json!({ "commands": [], "pid": 7 }));
    let mode = json!({ "subtype": "set_permission_mode", "mode": "bypassPermissions" });
    story.wrote_json(asked(2, mode));
    answers(&mut story, 2, json!({ "mode": "bypassPermissions" }));
    story
}

/// A ready session in which turn `t1` runs.
fn running() -> Story<Claude> {
    let mut story = ready();
    begin(&mut story, "t1");
    story
}

fn begin(story: &mut Story<Claude>, turn: &str) {
    story.prompt(turn, "hello").wrote_json(prompt("hello"));
    story
        .prints(init().to_string())
        .told(&[&format!("{turn} started -")]);
}

/// The driver's request of that id.
fn asked(id: u64, request: Value) -> Value {
    json!({ "type": "control_request", "request_id": id.to_string(), "request": request })
}

fn interrupt(id: u64) -> Value {
    asked(id, json!({ "subtype": "interrupt" }))
}

/// Claude answers the driver's request of that id.
fn answers(story: &mut Story<Claude>, id: u64, response: Value) {
    let response =
        json!({ "subtype": "success", "request_id": id.to_string(), "response": response });
    story.prints(json!({ "type": "control_response", "response": response }).to_string());
}

/// Claude refuses the driver's request of that id.
fn refuses(story: &mut Story<Claude>, id: u64, error: &str) {
    let response = json!({ "subtype": "error", "request_id": id.to_string(), "error": error });
    story.prints(json!({ "type": "control_response", "response": response }).to_string());
}

fn prompt(text: &str) -> Value {
    let content = json!([{ "type": "text", "text": text }]);
    json!({ "type": "user", "message": { "role": "user", "content": content } })
}

/// A frame as it stands on the wire.
fn says(story: &mut Story<Claude>, frames: impl IntoIterator<Item = Value>) {
    for frame in frames {
        story.prints(frame.to_string());
    }
}

fn init() -> Value {
    json!({
        "type": "system",
        "subtype": "init",
        "cwd": "/room",
        "session_id": SESSION,
        "mcp_servers": [],
        "model": "claude-x[1m]",
        "permissionMode": "bypassPermissions",
    })
}

fn event(event: Value) -> Value {
    json!({ "type": "stream_event", "event": event, "session_id": SESSION, "parent_tool_use_id": null })
}

fn message_start(id: &str) -> Value {
    event(json!({ "type": "message_start", "message": { "id": id, "usage": {} } }))
}

fn message_stop() -> Value {
    event(json!({ "type": "message_stop" }))
}

fn block_start(index: u64, block: Value) -> Value {
    event(json!({ "type": "content_block_start", "index": index, "content_block": block }))
}

fn text(index: u64, text: &str) -> Value {
    let delta = json!({ "type": "text_delta", "text": text });
    event(json!({ "type": "content_block_delta", "index": index, "delta": delta }))
}

/// Whole blocks of a message.
fn assistant(id: &str, content: Value) -> Value {
    let message = json!({ "id": id, "role": "assistant", "model": "claude-x", "content": content });
    json!({ "type": "assistant", "message": message, "parent_tool_use_id": null, "session_id": SESSION })
}

fn said(id: &str, text: &str) -> Value {
    assistant(id, json!([{ "type": "text", "text": text }]))
}

/// What Claude says in the model's place.
fn synthetic(text: &str, error: &str) -> Value {
    let mut frame = said("synthetic", text);
    frame["message"]["model"] = json!("<synthetic>");
    frame["error"] = json!(error);
    frame
}

/// A streamed message of one text.
fn streamed(id: &str, content: &str) -> Vec<Value> {
    let begin = json!({ "type": "text", "text": "" });
    vec![
        message_start(id),
        block_start(0, begin),
        text(0, content),
        said(id, content),
        event(json!({ "type": "content_block_stop", "index": 0 })),
        message_stop(),
    ]
}

fn result(changes: Value) -> Value {
    let mut result = json!({
        "type": "result",
        "subtype": "success",
        "is_error": false,
        "terminal_reason": "completed",
        "stop_reason": "end_turn",
        "result": "",
        "session_id": SESSION,
    });
    for (key, value) in changes.as_object().into_iter().flatten() {
        result[key] = value.clone();
    }
    result
}

fn aborted() -> Value {
    result(json!({
        "subtype": "error_during_execution",
        "is_error": true,
        "terminal_reason": "aborted_streaming",
        "result": null,
        "errors": ["[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null"],
    }))
}
