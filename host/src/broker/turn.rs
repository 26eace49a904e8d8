//! The Turn machine, pure: which state follows which (protocol section 5).
//!
//! **An attempt is written before its effect, and a terminal state never changes.** Every edge of
//! the protocol's table is here and no other; the store's triggers hold the last two of them again.

mod recovery;

use crate::protocol::{AttemptId, DeliveryCertainty, DispatchPhase, TurnStatus};

pub use recovery::{Found, Verdict, recover};

/// How far an attempt got; phase and certainty cannot disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Claimed; the prompt cannot have arrived.
    Prepared,
    /// The prompt may have left us.
    PromptInvoked,
    /// The agent showed that it has it.
    NativeStarted,
}

impl Reach {
    /// The phase that is stored.
    pub fn phase(self) -> DispatchPhase {
        match self {
            Self::Prepared => DispatchPhase::Prepared,
            Self::PromptInvoked => DispatchPhase::PromptInvoked,
            Self::NativeStarted => DispatchPhase::NativeStarted,
        }
    }

    /// The certainty that is stored.
    pub fn certainty(self) -> DeliveryCertainty {
        match self {
            Self::Prepared => DeliveryCertainty::NotDelivered,
            Self::PromptInvoked => DeliveryCertainty::Unknown,
            Self::NativeStarted => DeliveryCertainty::Delivered,
        }
    }
}

/// One try to get a Turn to its agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its id.
    pub id: AttemptId,
    /// How far it got.
    pub reach: Reach,
}

/// Where a Turn stands, with what it has there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnState {
    /// Waits in its lane.
    Queued,
    /// Claimed.
    Dispatching(Attempt),
    /// The agent works on it.
    Running(Attempt),
    /// A cancel is under way.
    Cancelling(Attempt),
    /// Over.
    Over(End),
}

/// The four ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With an answer.
    Completed,
    /// With a reason.
    Failed,
    /// Because somebody asked.
    Cancelled,
    /// Cut off.
    Interrupted,
}

impl End {
    /// The stored word.
    pub fn status(self) -> TurnStatus {
        match self {
            Self::Completed => TurnStatus::Completed,
            Self::Failed => TurnStatus::Failed,
            Self::Cancelled => TurnStatus::Cancelled,
            Self::Interrupted => TurnStatus::Interrupted,
        }
    }
}

/// What can happen to a Turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnInput {
    /// Its lane takes it.
    Claimed(AttemptId),
    /// The prompt is about to leave us.
    PromptInvoked,
    /// The agent shows that it works on it.
    NativeStarted,
    /// Somebody wants it stopped.
    CancelAsked,
    /// It ends.
    Ended(End),
}

/// An edge that the protocol does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a Turn that is {from} cannot take {input:?}")]
pub struct NoSuchEdge {
    /// Where it stands.
    pub from: &'static str,
    /// What came.
    pub input: TurnInput,
}

impl TurnState {
    /// The stored word.
    pub fn status(&self) -> TurnStatus {
        match self {
            Self::Queued => TurnStatus::Queued,
            Self::Dispatching(_) => TurnStatus::Dispatching,
            Self::Running(_) => TurnStatus::Running,
            Self::Cancelling(_) => TurnStatus::Cancelling,
            Self::Over(end) => end.status(),
        }
    }

    /// The attempt under way.
    pub fn attempt(&self) -> Option<&Attempt> {
        match self {
            Self::Dispatching(attempt) | Self::Running(attempt) | Self::Cancelling(attempt) => {
                Some(attempt)
            }
            Self::Queued | Self::Over(_) => None,
        }
    }

    /// The state after `input`.
    ///
    /// # Errors
    /// [`NoSuchEdge`]; the state stays what it was.
    pub fn step(&self, input: TurnInput) -> Result<Self, NoSuchEdge> {
        use TurnInput as In;
        let reached = |attempt: &Attempt, reach| Attempt {
            id: attempt.id.clone(),
            reach,
        };
        let next = match (self, &input) {
            (Self::Queued, In::Claimed(id)) => Self::Dispatching(Attempt {
                id: id.clone(),
                reach: Reach::Prepared,
            }),
            // An agent that never came: failed. A cancel before any claim: cancelled.
            (Self::Queued, In::Ended(end @ (End::Cancelled | End::Failed))) => Self::Over(*end),
            (Self::Dispatching(at), In::PromptInvoked) if at.reach == Reach::Prepared => {
                Self::Dispatching(reached(at, Reach::PromptInvoked))
            }
            (Self::Dispatching(at), In::NativeStarted) if at.reach == Reach::PromptInvoked => {
                Self::Running(reached(at, Reach::NativeStarted))
            }
            (Self::Dispatching(at) | Self::Running(at), In::CancelAsked) => {
                Self::Cancelling(at.clone())
            }
            (Self::Cancelling(at), In::NativeStarted) if at.reach == Reach::PromptInvoked => {
                Self::Cancelling(reached(at, Reach::NativeStarted))
            }
            (Self::Dispatching(_), In::Ended(end @ (End::Failed | End::Interrupted))) => {
                Self::Over(*end)
            }
            (Self::Running(_) | Self::Cancelling(_), In::Ended(end)) => Self::Over(*end),
            _ => {
                return Err(NoSuchEdge {
                    from: self.status().as_str(),
                    input,
                });
            }
        };
        Ok(next)
    }
}

#[cfg(test)]
mod tests;
