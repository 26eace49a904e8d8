//! What one Turn has said so far: answer text by native message, reasoning, tools, usage. Pure.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::protocol::body::{ToolEvent, TurnUsage};
use crate::protocol::limits::{ANSWER_BYTES, TOOL_RECORDS};
use crate::protocol::text::clip_bytes;
use crate::protocol::{EventBody, Timestamp, TurnId};
use crate::session::ToolNews;

/// One native message of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    id: String,
    text: String,
}

/// A tool report to be recorded at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolEntry {
    /// When it came.
    pub at: Timestamp,
    /// What it was.
    pub event: ToolEvent,
    /// The CLI's id of the call.
    pub call_id: Option<String>,
    /// What is shown.
    pub details: Value,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Transcript {
    items: Vec<Item>,
    bytes: usize,
    chunk: u64,
    reasoning: String,
    tools: Vec<ToolEntry>,
    begun: BTreeSet<String>,
    unrecorded: u64,
    called_tools: bool,
    /// What it cost so far.
    pub usage: TurnUsage,
}

/// Marks cut reasoning, visibly; nothing follows it.
const CUT_REASONING: &str = "\n\n[The reasoning was longer than GroupX stores; the rest is cut.]";
/// Marks a cut answer, visibly.
const CUT: &str = "\n\n[The answer was longer than GroupX stores; the rest is cut.]";

impl Transcript {
    /// Takes answer text; gives the live delta that it becomes.
    pub fn content(&mut self, turn: &TurnId, item: &str, text: &str) -> EventBody {
        let mut shown = String::with_capacity(text.len() + 2);
        match self.items.last_mut() {
            Some(last) if last.id == item => last.text.push_str(text),
            _ => {
                if self.items.iter().any(|item| !item.text.is_empty()) {
                    shown.push_str("\n\n");
                }
                self.items.push(Item {
                    id: item.to_owned(),
                    text: text.to_owned(),
                });
            }
        }
        shown.push_str(text);
        self.bytes += shown.len();
        if self.bytes > 2 * ANSWER_BYTES {
            self.shed();
        }
        self.delta(turn, shown, false)
    }

    /// The agent began this message anew: what was streamed of it is void.
    pub fn reset(&mut self, turn: &TurnId, item: &str) -> EventBody {
        self.items.retain(|known| known.id != item);
        let text = self.joined();
        self.bytes = text.len();
        self.delta(turn, text, true)
    }

    /// Takes reasoning text.
    pub fn reasoning(&mut self, turn: &TurnId, text: &str) -> EventBody {
        let is_cut = self.reasoning.ends_with(CUT_REASONING);
        if !is_cut && self.reasoning.len() + text.len() <= ANSWER_BYTES {
            self.reasoning.push_str(text);
        } else if !is_cut {
            self.reasoning.push_str(CUT_REASONING);
        }
        EventBody::ReasoningDelta {
            turn_id: turn.clone(),
            text: text.to_owned(),
        }
    }

    /// Takes a tool report; gives the live event that it becomes.
    pub fn tool(&mut self, turn: &TurnId, at: Timestamp, news: ToolNews) -> EventBody {
        self.called_tools = true;
        let first = !self.begun.contains(&news.call_id);
        // Beyond its bound nothing is recorded, so nothing has to be remembered either.
        if first && self.begun.len() < TOOL_RECORDS {
            self.begun.insert(news.call_id.clone());
        }
        let event = if news.over {
            ToolEvent::Completed
        } else {
            ToolEvent::Started
        };
        if first && news.over {
            // A tool that was never announced is recorded whole: begun and ended at once.
            self.record(at, ToolEvent::Started, &news);
        }
        if first || news.over {
            self.record(at, event, &news);
        }
        EventBody::ToolProgress {
            turn_id: turn.clone(),
            native_type: event,
            tool_call_id: Some(news.call_id),
            details: news.details,
        }
    }

    fn record(&mut self, at: Timestamp, event: ToolEvent, news: &ToolNews) {
        if self.tools.len() >= TOOL_RECORDS {
            self.unrecorded += 1;
            return;
        }
        let call_id = Some(news.call_id.clone());
        self.tools.push(ToolEntry {
            at,
            event,
            call_id,
            details: news.details.clone(),
        });
    }

    /// The answer: all messages in order, separated by a blank line (TURN-15), or the text that
    /// the CLI gave apart; cut visibly beyond its bound.
    pub fn answer(&self, final_text: Option<String>) -> String {
        let text = final_text.unwrap_or_else(|| self.joined());
        if text.len() <= ANSWER_BYTES {
            return text;
        }
        format!("{}{CUT}", clip_bytes(&text, ANSWER_BYTES))
    }

    /// Whether anything was said or done.
    pub fn is_empty(&self, final_text: Option<&str>) -> bool {
        let said = final_text.map_or_else(
            || self.items.iter().any(|i| !i.text.trim().is_empty()),
            |t| !t.trim().is_empty(),
        );
        !said && !self.called_tools
    }

    /// What was streamed of an answer that is none.
    pub fn partial(&self) -> Option<String> {
        let text = self.answer(None);
        (!text.is_empty()).then_some(text)
    }

    /// The whole reasoning, if there was any.
    pub fn whole_reasoning(&self) -> Option<String> {
        (!self.reasoning.is_empty()).then(|| self.reasoning.clone())
    }

    /// The tool records in order, and a last one that stands for those that were too many.
    pub fn tool_records(&self) -> Vec<ToolEntry> {
        let mut records = self.tools.clone();
        if let (1.., Some(last)) = (self.unrecorded, self.tools.last()) {
            let title = format!("{} more tool records are not kept", self.unrecorded);
            records.push(ToolEntry {
                at: last.at,
                event: ToolEvent::Completed,
                call_id: None,
                details: json!({ "title": title, "status": "completed", "kind": "other" }),
            });
        }
        records
    }

    fn joined(&self) -> String {
        let mut text = String::with_capacity(self.bytes);
        for item in self.items.iter().filter(|item| !item.text.is_empty()) {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str(&item.text);
        }
        text
    }

    /// Keeps memory bounded: of what can no longer be stored, only the fact that it was too long.
    fn shed(&mut self) {
        let text = clip_bytes(&self.joined(), ANSWER_BYTES + 1).to_owned();
        self.bytes = text.len();
        let id = self
            .items
            .last()
            .map(|item| item.id.clone())
            .unwrap_or_default();
        self.items = vec![Item { id, text }];
    }

    fn delta(&mut self, turn: &TurnId, text: String, reset: bool) -> EventBody {
        self.chunk += 1;
        EventBody::ContentDelta {
            turn_id: turn.clone(),
            chunk_index: self.chunk,
            text,
            reset,
        }
    }
}

#[cfg(test)]
mod tests;
