//! Where an agent's session stands, with what it has there.

use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::protocol::body::Continuity;
use crate::protocol::{BindingId, InstanceId};
use crate::session::{SessionEvent, SessionFacts, SessionLink};

/// One round of attempts to get a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plan {
    /// From 1.
    pub(super) attempt: u32,
    /// The native session to go on with.
    pub(super) resume: Option<String>,
    /// New, resumed, or new because the old one is lost.
    pub(super) continuity: Continuity,
    /// The native session that could not be gone on with; forgotten once a fresh one works.
    pub(super) lost: Option<String>,
}

/// Attempts in one round.
pub(super) const ATTEMPTS: u32 = 3;

impl Plan {
    pub(super) fn resuming(native_session_id: String) -> Self {
        Self {
            attempt: 1,
            resume: Some(native_session_id),
            continuity: Continuity::Resume,
            lost: None,
        }
    }

    pub(super) fn fresh() -> Self {
        Self {
            attempt: 1,
            resume: None,
            continuity: Continuity::NewSession,
            lost: None,
        }
    }

    pub(super) fn fresh_after_loss(lost: String) -> Self {
        Self {
            attempt: 1,
            resume: None,
            continuity: Continuity::NewSessionAfterResumeFailure,
            lost: Some(lost),
        }
    }

    /// The plan for the next attempt of the same round, if there is one.
    pub(super) fn again(&self) -> Option<Self> {
        (self.attempt < ATTEMPTS).then(|| Self {
            attempt: self.attempt + 1,
            ..self.clone()
        })
    }
}

/// A session under way and what the store and the doors know it by.
#[derive(Debug)]
pub(super) struct Seated {
    pub(super) link: SessionLink,
    pub(super) instance: InstanceId,
    pub(super) binding: BindingId,
    /// The header value that its tool calls carry.
    pub(super) secret: String,
}

/// See the module.
#[derive(Debug)]
pub(super) enum Seat {
    /// No session, and none is being started.
    Down,
    /// The next attempt waits.
    Waiting { until: Instant, plan: Plan },
    /// A session is being started.
    Starting { seated: Seated, plan: Plan },
    /// Prompts are taken.
    Ready(Box<Ready>),
    /// The session was told to end; afterwards another is started, or not.
    Leaving { seated: Seated, then_start: bool },
}

/// A session that takes prompts.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) seated: Seated,
    pub(super) facts: SessionFacts,
    /// The driver wants no prompt now.
    pub(super) hold: bool,
    /// The agent knows nothing of the room yet: its context is new or lost.
    pub(super) blank: bool,
    /// It has ended a Turn.
    pub(super) worked: bool,
    /// When pending tools count as missing.
    pub(super) tools_due: Option<Instant>,
}

impl Seat {
    pub(super) fn seated(&self) -> Option<&Seated> {
        match self {
            Self::Starting { seated, .. } | Self::Leaving { seated, .. } => Some(seated),
            Self::Ready(ready) => Some(&ready.seated),
            Self::Down | Self::Waiting { .. } => None,
        }
    }

    pub(super) fn ready(&self) -> Option<&Ready> {
        match self {
            Self::Ready(ready) => Some(ready),
            _ => None,
        }
    }

    fn receiver(&mut self) -> Option<&mut mpsc::Receiver<Vec<SessionEvent>>> {
        match self {
            Self::Starting { seated, .. } | Self::Leaving { seated, .. } => {
                Some(&mut seated.link.events)
            }
            Self::Ready(ready) => Some(&mut ready.seated.link.events),
            Self::Down | Self::Waiting { .. } => None,
        }
    }

    /// The session's next batch; waits for ever where there is no session.
    pub(super) async fn events(&mut self) -> Option<Vec<SessionEvent>> {
        match self.receiver() {
            Some(events) => events.recv().await,
            None => std::future::pending().await,
        }
    }

    /// When something is to be done about the session.
    pub(super) fn due(&self) -> Option<Instant> {
        match self {
            Self::Waiting { until, .. } => Some(*until),
            Self::Ready(ready) => ready.tools_due,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_has_three_attempts_of_the_same_kind() {
        let first = Plan::resuming("native".into());
        let last = first.again().unwrap().again().unwrap();
        assert_eq!((last.attempt, last.resume.as_deref()), (3, Some("native")));
        assert_eq!(last.again(), None);
        assert_eq!(
            Plan::fresh_after_loss("native".into()).continuity,
            Continuity::NewSessionAfterResumeFailure
        );
    }
}
