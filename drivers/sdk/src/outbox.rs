//! Where a driver puts what it wants done. Order is meaning: the host acts on it from first to last.

use crate::{Diagnostic, Failure, Level, Output, Timer, text};

/// A diagnostic is a line in a pane, not a dump.
const MESSAGE_BYTES: usize = 1_000;

/// The outputs of one step, in the making.
#[derive(Debug, Default)]
pub struct Outbox {
    outputs: Vec<Output>,
}

impl Outbox {
    /// Any output.
    pub fn push(&mut self, output: Output) {
        self.outputs.push(output);
    }

    /// Bytes for the agent's stdin, terminator included.
    pub fn write(&mut self, bytes: Vec<u8>) {
        self.push(Output::WriteStdin(bytes));
    }

    /// The session is unusable.
    pub fn session_failed(&mut self, failure: Failure) {
        self.push(Output::SessionFailed(failure));
    }

    /// (Re)arm the timer `name`; `after` is in milliseconds.
    pub fn set_timer(&mut self, name: &str, after: u64) {
        self.push(Output::SetTimer(Timer {
            name: name.to_owned(),
            after,
        }));
    }

    /// Disarm the timer `name`; it does no harm if none is armed.
    pub fn clear_timer(&mut self, name: &str) {
        self.push(Output::ClearTimer(name.to_owned()));
    }

    /// A line for the diagnostics pane. `code` is stable, `message` is for people and is clipped.
    pub fn diagnostic(&mut self, level: Level, code: &str, message: &str) {
        self.push(Output::Diagnostic(Diagnostic {
            level,
            code: code.to_owned(),
            message: text::clip(message, MESSAGE_BYTES).into_owned(),
            native: None,
        }));
    }

    /// The agent said something this driver does not know: never an error, always carried.
    /// `native` is JSON and already bounded ([`crate::json::bounded`]).
    pub fn unknown_event(&mut self, name: &str, native: Option<String>) {
        self.push(Output::Diagnostic(Diagnostic {
            level: Level::Debug,
            code: "unknown-event".to_owned(),
            message: text::clip(name, MESSAGE_BYTES).into_owned(),
            native,
        }));
    }

    pub(crate) fn into_outputs(self) -> Vec<Output> {
        self.outputs
    }
}
