//! A recorded session of a real agent that speaks JSON-RPC, played to a driver.
//!
//! A recording is JSON lines `{"dir": "in" | "out" | "stderr" | "meta", "line": …}`, `in` being what a
//! client wrote then. Its prompts and cancels become inputs here; the agent's answers go to the
//! driver's own calls, by method and order; what the recording lacks is answered from stubs.

use super::Story;
use crate::{Driver, ExitStatus, Input, SessionConfig};
use serde_json::{Value, json};

/// What has to be known of a protocol to play its recordings.
#[derive(Debug, Clone, Copy)]
pub struct Protocol {
    /// The method of a call that hands over a prompt.
    pub prompt: &'static str,
    /// The text of such a call.
    pub text: fn(&Value) -> Option<&str>,
    /// The method that cancels.
    pub cancel: &'static str,
    /// The result of a call that a recording lacks.
    pub stub: fn(method: &str) -> Option<Value>,
    /// Makes a recorded result fit the parameters that the driver sent, which the recording's client did not.
    pub mend: fn(method: &str, result: &mut Value),
}

/// Plays `recording` (the text of the file) and gives the session as it stood at the end.
///
/// # Panics
/// The driver breaks its word, as in every story, or a line of the recording is not JSON.
pub fn play<D: Driver>(recording: &str, protocol: &Protocol, config: SessionConfig) -> Story<D> {
    let lines: Vec<Value> = recording.lines().map(super::rpc::parse).collect();
    let mut player = Player {
        story: Story::begin(config),
        protocol,
        asked: Vec::new(),
        ours: Vec::new(),
        turns: 0,
    };
    let recorded: Vec<_> = lines
        .iter()
        .filter(|line| line["dir"] == "in")
        .map(|line| &line["line"]["method"])
        .collect();
    for line in &lines {
        player.stub(&recorded);
        match line["dir"].as_str() {
            Some("in") => player.client(&line["line"]),
            Some("out") => player.agent(&line["line"]),
            Some("stderr") => {
                player
                    .story
                    .complains(line["line"].as_str().unwrap_or_default());
            }
            _ if line["line"]["event"] == "exit" => {
                let code = line["line"]["code"]
                    .as_i64()
                    .and_then(|code| i32::try_from(code).ok());
                player.story.input(Input::StdoutEof);
                player.story.input(Input::ProcessExited(ExitStatus {
                    code,
                    signal: None,
                    expected: true,
                }));
            }
            _ => {}
        }
    }
    player.story
}

struct Player<'a, D: Driver> {
    story: Story<D>,
    protocol: &'a Protocol,
    /// The recorded client's open calls: id and method.
    asked: Vec<(Value, String)>,
    /// The driver's open calls: id and method.
    ours: Vec<(Value, String)>,
    turns: u32,
}

impl<D: Driver> Player<'_, D> {
    fn client(&mut self, message: &Value) {
        let Some(method) = message["method"].as_str() else {
            return;
        };
        if !message["id"].is_null() {
            self.asked.push((message["id"].clone(), method.to_owned()));
        }
        if method == self.protocol.prompt && self.story.takes_prompts() {
            self.turns += 1;
            let text = (self.protocol.text)(&message["params"]).unwrap_or_default();
            self.story.prompt(&format!("t{}", self.turns), text);
        } else if method == self.protocol.cancel
            && let Some(turn) = self.story.referee.open_turn().map(str::to_owned)
        {
            self.story.cancel(&turn);
        }
    }

    fn agent(&mut self, message: &Value) {
        if let Some(raw) = message["__raw"].as_str() {
            self.story.prints(raw);
            return;
        }
        let mut message = message.clone();
        if message["method"].is_null() {
            let Some(asked) = self.asked.iter().position(|(id, _)| *id == message["id"]) else {
                return;
            };
            let (_, method) = self.asked.remove(asked);
            self.note_calls();
            let Some(ours) = self.ours.iter().position(|(_, ours)| *ours == method) else {
                return;
            };
            message["id"] = self.ours.remove(ours).0;
            if let Some(result) = message.get_mut("result") {
                (self.protocol.mend)(&method, result);
            }
        }
        self.story.prints(message.to_string());
    }

    fn stub(&mut self, recorded: &[&Value]) {
        self.note_calls();
        let lacking =
            |(_, method): &(Value, String)| !recorded.iter().any(|recorded| *recorded == method);
        while let Some(place) = self.ours.iter().position(lacking) {
            let (id, method) = self.ours.remove(place);
            if let Some(result) = (self.protocol.stub)(&method) {
                self.story
                    .prints(json!({ "id": id, "result": result }).to_string());
                self.note_calls();
            }
        }
    }

    fn note_calls(&mut self) {
        for line in std::mem::take(&mut self.story.written) {
            let message = super::rpc::parse(&line);
            if let (Some(method), false) = (message["method"].as_str(), message["id"].is_null()) {
                self.ours.push((message["id"].clone(), method.to_owned()));
            }
        }
    }
}
