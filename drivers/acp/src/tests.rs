//! The machine's stories: what an agent prints, what the room wants, and what must come of it. The agent
//! is one that nobody described, unless a story is about what is odd about one.

mod answers;
mod cancels;
mod closing;
mod ends;
mod handshakes;
mod hostile_wire;
mod lines;
mod loads;
mod modes;
mod questions;
mod recordings;
mod tools;
mod usage;
mod vendors;

use crate::{Acp, Agents, Cli, Profile, known};
use groupx_driver_sdk::story::{Story, config};
use groupx_driver_sdk::{McpAttachment, Pair, SessionConfig};
use serde_json::{Value, json};

/// Any agent, as the generic driver meets it.
struct Anybody;

impl Cli for Anybody {
    const PROFILE: Profile = Profile {
        id: "acp",
        display_name: "ACP agent",
        agents: Agents::Any(&known::ALL),
        unrestricted: "",
    };
}

type Driver = Acp<Anybody>;

/// A session that is ready, with session `s1`, of an agent that nobody described.
fn ready() -> Story<Driver> {
    let mut story = greeted(config(), json!({}));
    opens(&mut story, json!({}));
    story.told(&["ready s1"]).skip();
    story
}

/// A ready session with the agent of that name, in the mode that it needs.
fn ready_with(name: &str, modes: &[&str], mode: &str) -> Story<Driver> {
    let mut story = greeted(config(), json!({ "agentInfo": { "name": name } }));
    opens(&mut story, offering(modes));
    let set = json!({ "sessionId": "s1", "modeId": mode });
    assert_eq!(story.called("session/set_mode"), set);
    story
        .answers("session/set_mode", json!({}))
        .told(&["ready s1"])
        .skip();
    story
}

fn hermes() -> Story<Driver> {
    ready_with("hermes-agent", &["default", "dont_ask"], "dont_ask")
}

/// The answer to `initialize` has been given.
fn greeted(config: SessionConfig, answer: Value) -> Story<Driver> {
    let mut story = Story::begin(config);
    story.called("initialize");
    let mut whole = json!({
        "protocolVersion": 1,
        "agentCapabilities": { "loadSession": true },
    });
    for (key, value) in answer.as_object().into_iter().flatten() {
        whole[key] = value.clone();
    }
    story.answers("initialize", whole);
    story
}

/// The answer to `session/new`, as session `s1`.
fn opens(story: &mut Story<Driver>, mut answer: Value) {
    story.called("session/new");
    answer["sessionId"] = json!("s1");
    story.answers("session/new", answer);
}

fn offering(modes: &[&str]) -> Value {
    let offered: Vec<_> = modes.iter().map(|id| json!({ "id": id })).collect();
    json!({ "modes": { "currentModeId": modes[0], "availableModes": offered } })
}

/// A ready session in which turn `t1` is in flight.
fn running() -> Story<Driver> {
    let mut story = ready();
    story.prompt("t1", "hello").called("session/prompt");
    story
}

/// An update of session `s1`.
fn update(kind: &str, mut fields: Value) -> Value {
    fields["sessionUpdate"] = json!(kind);
    json!({ "sessionId": "s1", "update": fields })
}

trait Speaks {
    fn updates(&mut self, kind: &str, fields: Value) -> &mut Self;
    fn says_text(&mut self, text: &str) -> &mut Self;
    fn thinks(&mut self, text: &str) -> &mut Self;
    fn ends(&mut self, reason: &str) -> &mut Self;
}

impl Speaks for Story<Driver> {
    fn updates(&mut self, kind: &str, fields: Value) -> &mut Self {
        self.says("session/update", update(kind, fields))
    }
    fn says_text(&mut self, text: &str) -> &mut Self {
        self.updates("agent_message_chunk", block(text))
    }
    fn thinks(&mut self, text: &str) -> &mut Self {
        self.updates("agent_thought_chunk", block(text))
    }
    fn ends(&mut self, reason: &str) -> &mut Self {
        self.answers("session/prompt", json!({ "stopReason": reason }))
    }
}

fn block(text: &str) -> Value {
    json!({ "content": { "type": "text", "text": text } })
}

/// A room with its own tools.
fn with_tools() -> SessionConfig {
    SessionConfig {
        mcp: vec![McpAttachment {
            name: "groupx".into(),
            url: "http://127.0.0.1:4310/mcp".into(),
            headers: vec![Pair {
                name: "X-GroupX-Binding".into(),
                value: "secret".into(),
            }],
        }],
        ..config()
    }
}
