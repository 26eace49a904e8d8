//! The turn's answer and thoughts, message by message and block by block, as they stream.
//!
//! The host makes the answer of what is streamed. Two things it cannot see are kept here: what of a
//! block was not streamed, and messages that a broken stream left unfinished and that Claude then
//! asks the model for anew, under another id.

use crate::delta::Voice;
use groupx_driver_sdk::{Delta, Note, Outbox, Output};
use serde_json::Value;
use std::borrow::Cow;

/// Text that is kept for comparison; beyond it only lengths are.
const KEPT_BYTES: usize = 4 << 20;

#[derive(Debug, Default)]
pub(crate) struct Answer {
    messages: Vec<Message>,
    kept: usize,
    overflowed: bool,
}

#[derive(Debug)]
struct Message {
    id: String,
    /// The model has said all of it.
    ended: bool,
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Block {
    index: u64,
    /// None for what is no text.
    voice: Option<Voice>,
    text: String,
    bytes: usize,
    /// Claude has repeated it as a whole.
    whole: bool,
    void: bool,
}

impl Answer {
    /// The model begins a message.
    pub(crate) fn begins(&mut self, id: &str) {
        self.messages.push(Message::new(id, false));
    }

    pub(crate) fn knows(&self, id: &str) -> bool {
        self.messages.iter().any(|message| message.id == id)
    }

    pub(crate) fn block_begins(&mut self, turn: &str, index: u64, block: &Value, out: &mut Outbox) {
        let voice = match block["type"].as_str() {
            Some("text") => Some(Voice::Answer),
            Some("thinking") => Some(Voice::Thought),
            _ => None,
        };
        let message = self.last();
        message.blocks.push(Block::new(index, voice));
        let text = block["text"].as_str().or(block["thinking"].as_str());
        if let (Some(voice), Some(text)) = (voice, text) {
            self.delta(turn, index, voice, text.into(), out);
        }
    }

    pub(crate) fn delta(
        &mut self,
        turn: &str,
        index: u64,
        voice: Voice,
        text: Cow<'_, str>,
        out: &mut Outbox,
    ) {
        self.last();
        let message = self.messages.len() - 1;
        let blocks = &mut self.messages[message].blocks;
        let block = match blocks.iter().rposition(|block| block.index == index) {
            Some(block) => block,
            None => {
                blocks.push(Block::new(index, Some(voice)));
                blocks.len() - 1
            }
        };
        self.say(turn, message, block, voice, text, out);
    }

    /// The model has ended its message.
    pub(crate) fn ends(&mut self) {
        self.last().ended = true;
    }

    /// Claude repeats blocks of message `id` as a whole: what was not streamed of them is made up for.
    pub(crate) fn whole(&mut self, turn: &str, id: &str, content: &mut Value, out: &mut Outbox) {
        let message = match self.messages.iter().rposition(|message| message.id == id) {
            Some(message) => message,
            None => {
                // It was not streamed at all.
                self.messages.push(Message::new(id, true));
                self.messages.len() - 1
            }
        };
        for block in content.as_array_mut().into_iter().flatten() {
            let (voice, text) = match block["type"].as_str() {
                Some("text") => (Some(Voice::Answer), block["text"].take()),
                Some("thinking") => (Some(Voice::Thought), block["thinking"].take()),
                _ => (None, Value::Null),
            };
            let place = self.messages[message].open_block(voice);
            self.messages[message].blocks[place].whole = true;
            if let (Some(voice), Value::String(text)) = (voice, text) {
                self.complete(turn, message, place, voice, text, out);
            }
        }
    }

    fn complete(
        &mut self,
        turn: &str,
        message: usize,
        place: usize,
        voice: Voice,
        text: String,
        out: &mut Outbox,
    ) {
        let overflowed = self.overflowed;
        let block = &self.messages[message].blocks[place];
        let missing = match text.strip_prefix(block.text.as_str()) {
            Some(rest) if block.bytes == block.text.len() => Some(rest),
            _ if overflowed && block.bytes == text.len() => Some(""),
            // Thoughts cannot be taken back, and nothing depends on their last word.
            _ if voice == Voice::Thought => Some(""),
            _ => None,
        };
        match missing {
            Some(rest) if rest.len() == text.len() => {
                self.say(turn, message, place, voice, text.into(), out);
            }
            Some(rest) => self.say(turn, message, place, voice, rest.into(), out),
            None => {
                self.take_back(turn, message, place, "Claude changed this message", out);
                self.say(turn, message, place, voice, text.into(), out);
            }
        }
    }

