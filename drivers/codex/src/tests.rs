//! The driver's stories: what Codex prints, what the room wants, and what must come of it.

mod answers;
mod cancels;
mod foreign_turns;
mod handshakes;
mod hostile_wire;
mod lines;
mod questions;
mod recordings;
mod tools;
mod turns;
mod usage;

use crate::Codex;
use groupx_driver_sdk::story::{Story, config};
use serde_json::{Value, json};

/// A session that is ready, with thread `thread-1`.
fn ready() -> Story<Codex> {
    let mut story = greeted(Story::begin(config()));
    story.called("thread/start");
    story
        .answers("thread/start", opened("thread-1"))
        .told(&["ready thread-1"])
        .skip();
    story
}

/// The handshake up to the thread.
fn greeted(mut story: Story<Codex>) -> Story<Codex> {
    story.called("initialize");
    story.answers(
        "initialize",
        json!({ "userAgent": "groupx/0.171.0 (Debian)" }),
    );
    story.called("initialized");
    story.called("configRequirements/read");
    story.answers("configRequirements/read", json!({ "requirements": null }));
    story
}

fn opened(thread: &str) -> Value {
    json!({
        "thread": { "id": thread },
        "model": "mock-model",
        "cwd": "/room",
        "approvalPolicy": "never",
        "sandbox": { "type": "dangerFullAccess" },
    })
}

/// A ready session in which turn `t1` runs as native turn `n1`.
fn running() -> Story<Codex> {
    let mut story = ready();
    begin(&mut story, "t1", "n1");
    story
}

fn begin(story: &mut Story<Codex>, turn: &str, native: &str) {
    story.prompt(turn, "hello").called("turn/start");
    story
        .answers(
            "turn/start",
            json!({ "turn": { "id": native, "status": "inProgress" } }),
        )
        .says("turn/started", of(json!({ "turn": { "id": native } })))
        .told(&[&format!("{turn} started {native}")]);
}

/// Parameters that belong to the room's thread.
fn of(mut params: Value) -> Value {
    params["threadId"] = json!("thread-1");
    params
}

/// Parameters of native turn `n1`.
fn n1(mut params: Value) -> Value {
    params["turnId"] = json!("n1");
    of(params)
}

fn item(item: Value) -> Value {
    n1(json!({ "item": item }))
}

fn delta(id: &str, text: &str) -> Value {
    n1(json!({ "itemId": id, "delta": text }))
}

fn message(id: &str, text: &str) -> Value {
    item(json!({ "type": "agentMessage", "id": id, "text": text, "phase": null }))
}

fn ended(status: &str) -> Value {
    of(json!({ "turn": { "id": "n1", "status": status, "error": null, "items": [] } }))
}

fn failed(message: &str, info: Value) -> Value {
    let error = json!({ "message": message, "codexErrorInfo": info, "additionalDetails": null });
    of(json!({ "turn": { "id": "n1", "status": "failed", "error": error, "items": [] } }))
}
