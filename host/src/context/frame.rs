//! How one entry stands in a packet: a head line that only GroupX writes, then its content, every
//! line quoted (contract Ours 14).

use std::fmt::Write;

use crate::protocol::text::{clip_utf16, utf16_len};
use crate::store::Said;

/// An entry and what it costs.
pub(super) struct Entry {
    text: String,
    length: usize,
}

impl Entry {
    /// A message of the room; longer than `most` characters it is excerpted, with its id to read.
    pub(super) fn of_message(said: &Said, most: usize) -> Self {
        let event = &said.event;
        let mut text = format!("- id={}", event.event_id);
        if let Some(seq) = event.seq {
            // Writing to a String cannot fail.
            let _ = write!(text, " seq={seq}");
        }
        let name = one_word(&event.actor.display_name);
        let subject = match event.to.len() {
            0 => "room".to_owned(),
            _ => event
                .to
                .iter()
                .map(|to| to.as_str())
                .collect::<Vec<_>>()
                .join(","),
        };
        let _ = write!(
            text,
            " author={} author_name={name} subject={subject} source={}",
            event.actor.actor_id, event.kind
        );
        if let Some(reply) = &event.reply_to_event_id {
            let _ = write!(text, ";reply_to={reply}");
        }
        let whole = utf16_len(&said.content);
        if whole > most {
            let excerpt = clip_utf16(&said.content, most);
            quote(&mut text, excerpt);
            let rest = whole - utf16_len(excerpt);
            let _ = write!(
                text,
                "\n  (cut: {rest} more characters; read event {} for all of it)",
                event.event_id
            );
        } else {
            quote(&mut text, &said.content);
        }
        Self::new(text)
    }

    /// A text that stands for itself, under a head line of ours.
    pub(super) fn of_text(head: &str, content: &str) -> Self {
        let mut text = format!("- {head}");
        quote(&mut text, content);
        Self::new(text)
    }

    fn new(text: String) -> Self {
        let length = utf16_len(&text) + 2;
        Self { text, length }
    }

    /// What it takes of the budget, its blank line included.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// Appends every line of `content` with the quote mark in front. All that a terminal or a model
/// could take for a line break counts as one.
fn quote(text: &mut String, content: &str) {
    let breaks = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    let unified = content.replace("\r\n", "\n");
    for line in unified.split(breaks) {
        text.push_str("\n| ");
        text.push_str(line);
    }
}

/// A display name on one line, without the spaces that part the fields of a head line.
fn one_word(name: &str) -> String {
    let word: String = name
        .chars()
        .map(|c| {
            if c.is_whitespace() || c.is_control() {
                '_'
            } else {
                c
            }
        })
        .collect();
    if word.is_empty() { "_".into() } else { word }
}
