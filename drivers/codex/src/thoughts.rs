//! Reasoning as it streams. Codex may send a summary and the raw text of the same thoughts: whichever
//! came first of an item is told, the other would only repeat it.

use groupx_driver_sdk::{Delta, Outbox, Output};
use serde_json::Value;
use std::borrow::Cow;

#[derive(Debug, Default)]
pub(crate) struct Thoughts {
    items: Vec<Item>,
}

#[derive(Debug)]
struct Item {
    id: String,
    voice: Voice,
    part: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    Summary,
    Raw,
}

impl Thoughts {
    pub(crate) fn summary(
        &mut self,
        turn: &str,
        id: &str,
        part: Option<i64>,
        text: Cow<'_, str>,
        out: &mut Outbox,
    ) {
        self.delta(turn, id, Voice::Summary, part.unwrap_or(0), text, out);
    }

    pub(crate) fn raw(
        &mut self,
        turn: &str,
        id: &str,
        part: Option<i64>,
        text: Cow<'_, str>,
        out: &mut Outbox,
    ) {
        self.delta(turn, id, Voice::Raw, part.unwrap_or(0), text, out);
    }

    /// A finished item of which nothing was streamed is told now.
    pub(crate) fn completed(&mut self, turn: &str, item: &Value, out: &mut Outbox) {
        let id = item["id"].as_str().unwrap_or_default();
        if self.items.iter().any(|item| item.id == id) {
            return;
        }
        let parts = |key: &str| {
            let parts = item[key].as_array().into_iter().flatten();
            parts
                .filter_map(Value::as_str)
                .collect::<Vec<_>>()
                .join("\n\n")
        };
        match parts("summary") {
            text if text.is_empty() => self.raw(turn, id, None, parts("content").into(), out),
            text => self.summary(turn, id, None, text.into(), out),
        }
    }

    fn delta(
        &mut self,
        turn: &str,
        id: &str,
        voice: Voice,
        part: i64,
        text: Cow<'_, str>,
        out: &mut Outbox,
    ) {
        if text.is_empty() {
            return;
        }
        let item = match self.items.iter_mut().rev().find(|item| item.id == id) {
            Some(item) if item.voice != voice => return,
            Some(item) => item,
            None => {
                self.items.push(Item {
                    id: id.to_owned(),
                    voice,
                    part,
                });
                let last = self.items.len() - 1;
                &mut self.items[last]
            }
        };
        let text = match item.part == part {
            true => text.into_owned(),
            false => format!("\n\n{text}"),
        };
        item.part = part;
        out.push(Output::ReasoningDelta(Delta {
            turn: turn.to_owned(),
            item: id.to_owned(),
            text,
        }));
    }
}
