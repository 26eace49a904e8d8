//! The Turn that a lane works on.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::broker::scribe::Scribe;
use crate::broker::transcript::Transcript;
use crate::broker::turn::TurnState;
use crate::protocol::body::RefusedInteraction;
use crate::protocol::reply::CancelAnswer;
use crate::protocol::{Fault, Seq, TurnId, TurnStatus};

type CancelWaiter = oneshot::Sender<Result<CancelAnswer, Fault>>;

/// See the module.
pub(super) struct ActiveTurn {
    pub(super) state: TurnState,
    pub(super) scribe: Scribe,
    pub(super) transcript: Transcript,
    /// The agent has seen the room up to here once this Turn is delivered.
    pub(super) through: Seq,
    /// Whether `turn.started` is written.
    pub(super) started: bool,
    /// The native request that was refused in this Turn: it fails whatever the CLI says later.
    pub(super) refused: Option<RefusedInteraction>,
    cancels: Vec<(CancelWaiter, Instant)>,
}

impl ActiveTurn {
    pub(super) fn new(state: TurnState, scribe: Scribe, through: Seq) -> Self {
        Self {
            state,
            scribe,
            transcript: Transcript::default(),
            through,
            started: false,
            refused: None,
            cancels: Vec::new(),
        }
    }

    pub(super) fn id(&self) -> &TurnId {
        &self.scribe.turn_id
    }

    /// Somebody waits for the cancel to be settled, but not longer than `wait`.
    pub(super) fn wait_for_cancel(&mut self, waiter: CancelWaiter, wait: Duration) {
        self.cancels.push((waiter, Instant::now() + wait));
    }

    pub(super) fn cancel_answer_due(&self) -> Option<Instant> {
        self.cancels.iter().map(|(_, at)| *at).min()
    }

    /// Tells those who waited long enough that the cancel is still under way.
    pub(super) fn answer_cancels_if_due(&mut self, now: Instant) {
        let waiting = std::mem::take(&mut self.cancels);
        for (waiter, at) in waiting {
            if at <= now {
                answer(waiter, self.id(), TurnStatus::Cancelling);
            } else {
                self.cancels.push((waiter, at));
            }
        }
    }

    /// Tells everyone how it ended.
    pub(super) fn answer_cancels(&mut self, status: TurnStatus) {
        for (waiter, _) in std::mem::take(&mut self.cancels) {
            answer(waiter, self.id(), status);
        }
    }
}

fn answer(waiter: CancelWaiter, turn: &TurnId, status: TurnStatus) {
    // Whoever asked may have gone; the cancel stands all the same.
    let _ = waiter.send(Ok(CancelAnswer {
        turn_id: turn.clone(),
        accepted: true,
        status,
    }));
}
