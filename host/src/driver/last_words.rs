//! What a component wrote in the current call: to stdout, to stderr, or as an error to its log.
//!
//! It owns the bound on that text and the one line that is made of it. It refuses to know what the
//! text is for; a crash quotes it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::async_trait;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

use super::limits;

/// Bytes that one write to a stream may bring, as in other hosts.
const WRITE_BYTES: usize = 4096;

/// A stream that never blocks, never fails and never ends. Only the last bytes are kept: the pipes
/// of `wasmtime-wasi` keep the first ones and then close, on which a driver's next `println!`
/// would panic. Clones are the same stream.
#[derive(Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<Vec<u8>>>);

impl LastWords {
    pub(super) fn hear(&self, bytes: &[u8]) {
        let keep = limits::STDERR_BYTES;
        let mut heard = self.heard();
        heard.extend_from_slice(&bytes[bytes.len().saturating_sub(keep)..]);
        let surplus = heard.len().saturating_sub(keep);
        heard.drain(..surplus);
    }

    /// A new call begins: nothing was said yet.
    pub(super) fn forget(&self) {
        self.heard().clear();
    }

    /// Everything on one line; empty when nothing was said.
    pub(super) fn on_one_line(&self) -> String {
        let heard = self.heard();
        let text = String::from_utf8_lossy(&heard);
        let lines = text.lines().map(str::trim).filter(|line| {
            // Of a panic, the text and its place matter; the advice about backtraces cannot be
            // followed where there is no environment.
            !line.is_empty() && !line.starts_with("note: run with `RUST_BACKTRACE")
        });
        lines.collect::<Vec<_>>().join(" ")
    }

    fn heard(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutputStream for LastWords {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.hear(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(WRITE_BYTES)
    }
}

#[async_trait]
impl Pollable for LastWords {
    async fn ready(&mut self) {}
}

impl IsTerminal for LastWords {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for LastWords {
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }

    // Only WASI 0.3 asks for this one, and drivers do not get it.
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(tokio::io::sink())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_words_are_kept_and_read_as_one_line() {
        let words = LastWords::default();
        words.hear(&vec![b'.'; 3 * limits::STDERR_BYTES]);
        words.hear(b"\nthread panicked at src/lib.rs:1:2:\nno such item\nnote: run with `RUST_BACKTRACE=1`\n");
        let said = words.on_one_line();
        assert!(
            said.ends_with("thread panicked at src/lib.rs:1:2: no such item"),
            "{said}"
        );
        assert!(said.len() <= limits::STDERR_BYTES);
    }

    #[test]
    fn each_call_starts_with_nothing_said() {
        let words = LastWords::default();
        words.clone().hear(b"before");
        words.forget();
        assert_eq!(words.on_one_line(), "");
    }
}
