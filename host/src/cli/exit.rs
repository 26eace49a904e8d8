//! How a verb ends, for the shell. `--help` lists these.

use std::process::ExitCode;

/// The end of a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// Done, or nothing was left to do.
    Done,
    /// Refused, failed or not understood; stderr says why.
    Failed,
    /// A second signal ended the room at once; the number is the signal's.
    Killed(u8),
}

impl Exit {
    /// The number that the shell sees.
    pub(super) fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Killed(signal) => 128_u8.saturating_add(signal),
        }
    }

    /// For `main`.
    pub(super) fn code(self) -> ExitCode {
        ExitCode::from(self.number())
    }
}
