//! A Turn on its way to its agent. **Each step is written before its effect** (protocol 2.1): the
//! claim before the packet, `prompt_invoked` before the first prompt byte.

use rusqlite::{OptionalExtension, params};

use super::events;
use super::fault::StoreFault;
use super::open::Store;
use super::rows::{self, TURN_COLUMNS, TurnRow};
use super::writer::{Batch, Safety};
use crate::protocol::{
    ActorId, AttemptId, BindingId, Envelope, InstanceId, Seq, Timestamp, TurnId, TurnStatus,
};

/// A lane that takes its next Turn.
pub struct Claim {
    /// Whose lane.
    pub target: ActorId,
    /// The attempt to open.
    pub attempt_id: AttemptId,
    /// The session that will get the prompt.
    pub binding: BindingId,
    /// Its process.
    pub instance: InstanceId,
    /// When.
    pub at: Timestamp,
    /// Makes the `turn.dispatched` event for the Turn found.
    pub dispatched: Box<dyn FnOnce(&TurnRow) -> Envelope + Send>,
}

/// What the lane found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimed {
    /// The oldest Turn that waits, now dispatching.
    Turn(TurnRow),
    /// Nothing waits.
    Nothing,
}

impl Store {
    /// The oldest queued Turn of an agent, without touching it.
    pub async fn next_queued(&self, target: ActorId) -> Result<Option<TurnRow>, StoreFault> {
        self.readers
            .read(move |tx| oldest_queued(tx, &target))
            .await
    }

    /// Claims the oldest queued Turn. Only evidence: it rides with the flush of `prompt_invoked`.
    pub async fn claim(&self, claim: Claim) -> Result<Claimed, StoreFault> {
        self.writer
            .write(Safety::Evidence, move |batch| take(batch, claim))
            .await
    }

    /// Writes that the prompt is about to leave us: `prompt_invoked` and `unknown`, on the disk.
    /// False when the Turn is not dispatching any more (a cancel came first).
    pub async fn prompt_invoked(
        &self,
        turn: TurnId,
        attempt: AttemptId,
        context_through: Seq,
        at: Timestamp,
    ) -> Result<bool, StoreFault> {
        self.writer
            .write(Safety::Promise, move |batch| {
                let changed = batch.connection.prepare_cached(
                    "UPDATE turn_attempts SET dispatch_phase = 'prompt_invoked', delivery_certainty = 'unknown',
                        context_through_seq = ?3, prompt_invoked_at = ?4
                     WHERE attempt_id = ?2 AND dispatch_phase = 'prepared' AND EXISTS
                        (SELECT 1 FROM turns WHERE turn_id = ?1 AND status = 'dispatching')",
                )?.execute(params![turn.as_str(), attempt.as_str(), context_through, at.0])?;
                batch.connection.prepare_cached(
                    "UPDATE session_bindings SET prompted = 1 WHERE prompted = 0 AND binding_id =
                        (SELECT binding_id FROM turn_attempts WHERE attempt_id = ?1)",
                )?.execute([attempt.as_str()])?;
                Ok(changed == 1)
            })
            .await
    }

    /// Writes that the agent works on the prompt, with the `turn.started` event.
    pub async fn started(
        &self,
        attempt: AttemptId,
        native_turn_id: Option<String>,
        started: Envelope,
    ) -> Result<(), StoreFault> {
        self.writer
            .write(Safety::Evidence, move |batch| {
                start(batch, &attempt, native_turn_id.as_deref(), true, &started)
            })
            .await
    }

    /// Writes the intent to cancel a Turn that is on its way; gives where it stands now.
    pub async fn cancelling(&self, turn: TurnId) -> Result<Option<TurnStatus>, StoreFault> {
        self.writer
            .write(Safety::Promise, move |batch| {
                let sql = "UPDATE turns SET status = 'cancelling'
                           WHERE turn_id = ?1 AND status IN ('dispatching', 'running')";
                batch
                    .connection
                    .prepare_cached(sql)?
                    .execute([turn.as_str()])?;
                Ok(rows::turn_by_id(batch.connection, &turn)?.map(|row| row.status))
            })
            .await
    }
}

fn oldest_queued(
    connection: &rusqlite::Connection,
    target: &ActorId,
) -> Result<Option<TurnRow>, StoreFault> {
    // The status list is the one of the partial index `turns_open`, so that it is used.
    let sql = format!(
        "SELECT {TURN_COLUMNS} FROM turns WHERE target_actor_id = ?1
         AND status IN ('queued', 'dispatching', 'running', 'cancelling') AND status = 'queued'
         ORDER BY enqueue_seq LIMIT 1"
    );
    Ok(connection
        .prepare_cached(&sql)?
        .query_row([target.as_str()], rows::turn)
        .optional()?)
}

fn take(batch: &mut Batch<'_>, claim: Claim) -> Result<Claimed, StoreFault> {
    let Some(mut turn) = oldest_queued(batch.connection, &claim.target)? else {
        return Ok(Claimed::Nothing);
    };
    let id = turn.turn_id.as_str();
    batch
        .connection
        .prepare_cached(
            "UPDATE turns SET status = 'dispatching' WHERE turn_id = ?1 AND status = 'queued'",
        )?
        .execute([id])?;
    batch
        .connection
        .prepare_cached(
            "INSERT INTO turn_attempts (attempt_id, turn_id, binding_id, instance_id, dispatch_phase,
                delivery_certainty, claimed_at)
             VALUES (?1, ?2, ?3, ?4, 'prepared', 'not_delivered', ?5)",
        )?
        .execute(params![
            claim.attempt_id.as_str(),
            id,
            claim.binding.as_str(),
            claim.instance.as_str(),
            claim.at.0
        ])?;
    let dispatched = (claim.dispatched)(&turn);
    events::append(batch, &dispatched, Some(id))?;
    turn.status = TurnStatus::Dispatching;
    Ok(Claimed::Turn(turn))
}

/// Appends `turn.started` and lets the Turn run, unless a cancel is already under way; `delivered`
/// tells whether the agent itself showed that it has the prompt.
pub(super) fn start(
    batch: &mut Batch<'_>,
    attempt: &AttemptId,
    native_turn_id: Option<&str>,
    delivered: bool,
    started: &Envelope,
) -> Result<(), StoreFault> {
    if delivered {
        deliver(batch, attempt, native_turn_id, started)?;
    }
    let turn: String = batch
        .connection
        .prepare_cached("SELECT turn_id FROM turn_attempts WHERE attempt_id = ?1")?
        .query_row([attempt.as_str()], |row| row.get(0))?;
    batch
        .connection
        .prepare_cached(
            "UPDATE turns SET started_at = ?2, status = CASE status WHEN 'dispatching' THEN 'running' ELSE status END
             WHERE turn_id = ?1",
        )?
        .execute(params![turn, started.occurred_at.0])?;
    events::append(batch, started, Some(&turn))?;
    Ok(())
}

fn deliver(
    batch: &mut Batch<'_>,
    attempt: &AttemptId,
    native_turn_id: Option<&str>,
    started: &Envelope,
) -> Result<(), StoreFault> {
    batch
        .connection
        .prepare_cached(
            "UPDATE turn_attempts SET dispatch_phase = 'native_started', delivery_certainty = 'delivered',
                native_turn_id = ?2, started_at = ?3
             WHERE attempt_id = ?1 AND dispatch_phase = 'prompt_invoked'",
        )?
        .execute(params![attempt.as_str(), native_turn_id, started.occurred_at.0])?;
    Ok(())
}
