//! The rule for what stands on an agent's stdout between its messages.
//!
//! Shell banners, log lines, colours and stray words are noise: counted, a few of them noted, never
//! fatal. A line that begins with `{` is a message, and one that then does not parse means that the
//! framing is lost. Before the first message noise has a bound, so that a program that is no agent
//! at all is recognized. This module knows lines; what a message means is the protocol's business.

use crate::{Failure, Level, Outbox, text};
use std::borrow::Cow;

/// Noise allowed before the first message: lines, and bytes of them together.
pub const BANNER_LINES: u32 = 64;
/// See [`BANNER_LINES`].
pub const BANNER_BYTES: usize = 64 * 1024;
/// Notes about odd lines a turn; what comes after is only counted.
const NOTES_A_TURN: u64 = 8;

/// What a line is.
#[derive(Debug, PartialEq)]
pub enum Line<'a> {
    /// Nothing to act on; if it was worth a note, that has been written.
    Noise,
    /// Begins with `{`: one message of the protocol.
    Message(Cow<'a, str>),
    /// More noise than any banner before the first message: the session has failed.
    NoProtocol(Failure),
}

/// Sorts lines and keeps the count of the odd ones.
#[derive(Debug, Default)]
pub struct Lines {
    met: bool,
    banner_lines: u32,
    banner_bytes: usize,
    odd: u64,
}

impl Lines {
    /// Sort one line, as it came from the agent, without its terminator.
    pub fn sort<'a>(&mut self, bytes: &'a [u8], out: &mut Outbox) -> Line<'a> {
        let line = match std::str::from_utf8(bytes) {
            Ok(line) => Cow::Borrowed(line),
            Err(_) => {
                self.note(
                    "bad-utf8",
                    "a line that is not UTF-8 was read with its bad bytes replaced",
                    out,
                );
                Cow::Owned(replaced(bytes))
            }
        };
        let start = line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if start.starts_with('{') {
            self.met = true;
            let skipped = line.len() - start.len();
            return Line::Message(match line {
                Cow::Borrowed(line) => Cow::Borrowed(&line[skipped..]),
                Cow::Owned(mut line) => {
                    line.drain(..skipped);
                    Cow::Owned(line)
                }
            });
        }
        if start.is_empty() {
            return Line::Noise;
        }
        self.note("noise", &text::one_line(start, 200), out);
        if !self.met {
            self.banner_lines += 1;
            self.banner_bytes = self.banner_bytes.saturating_add(line.len());
            if self.banner_lines > BANNER_LINES || self.banner_bytes > BANNER_BYTES {
                return Line::NoProtocol(no_protocol(start));
            }
        }
        Line::Noise
    }

    /// A turn begins: notes are free again, and what was only counted is told.
    pub fn turn_begins(&mut self, out: &mut Outbox) {
        let untold = self.odd.saturating_sub(NOTES_A_TURN);
        self.odd = 0;
        if untold > 0 {
            out.diagnostic(
                Level::Info,
                "noise",
                &format!("{untold} more odd lines were skipped"),
            );
        }
    }

    fn note(&mut self, code: &str, message: &str, out: &mut Outbox) {
        self.odd += 1;
        if self.odd <= NOTES_A_TURN {
            out.diagnostic(Level::Info, code, message);
        }
    }
}

/// `bytes` with U+FFFD in place of what is no UTF-8. The text is made in its final size: a line may be
/// so long that a second one does not fit beside it.
fn replaced(bytes: &[u8]) -> String {
    let mark = |chunk: &std::str::Utf8Chunk| {
        if chunk.invalid().is_empty() {
            ""
        } else {
            "\u{fffd}"
        }
    };
    let size = bytes
        .utf8_chunks()
        .map(|chunk| chunk.valid().len() + mark(&chunk).len())
        .sum();
    let mut text = String::with_capacity(size);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(mark(&chunk));
    }
    text
}

fn no_protocol(line: &str) -> Failure {
    Failure {
        code: "protocol-error".to_owned(),
        message: format!(
            "it prints text where its protocol should begin, last: {}",
            text::one_line(line, 160)
        ),
        detail: None,
        retryable: false,
    }
}

/// The failure for a line that begins with `{` and does not parse.
pub fn lost_framing(line: &str, error: &str) -> Failure {
    Failure {
        code: "protocol-error".to_owned(),
        message: format!("a line on its stdout is broken JSON ({error})"),
        detail: Some(serde_json::json!({ "head": text::head(line, 300) }).to_string()),
        retryable: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Output;

    fn sort_all<'a>(
        lines: &mut Lines,
        input: impl IntoIterator<Item = &'a [u8]>,
    ) -> (Vec<Line<'a>>, Vec<Output>) {
        let mut out = Outbox::default();
        let sorted = input
            .into_iter()
            .map(|line| lines.sort(line, &mut out))
            .collect();
        (sorted, out.into_outputs())
    }

    #[test]
    fn a_banner_of_forty_lines_is_skipped() {
        let mut lines = Lines::default();
        let banner = std::iter::repeat_n(b"Welcome to the shell".as_slice(), 40);
        let (sorted, notes) = sort_all(&mut lines, banner.chain([b"{}".as_slice()]));
        assert_eq!(sorted.last(), Some(&Line::Message("{}".into())));
        assert_eq!(notes.len() as u64, NOTES_A_TURN);
    }

    #[test]
    fn a_program_that_only_talks_is_no_agent() {
        let mut lines = Lines::default();
        let (sorted, _) = sort_all(&mut lines, std::iter::repeat_n(b"word".as_slice(), 65));
        assert!(matches!(sorted.last(), Some(Line::NoProtocol(_))));
        let long = "x".repeat(BANNER_BYTES + 1);
        let (sorted, _) = sort_all(&mut Lines::default(), [long.as_bytes()]);
        assert!(matches!(sorted[..], [Line::NoProtocol(_)]));
    }

    #[test]
    fn noise_between_messages_has_no_bound_but_its_notes_do() {
        let mut lines = Lines::default();
        let (_, _) = sort_all(&mut lines, [b"{}".as_slice()]);
        let noise = [
            b"[1,2]".as_slice(),
            b"\"text\"",
            b"\x1b[31mERROR\x1b[0m",
            b"",
            b"   ",
            b"null",
        ];
        let (sorted, notes) = sort_all(&mut lines, noise.iter().copied().cycle().take(6_000));
        assert!(sorted.iter().all(|line| *line == Line::Noise));
        assert_eq!(notes.len() as u64, NOTES_A_TURN);
        let mut out = Outbox::default();
        lines.turn_begins(&mut out);
        let told = out.into_outputs();
        assert!(matches!(&told[..], [Output::Diagnostic(d)] if d.message.starts_with("3992 more")));
    }

    #[test]
    fn a_byte_order_mark_and_bad_bytes_are_survived() {
        let mut lines = Lines::default();
        let (sorted, notes) = sort_all(
            &mut lines,
            [b"\xef\xbb\xbf {\"a\":1}".as_slice(), b"{\"a\":\"\xff\"}"],
        );
        assert_eq!(sorted[0], Line::Message("{\"a\":1}".into()));
        assert_eq!(sorted[1], Line::Message("{\"a\":\"\u{fffd}\"}".into()));
        assert_eq!(notes.len(), 1);
        for bad in [
            b"a\xffb\xf0\x9f".as_slice(),
            b"\xff\xff",
            "台".as_bytes(),
            b"",
            b"ok",
        ] {
            assert_eq!(replaced(bad), String::from_utf8_lossy(bad));
        }
    }
}
