//! What went wrong with a session, as the lane keeps it.

use crate::protocol::ErrorCode;
use crate::session::EndCause;

/// See the module. Only `message` may stand in an event; what a process said on stderr may hold
/// anything, and goes into the agent's own notice alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) code: ErrorCode,
    pub(super) message: String,
    /// Whether another attempt may help.
    pub(super) retry: bool,
    last_words: Option<String>,
}

impl Trouble {
    /// A session that ended before it was ready.
    pub(super) fn of_start(cause: EndCause) -> Self {
        match cause {
            EndCause::Failed {
                code,
                message,
                retry,
                last_words,
            } => Self {
                code,
                message,
                retry,
                last_words,
            },
            EndCause::Exited {
                message,
                last_words,
            } => Self {
                code: ErrorCode::AdapterStartFailed,
                message,
                retry: true,
                last_words,
            },
            EndCause::Closed | EndCause::Replace => {
                Self::plain("Its session ended while starting.")
            }
        }
    }

    /// A session that ended after it was ready; `None` when nothing is wrong. A process that wants
    /// to be replaced before it did any work would do so for ever.
    pub(super) fn of_ready(cause: EndCause, worked: bool) -> Option<Self> {
        match cause {
            EndCause::Closed => None,
            EndCause::Replace if worked => None,
            EndCause::Replace => Some(Self::plain(
                "It wanted a new process before it did any work.",
            )),
            EndCause::Exited {
                message,
                last_words,
            } => Some(Self {
                code: ErrorCode::SessionNotAvailable,
                message,
                retry: true,
                last_words,
            }),
            failed @ EndCause::Failed { .. } => Some(Self::of_start(failed)),
        }
    }

    /// The message and what the process last said, for the agent's notice.
    pub(super) fn with_last_words(&self) -> String {
        match &self.last_words {
            Some(words) => format!("{} It last said: {words}", self.message),
            None => self.message.clone(),
        }
    }

    fn plain(message: &str) -> Self {
        Self {
            code: ErrorCode::SessionNotAvailable,
            message: message.to_owned(),
            retry: true,
            last_words: None,
        }
    }
}
