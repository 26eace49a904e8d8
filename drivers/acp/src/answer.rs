//! The turn's answer as it streams, message by message.
//!
//! Most agents do not name their messages, so an item is what is said between two tool calls: a counter
//! that grows at every call, and where an agent does name its messages, at every new name. An agent that
//! repeats itself after a broken stream is only taken at its word where it said that it begins anew.

use crate::update::Chunk;
use groupx_driver_sdk::{Delta, Note, Outbox, Output, text};

/// Text that is kept for a failure that is told as an answer.
const KEPT_BYTES: usize = 1_000;

#[derive(Debug, Default)]
pub(crate) struct Answer {
    item: u32,
    /// The native name of the message that the item is.
    message: Option<String>,
    here: Said,
    /// Whether an earlier item has words.
    earlier: bool,
    /// The model's stream that the item came in, where the agent numbers them.
    stream: Option<u64>,
    /// That stream broke, and the agent begins anew.
    cut: bool,
    /// The agent has closed its books after the last words.
    whole: bool,
    head: String,
}

/// What the item at hand has.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Said {
    #[default]
    Nothing,
    Blanks,
    Words,
}

impl Answer {
    pub(crate) fn chunk(&mut self, turn: &str, chunk: &Chunk, out: &mut Outbox) {
        let (text, message) = (&*chunk.text, chunk.message.as_deref());
        if text.is_empty() {
            return;
        }
        // The last words of a broken stream may come after the news that it broke.
        let is_rest = chunk.stream.is_some() && chunk.stream == self.stream;
        if !is_rest {
            self.begins_anew(turn, out);
            self.stream = chunk.stream;
        }
        if message.is_some() && self.message.as_deref() != message {
            if self.message.is_some() {
                self.next_item();
            }
            self.message = message.map(str::to_owned);
        }
        // Messages are set apart by whoever shows them, so blank lines in front of one say nothing.
        let text = match self.here {
            Said::Nothing => text.trim_start_matches(['\n', '\r']),
            Said::Blanks | Said::Words => text,
        };
        if text.is_empty() {
            return;
        }
        self.whole = false;
        self.here = match self.here {
            Said::Nothing | Said::Blanks if text.trim().is_empty() => Said::Blanks,
            _ => Said::Words,
        };
        let room = KEPT_BYTES.saturating_sub(self.head.len());
        self.head.push_str(text::head(text, room));
        out.push(Output::ContentDelta(Delta {
            turn: turn.to_owned(),
            item: self.item(),
            text: text.to_owned(),
        }));
    }

    /// A tool call begins: what is said from here on is another message.
    pub(crate) fn tool_begins(&mut self, turn: &str, out: &mut Outbox) {
        self.begins_anew(turn, out);
        self.next_item();
    }

    /// The agent says that the model's stream broke and that it tries again.
    pub(crate) fn stream_cut(&mut self) {
        self.cut = true;
    }

    /// The agent has counted what the last words cost: they were the last of their message.
    pub(crate) fn counted(&mut self) {
        self.whole = true;
    }

    /// Whether the answer was whole when this was asked.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole && self.has_words()
    }

    pub(crate) fn has_words(&self) -> bool {
        self.earlier || self.here == Said::Words
    }

    /// The beginning of what was said.
    pub(crate) fn head(&self) -> &str {
        self.head.trim()
    }

    /// The item's id in the interface; thoughts have the same.
    pub(crate) fn item(&self) -> String {
        (self.item + 1).to_string()
    }

    /// Something comes after a cut: what the item held is void.
    fn begins_anew(&mut self, turn: &str, out: &mut Outbox) {
        if !std::mem::take(&mut self.cut) || self.here == Said::Nothing {
            return;
        }
        out.push(Output::ContentReset(Note {
            turn: turn.to_owned(),
            item: self.item(),
            text: "the model's stream broke and was begun anew".to_owned(),
        }));
        self.here = Said::Nothing;
        self.head.clear();
        self.next_item();
    }

    fn next_item(&mut self) {
        self.item += 1;
        self.earlier |= self.here == Said::Words;
        self.here = Said::Nothing;
        self.message = None;
    }
}
