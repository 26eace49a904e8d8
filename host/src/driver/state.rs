//! What the host keeps beside one component instance: its bounds, its budget, its last words.

use std::sync::Arc;

use groupx_driver_abi::{log, types};
use wasmtime::ResourceLimiter;

use super::cpu_clock::{self, Budget};
use super::limits;
use std::time::Duration;

/// Why the host stopped a call, known before the trap surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The budget was used up.
    Deadline(Duration),
    /// Memory would have grown to this many bytes.
    Memory(usize),
}

/// The data of a store.
pub(super) struct State {
    driver: Arc<str>,
    session: String,
    budget: Budget,
    stop: Option<Stop>,
    stderr: Vec<u8>,
    log_lines_left: u32,
}

impl State {
    pub(super) fn new(driver: Arc<str>) -> Self {
        State {
            driver,
            session: String::new(),
            budget: Budget::new(limits::CPU_PER_CALL, limits::WALL_PER_CALL),
            stop: None,
            stderr: Vec::new(),
            log_lines_left: limits::LOG_LINES_PER_CALL,
        }
    }

    /// Log lines carry this session's id from now on.
    pub(super) fn belongs_to(&mut self, session: &str) {
        session.clone_into(&mut self.session);
    }

    /// A call begins: a fresh budget, nothing said yet.
    pub(super) fn begin_call(&mut self, budget: Budget) {
        self.budget = budget;
        self.stop = None;
        self.stderr.clear();
        self.log_lines_left = limits::LOG_LINES_PER_CALL;
    }

    /// Asked at every tick of a running call: must it stop?
    pub(super) fn out_of_time(&mut self) -> bool {
        let Some(spent) = self.budget.overrun(cpu_clock::now()) else {
            return false;
        };
        self.stop = Some(Stop::Deadline(spent));
        true
    }

    pub(super) fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// Bytes that the component wrote to stdout or stderr; only the last are kept.
    pub(super) fn hear(&mut self, bytes: &[u8]) {
        let keep = limits::STDERR_BYTES;
        self.stderr
            .extend_from_slice(&bytes[bytes.len().saturating_sub(keep)..]);
        let surplus = self.stderr.len().saturating_sub(keep);
        self.stderr.drain(..surplus);
    }

    /// What it wrote in this call, on one line.
    pub(super) fn last_words(&self) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        let lines = text.lines().map(str::trim).filter(|line| {
            // Of a panic, the text and its place matter; the advice about backtraces cannot be
            // followed where there is no environment.
            !line.is_empty() && !line.starts_with("note: run with `RUST_BACKTRACE")
        });
        lines.collect::<Vec<_>>().join(" ")
    }
}

impl ResourceLimiter for State {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if desired <= limits::MEMORY {
            return Ok(true);
        }
        // An error traps. Saying no would leave it to the component's allocator, whose failure
        // reads like any other crash.
        self.stop = Some(Stop::Memory(desired));
        Err(wasmtime::Error::msg("memory limit"))
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= limits::TABLE_ELEMENTS)
    }
}

impl types::Host for State {}

impl log::Host for State {
    fn log(&mut self, level: types::Level, mut message: String) {
        if level == types::Level::Error {
            // Drivers that were built with the SDK say their panics here.
            self.hear(message.as_bytes());
            self.hear(b"\n");
        }
        let Some(left) = self.log_lines_left.checked_sub(1) else {
            return;
        };
        self.log_lines_left = left;
        message.truncate(message.floor_char_boundary(limits::LOG_BYTES));
        let (driver, session) = (&*self.driver, &*self.session);
        match level {
            types::Level::Debug => tracing::debug!(driver, session, "{message}"),
            types::Level::Info => tracing::info!(driver, session, "{message}"),
            types::Level::Warn => tracing::warn!(driver, session, "{message}"),
            types::Level::Error => tracing::error!(driver, session, "{message}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_words_are_kept_and_read_as_one_line() {
        let mut state = State::new("x".into());
        state.hear(&vec![b'.'; 3 * limits::STDERR_BYTES]);
        state.hear(b"\nthread panicked at src/lib.rs:1:2:\nno such item\nnote: run with `RUST_BACKTRACE=1`\n");
        let said = state.last_words();
        assert!(
            said.ends_with("thread panicked at src/lib.rs:1:2: no such item"),
            "{said}"
        );
        assert!(said.len() <= limits::STDERR_BYTES);
    }
}
