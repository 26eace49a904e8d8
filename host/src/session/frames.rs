//! Cuts a byte stream into lines, in linear time and bounded memory whatever the chunking.

use std::mem;

/// How much of the head and of the tail of a dropped line is kept.
const KEPT: usize = 4 * 1024;

/// One line of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// Without its LF or CRLF; never empty.
    Whole(Vec<u8>),
    /// Longer than allowed; only its ends were kept.
    Oversized {
        /// Its length.
        bytes: u64,
        /// Its beginning.
        head: Vec<u8>,
        /// Its end.
        tail: Vec<u8>,
    },
}

/// The cutter. Feed it, and it calls back with each line in order.
pub(super) struct Framer {
    most: usize,
    line: Vec<u8>,
    dropped: Option<Dropped>,
    first: bool,
}

struct Dropped {
    bytes: u64,
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Framer {
    /// Lines of at most `most` bytes pass whole.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            line: Vec::new(),
            dropped: None,
            first: true,
        }
    }

    /// Takes the next bytes of the stream.
    pub(super) fn feed(&mut self, mut bytes: &[u8], mut give: impl FnMut(Line)) {
        while let Some(end) = bytes.iter().position(|b| *b == b'\n') {
            self.take(&bytes[..end]);
            self.cut(&mut give);
            bytes = &bytes[end + 1..];
        }
        self.take(bytes);
    }

    /// The stream is over: a last line without its LF counts.
    pub(super) fn finish(&mut self, mut give: impl FnMut(Line)) {
        self.cut(&mut give);
    }

    fn take(&mut self, bytes: &[u8]) {
        if let Some(dropped) = &mut self.dropped {
            dropped.take(bytes);
        } else if self.line.len() + bytes.len() > self.most + 1 {
            let line = mem::take(&mut self.line);
            let mut dropped = Dropped {
                bytes: 0,
                head: Vec::new(),
                tail: Vec::new(),
            };
            dropped.take(&line);
            dropped.take(bytes);
            self.dropped = Some(dropped);
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn cut(&mut self, give: &mut impl FnMut(Line)) {
        if let Some(Dropped { bytes, head, tail }) = self.dropped.take() {
            give(Line::Oversized { bytes, head, tail });
            return;
        }
        let mut line = mem::take(&mut self.line);
        if mem::take(&mut self.first) && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if !line.is_empty() {
            give(Line::Whole(line));
        }
    }
}

impl Dropped {
    fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let room = KEPT.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        let last = &bytes[bytes.len().saturating_sub(KEPT)..];
        self.tail.extend_from_slice(last);
        let surplus = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(stream: &[u8], chunk: usize, most: usize) -> Vec<Line> {
        let mut framer = Framer::new(most);
        let mut lines = Vec::new();
        for part in stream.chunks(chunk) {
            framer.feed(part, |line| lines.push(line));
        }
        framer.finish(|line| lines.push(line));
        lines
    }

    #[test]
    fn drv_08_lines_are_the_same_however_the_bytes_were_cut() {
        let stream = "\u{feff}{\"a\":\"台😀\"}\r\n\n\r\nnoise \u{1b}[0m\n{\"last\":1}".as_bytes();
        let whole = cut(stream, stream.len(), 64);
        assert_eq!(whole.len(), 3);
        assert_eq!(
            whole[0],
            Line::Whole("{\"a\":\"台😀\"}".as_bytes().to_vec())
        );
        assert_eq!(whole[2], Line::Whole(b"{\"last\":1}".to_vec()));
        for chunk in 1..stream.len() {
            assert_eq!(cut(stream, chunk, 64), whole, "chunks of {chunk}");
        }
    }

    #[test]
    fn drv_08_an_endless_line_is_dropped_in_order_with_bounded_memory() {
        let mut stream = b"one\n".to_vec();
        stream.extend(std::iter::repeat_n(b'x', 20_000));
        stream.extend_from_slice(b"END\ntwo\n");
        for chunk in [1, 7, 4096, 30_000] {
            let lines = cut(&stream, chunk, 8_000);
            let Line::Oversized { bytes, head, tail } = &lines[1] else {
                panic!("{lines:?}")
            };
            assert_eq!((*bytes, head.len(), tail.len()), (20_003, KEPT, KEPT));
            assert!(tail.ends_with(b"xEND"));
            assert_eq!(
                (&lines[0], &lines[2]),
                (&Line::Whole(b"one".to_vec()), &Line::Whole(b"two".to_vec()))
            );
        }
    }

    #[test]
    fn a_line_of_exactly_the_limit_passes() {
        assert_eq!(
            cut(b"12345678\n", 3, 8),
            [Line::Whole(b"12345678".to_vec())]
        );
        assert!(matches!(
            cut(b"1234567890\n", 3, 8)[0],
            Line::Oversized { bytes: 10, .. }
        ));
    }
}
