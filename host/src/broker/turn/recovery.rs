//! What becomes of a Turn that was not over when the last run ended (TURN-06, contract Ours 10, 23).

use crate::protocol::{DeliveryCertainty, DispatchPhase, ErrorCode, Transport, TurnStatus};

use super::End;

/// What the store says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Its status.
    pub status: TurnStatus,
    /// How it was meant to reach its agent.
    pub transport: Transport,
    /// Its open attempt.
    pub attempt: Option<(DispatchPhase, DeliveryCertainty)>,
    /// Whether its agent is still in the room.
    pub agent_enabled: bool,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It waits on.
    Keep,
    /// The prompt cannot have arrived: it waits again, at its old place.
    Requeue,
    /// It ends; a prompt that may have arrived is never sent again.
    End(End, Option<ErrorCode>),
}

/// The verdict. Children die with GroupX, so no native Turn is looked for.
pub fn recover(found: Found) -> Verdict {
    if found.status.is_terminal() {
        return Verdict::Keep;
    }
    let undelivered = match found.attempt {
        None => true,
        Some((phase, certainty)) => {
            phase == DispatchPhase::Prepared && certainty == DeliveryCertainty::NotDelivered
        }
    };
    match found.status {
        TurnStatus::Cancelling if undelivered => Verdict::End(End::Cancelled, None),
        _ if !undelivered => Verdict::End(End::Interrupted, Some(ErrorCode::TurnInterrupted)),
        _ if found.transport != Transport::Structured => {
            Verdict::End(End::Failed, Some(ErrorCode::TransportModeMismatch))
        }
        _ if !found.agent_enabled => {
            Verdict::End(End::Failed, Some(ErrorCode::SessionNotAvailable))
        }
        TurnStatus::Queued => Verdict::Keep,
        _ => Verdict::Requeue,
    }
}
