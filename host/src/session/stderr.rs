//! An agent's stderr: the tail is kept for the user, a few lines go to the driver.

use std::collections::VecDeque;

use crate::protocol::limits::STDERR_TAIL_BYTES;
use crate::protocol::text::clip_bytes;

/// Lines that a driver gets to see in one session.
const LINES: u32 = 256;
/// Bytes of one such line.
const LINE_BYTES: usize = 2_000;

/// The tail and the lines of one stderr.
pub(super) struct Stderr {
    tail: VecDeque<u8>,
    line: Vec<u8>,
    given: u32,
}

impl Stderr {
    pub(super) fn new() -> Self {
        Self {
            tail: VecDeque::new(),
            line: Vec::new(),
            given: 0,
        }
    }

    /// Takes bytes; gives the whole lines that the driver may see.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<String> {
        let newest = &bytes[bytes.len().saturating_sub(STDERR_TAIL_BYTES)..];
        let surplus = (self.tail.len() + newest.len()).saturating_sub(STDERR_TAIL_BYTES);
        self.tail.drain(..surplus.min(self.tail.len()));
        self.tail.extend(newest);
        let mut lines = Vec::new();
        for byte in bytes {
            if self.given >= LINES {
                self.line = Vec::new();
                break;
            }
            if *byte != b'\n' {
                if self.line.len() < LINE_BYTES {
                    self.line.push(*byte);
                }
                continue;
            }
            self.given += 1;
            let line = String::from_utf8_lossy(&self.line).trim_end().to_owned();
            self.line.clear();
            if !line.is_empty() {
                lines.push(line);
            }
        }
        lines
    }

    /// The last line that says something, without colours, for a message.
    pub(super) fn last_words(&self) -> Option<String> {
        let (front, back) = self.tail.as_slices();
        let text = [front, back].concat();
        let text = String::from_utf8_lossy(&text);
        let line = text
            .lines()
            .rev()
            .map(plain)
            .find(|line| !line.trim().is_empty())?;
        Some(clip_bytes(line.trim(), 300).to_owned())
    }
}

/// The text without terminal escape sequences and control characters.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            // An escape sequence ends with its first letter.
            chars.by_ref().find(|c| c.is_ascii_alphabetic());
        } else if !c.is_control() {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drv_08_a_flood_keeps_its_tail_and_a_bounded_number_of_lines() {
        let mut stderr = Stderr::new();
        let mut given = 0;
        for number in 0..20_000 {
            given += stderr
                .take(format!("line {number} of a very long story\n").as_bytes())
                .len();
        }
        assert_eq!(given, LINES as usize);
        assert!(stderr.tail.len() <= STDERR_TAIL_BYTES);
        assert_eq!(
            stderr.last_words().unwrap(),
            "line 19999 of a very long story"
        );
    }

    #[test]
    fn last_words_lose_their_colours() {
        let mut stderr = Stderr::new();
        stderr.take(b"\x1b[31mERROR\x1b[0m please sign in\n\n");
        assert_eq!(stderr.last_words().unwrap(), "ERROR please sign in");
    }
}
