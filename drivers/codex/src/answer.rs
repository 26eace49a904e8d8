//! The turn's answer, message by message, as it streams.
//!
//! The host makes the answer of what is streamed. Two things it cannot see are kept here: messages that
//! Codex marks as commentary, which are no part of the answer, and messages that a broken stream left
//! unfinished and that Codex then begins anew under another id.

use groupx_driver_sdk::{Delta, Note, Outbox, Output};
use serde_json::Value;
use std::borrow::Cow;

/// Text that is kept for comparison and for an answer with commentary in it; beyond it only lengths are.
const KEPT_BYTES: usize = 4 << 20;

#[derive(Debug, Default)]
pub(crate) struct Answer {
    messages: Vec<Message>,
    kept: usize,
    overflowed: bool,
}

#[derive(Debug, Default)]
struct Message {
    id: String,
    text: String,
    bytes: usize,
    commentary: bool,
    state: State,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Open,
    /// The stream broke while it was open. Nothing says yet that it is begun anew.
    Cut,
    /// Taken back.
    Void,
    Done,
}

impl Answer {
    pub(crate) fn started(&mut self, item: &Value) {
        let id = item["id"].as_str().unwrap_or_default();
        let message = self.message(id);
        message.commentary = is_commentary(item);
    }

    pub(crate) fn delta(&mut self, turn: &str, id: &str, text: Cow<'_, str>, out: &mut Outbox) {
        if text.is_empty() {
            return;
        }
        let keep = self.kept + text.len() <= KEPT_BYTES;
        let message = self.message(id);
        message.state = State::Open;
        message.bytes += text.len();
        if keep {
            message.text.push_str(&text);
            self.kept += text.len();
        } else {
            self.overflowed = true;
        }
        out.push(Output::ContentDelta(Delta {
            turn: turn.to_owned(),
            item: id.to_owned(),
            text: text.into_owned(),
        }));
    }

    /// The whole text of a message is known: what was not streamed of it is made up for.
    pub(crate) fn completed(&mut self, turn: &str, item: &Value, out: &mut Outbox) {
        let id = item["id"].as_str().unwrap_or_default();
        let text = item["text"].as_str().unwrap_or_default();
        let commentary = is_commentary(item);
        let overflowed = self.overflowed;
        let message = self.message(id);
        message.commentary |= commentary;
        let missing = match text.strip_prefix(message.text.as_str()) {
            Some(rest) if message.bytes == message.text.len() => Some(rest),
            _ if overflowed && message.bytes == text.len() => Some(""),
            _ => None,
        };
        match missing {
            Some(rest) => self.delta(turn, id, rest.into(), out),
            None => {
                self.take_back(turn, id, "Codex changed this message", out);
                self.delta(turn, id, text.into(), out);
            }
        }
        self.message(id).state = State::Done;
    }

    /// The model's stream broke.
    pub(crate) fn stream_cut(&mut self) {
        for message in self
            .messages
            .iter_mut()
            .filter(|message| message.state == State::Open)
        {
            message.state = State::Cut;
        }
    }

    /// The model has begun something new, so what was cut off before it is void.
    pub(crate) fn model_begins(&mut self, turn: &str, out: &mut Outbox) {
        let cut = self
            .messages
            .iter()
            .filter(|message| message.state == State::Cut);
        let cut: Vec<_> = cut.map(|message| message.id.clone()).collect();
        for id in cut {
            self.take_back(
                turn,
                &id,
                "the model's stream broke and was begun anew",
                out,
            );
        }
    }

    /// Whether nothing has come of the message `item`.
    pub(crate) fn is_new(&self, item: &Value) -> bool {
        !self
            .messages
            .iter()
            .any(|message| message.id == item["id"].as_str().unwrap_or_default())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts()
            .all(|message| message.text.trim().is_empty() && message.bytes == message.text.len())
    }

    /// The answer in one piece, where the stream alone would not give it.
    pub(crate) fn final_text(&self) -> Option<String> {
        if self.overflowed || !self.messages.iter().any(|message| message.commentary) {
            return None;
        }
        let parts: Vec<_> = self
            .parts()
            .map(|message| message.text.as_str())
            .filter(|text| !text.is_empty())
            .collect();
        Some(parts.join("\n\n"))
    }

    fn parts(&self) -> impl Iterator<Item = &Message> {
        self.messages
            .iter()
            .filter(|message| !message.commentary && message.state != State::Void)
    }

    fn take_back(&mut self, turn: &str, id: &str, why: &str, out: &mut Outbox) {
        let message = self.message(id);
        let freed = std::mem::take(&mut message.text).len();
        let was_seen = std::mem::take(&mut message.bytes) > 0;
        message.state = State::Void;
        self.kept -= freed;
        if was_seen {
            out.push(Output::ContentReset(Note {
                turn: turn.to_owned(),
                item: id.to_owned(),
                text: why.to_owned(),
            }));
        }
    }

    fn message(&mut self, id: &str) -> &mut Message {
        let place = match self.messages.iter().rposition(|message| message.id == id) {
            Some(place) => place,
            None => {
                self.messages.push(Message {
                    id: id.to_owned(),
                    ..Message::default()
                });
                self.messages.len() - 1
            }
        };
        &mut self.messages[place]
    }
}

fn is_commentary(item: &Value) -> bool {
    item["phase"] == "commentary"
}