    fn say(
        &mut self,
        turn: &str,
        message: usize,
        place: usize,
        voice: Voice,
        text: Cow<'_, str>,
        out: &mut Outbox,
    ) {
        if text.is_empty() {
            return;
        }
        let message = &mut self.messages[message];
        let block = &mut message.blocks[place];
        block.voice = Some(voice);
        block.void = false;
        block.bytes += text.len();
        if self.kept + text.len() <= KEPT_BYTES {
            self.kept += text.len();
            block.text.push_str(&text);
        } else {
            self.overflowed = true;
        }
        let delta = Delta {
            turn: turn.to_owned(),
            item: item(&message.id, block.index),
            text: text.into_owned(),
        };
        out.push(match voice {
            Voice::Answer => Output::ContentDelta(delta),
            Voice::Thought => Output::ReasoningDelta(delta),
        });
    }

    /// Nothing that was said counts: it was said in another turn.
    pub(crate) fn take_back_all(&mut self, turn: &str, out: &mut Outbox) {
        for message in 0..self.messages.len() {
            self.take_back_message(turn, message, "it belongs to a turn of Claude's own", out);
        }
    }

    /// A new message comes. If the last one has not ended, its stream broke, and it is void: true then.
    pub(crate) fn take_back_unfinished(&mut self, turn: &str, out: &mut Outbox) -> bool {
        let last = self.messages.len().checked_sub(1);
        let Some(last) = last.filter(|last| !self.messages[*last].ended) else {
            return false;
        };
        let why = "the model's stream broke and was begun anew";
        self.take_back_message(turn, last, why, out);
        true
    }

    fn take_back_message(&mut self, turn: &str, message: usize, why: &str, out: &mut Outbox) {
        self.messages[message].ended = true;
        for block in 0..self.messages[message].blocks.len() {
            self.take_back(turn, message, block, why, out);
        }
    }

    fn take_back(&mut self, turn: &str, message: usize, place: usize, why: &str, out: &mut Outbox) {
        let message = &mut self.messages[message];
        let block = &mut message.blocks[place];
        self.kept -= std::mem::take(&mut block.text).len();
        let was_seen = std::mem::take(&mut block.bytes) > 0;
        block.void = true;
        if was_seen && block.voice == Some(Voice::Answer) {
            out.push(Output::ContentReset(Note {
                turn: turn.to_owned(),
                item: item(&message.id, block.index),
                text: why.to_owned(),
            }));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let blocks = self.messages.iter().flat_map(|message| &message.blocks);
        blocks
            .filter(|block| block.voice == Some(Voice::Answer) && !block.void)
            .all(|block| block.text.trim().is_empty() && block.bytes == block.text.len())
    }

    fn last(&mut self) -> &mut Message {
        if self.messages.is_empty() {
            self.messages.push(Message::new("message", false));
        }
        let last = self.messages.len() - 1;
        &mut self.messages[last]
    }
}

impl Message {
    fn new(id: &str, ended: bool) -> Self {
        Self {
            id: id.to_owned(),
            ended,
            blocks: Vec::new(),
        }
    }

    /// The first block of that kind which was not repeated yet, or a new one.
    fn open_block(&mut self, voice: Option<Voice>) -> usize {
        let open = |block: &Block| !block.whole && block.voice == voice;
        self.blocks.iter().position(open).unwrap_or_else(|| {
            let index = self.blocks.iter().map(|block| block.index + 1).max();
            self.blocks.push(Block::new(index.unwrap_or(0), voice));
            self.blocks.len() - 1
        })
    }
}

impl Block {
    fn new(index: u64, voice: Option<Voice>) -> Self {
        Self {
            index,
            voice,
            text: String::new(),
            bytes: 0,
            whole: false,
            void: false,
        }
    }
}

fn item(message: &str, index: u64) -> String {
    format!("{message}:{index}")
}
