//! The end of a Turn: reasoning, tools, answer, terminal event, Turn, attempt and delivery cursor
//! in one transaction, in this order, exactly once (TURN-05).

use rusqlite::params;

use super::attempts;
use super::events;
use super::fault::StoreFault;
use super::open::Store;
use super::rows;
use super::writer::{Batch, Safety};
use crate::protocol::{
    ActorId, AttemptId, Envelope, ErrorCode, Seq, Timestamp, TurnId, TurnStatus,
};

/// One tool record with its original time inside.
pub type ToolRecord = Envelope;

/// Everything that ends a Turn.
#[derive(Debug, Clone)]
pub struct Ending {
    /// The Turn.
    pub turn_id: TurnId,
    /// The open attempt, if the Turn was ever claimed.
    pub attempt: Option<AttemptId>,
    /// `turn.started`, where the prompt was handed over and nothing announced it yet (TURN-14).
    pub started: Option<Envelope>,
    /// Whether the agent itself showed that it has the prompt.
    pub delivered: bool,
    /// The reasoning record.
    pub reasoning: Option<Envelope>,
    /// The tool records in order.
    pub tools: Vec<ToolRecord>,
    /// The answer, for a completed Turn.
    pub response: Option<Envelope>,
    /// The terminal event.
    pub terminal: Envelope,
    /// How it ends.
    pub status: TurnStatus,
    /// Why, for everything but a completed Turn.
    pub error_code: Option<ErrorCode>,
    /// What was streamed of an answer that is none.
    pub partial_text: Option<String>,
    /// The agent has seen the room up to here.
    pub delivered_through: Option<(ActorId, Seq)>,
}

impl Store {
    /// Ends a Turn. False when it was over already: then nothing is written.
    pub async fn end_turn(&self, ending: Ending) -> Result<bool, StoreFault> {
        self.writer
            .write(Safety::Promise, move |batch| end(batch, &ending))
            .await
    }

    /// Ends a Turn only if it still waits in its lane; gives where it stands otherwise.
    pub async fn end_queued(&self, ending: Ending) -> Result<Option<TurnStatus>, StoreFault> {
        self.writer
            .write(Safety::Promise, move |batch| {
                let row = rows::turn_by_id(batch.connection, &ending.turn_id)?;
                match row.map(|row| row.status) {
                    Some(TurnStatus::Queued) => {
                        end(batch, &ending)?;
                        Ok(Some(ending.status))
                    }
                    other => Ok(other),
                }
            })
            .await
    }
}

pub(super) fn end(batch: &mut Batch<'_>, ending: &Ending) -> Result<bool, StoreFault> {
    let turn = ending.turn_id.as_str();
    let open = rows::turn_by_id(batch.connection, &ending.turn_id)?
        .is_some_and(|row| !row.status.is_terminal());
    if !open {
        return Ok(false);
    }
    if let (Some(started), Some(attempt)) = (&ending.started, &ending.attempt) {
        attempts::start(batch, attempt, None, ending.delivered, started)?;
    }
    for event in ending
        .reasoning
        .iter()
        .chain(&ending.tools)
        .chain(&ending.response)
    {
        events::append(batch, event, Some(turn))?;
    }
    events::append(batch, &ending.terminal, Some(turn))?;
    let at = ending.terminal.occurred_at;
    batch
        .connection
        .prepare_cached(
            "UPDATE turns SET status = ?2, error_code = ?3, partial_text = ?4, response_event_id = ?5,
                terminal_event_id = ?6, terminal_at = ?7 WHERE turn_id = ?1",
        )?
        .execute(params![
            turn,
            ending.status.as_str(),
            ending.error_code.map(ErrorCode::as_str),
            ending.partial_text,
            ending.response.as_ref().map(|e| e.event_id.as_str()),
            ending.terminal.event_id.as_str(),
            at.0,
        ])?;
    close_attempt(batch, &ending.turn_id, at)?;
    if let Some((actor, seq)) = &ending.delivered_through {
        advance_cursor(batch, actor, *seq, at)?;
    }
    Ok(true)
}

pub(super) fn close_attempt(
    batch: &mut Batch<'_>,
    turn: &TurnId,
    at: Timestamp,
) -> Result<(), StoreFault> {
    let sql = "UPDATE turn_attempts SET dispatch_phase = 'terminal', terminal_at = ?2
               WHERE turn_id = ?1 AND terminal_at IS NULL";
    batch
        .connection
        .prepare_cached(sql)?
        .execute(params![turn.as_str(), at.0])?;
    Ok(())
}

fn advance_cursor(
    batch: &mut Batch<'_>,
    actor: &ActorId,
    seq: Seq,
    at: Timestamp,
) -> Result<(), StoreFault> {
    let sql = "INSERT INTO delivery_cursors (actor_id, last_delivered_seq, updated_at) VALUES (?1, ?2, ?3)
               ON CONFLICT (actor_id) DO UPDATE SET
                   last_delivered_seq = max(last_delivered_seq, excluded.last_delivered_seq),
                   updated_at = excluded.updated_at";
    batch
        .connection
        .prepare_cached(sql)?
        .execute(params![actor.as_str(), seq, at.0])?;
    Ok(())
}
