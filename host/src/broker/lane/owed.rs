//! What a lane owes the store: the end of a Turn that could not be written yet, a queue that has
//! to fail. It is paid before anything new is begun, and asked again in a moment while the store
//! refuses, so that the lane stays open for orders.

use std::time::Duration;

use tokio::time::Instant;

use super::Lane;
use super::active::ActiveTurn;
use crate::broker::turn::End;
use crate::protocol::body::Ending as EndingBody;
use crate::protocol::{ErrorCode, EventBody, Seq, TurnStatus};
use crate::store::{Ending, StoreFault};

/// How long a store that refuses is left alone.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// An end that is not written yet.
pub(super) struct OwedEnd {
    pub(super) ending: Ending,
    pub(super) turn: ActiveTurn,
}

/// A round of starts that gave no session. It fails what waited for it, and nothing that was said
/// later: that is what a new round is for.
#[derive(Debug, Clone)]
pub(super) struct FailedRound {
    pub(super) code: ErrorCode,
    pub(super) message: String,
    /// The end of the log when it failed.
    pub(super) through: Seq,
}

impl Lane {
    pub(super) fn owe(&mut self, end: OwedEnd) {
        self.owed = Some(end);
    }

    /// Pays what is owed; false while something still is.
    pub(super) async fn pay(&mut self) -> bool {
        if self.owed.is_some() && !self.pay_end().await {
            return false;
        }
        let Some(round) = self.failed_round.clone() else {
            return true;
        };
        if let Err(fault) = self.fail_waiting(&round).await {
            self.ask_again(&fault);
            return false;
        }
        self.failed_round = None;
        true
    }

    /// Writes the owed end; false while the store refuses.
    pub(super) async fn pay_end(&mut self) -> bool {
        let Some(OwedEnd { ending, mut turn }) = self.owed.take() else {
            return true;
        };
        match self.room.store.end_turn(ending.clone()).await {
            Ok(written) => {
                if !written {
                    tracing::error!(agent = %self.member.agent, turn = %ending.turn_id, "Turn ended twice");
                }
                self.room.board.count_active(-1);
                turn.answer_cancels(ending.status);
                self.may_have_work = true;
                true
            }
            Err(fault) => {
                self.owed = Some(OwedEnd { ending, turn });
                self.ask_again(&fault);
                false
            }
        }
    }

    async fn fail_waiting(&mut self, round: &FailedRound) -> Result<(), StoreFault> {
        let target = &self.member.actor;
        while let Some(row) = self.room.store.next_queued(target.clone()).await? {
            if row.enqueue_seq > round.through {
                break;
            }
            let body = EndingBody {
                error_code: Some(round.code),
                message: Some(round.message.clone()),
                ..EndingBody::of(row.turn_id.clone(), TurnStatus::Failed)
            };
            let ending =
                self.ending_of_waiting(&row, End::Failed, EventBody::Ended(body), Some(round.code));
            self.room.store.end_queued(ending).await?;
            self.room.board.count_queued(-1);
        }
        Ok(())
    }

    /// A store that refuses is asked again in a moment, not at once.
    pub(super) fn ask_again(&mut self, fault: &StoreFault) {
        tracing::warn!(agent = %self.member.agent, %fault, "the store refuses; it is asked again");
        self.retry_at = Some(Instant::now() + ASK_AGAIN);
        self.may_have_work = true;
    }
}
