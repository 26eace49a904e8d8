//! Accepting a message: receipt, message, every `turn.queued` and every Turn, all or none (TURN-03).

use rusqlite::{Connection, params};

use super::commands::{self, NewCommand, Receipt};
use super::events;
use super::fault::StoreFault;
use super::open::Store;
use super::writer::{Batch, Safety};
use crate::protocol::{ActorId, Envelope, EventId, Seq, TurnId};

/// One Turn of a new message.
#[derive(Debug, Clone)]
pub struct NewTurn {
    /// Its id.
    pub turn_id: TurnId,
    /// Its agent.
    pub target: ActorId,
    /// The agent's key.
    pub adapter_id: String,
    /// Its `turn.queued` event.
    pub queued: Envelope,
}

/// A message that wants to be accepted.
#[derive(Debug, Clone)]
pub struct NewMessage {
    /// The command behind it.
    pub command: NewCommand,
    /// The message event.
    pub message: Envelope,
    /// One Turn per target.
    pub turns: Vec<NewTurn>,
    /// What the caller will be told, as JSON.
    pub answer: String,
    /// Most open Turns of one agent.
    pub queue_limit: u32,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acceptance {
    /// Stored now.
    Fresh {
        /// The message's place in the log.
        seq: Seq,
    },
    /// Stored before, by the same command: its answer.
    Replayed(String),
    /// The command's name stands for something else.
    Conflict,
    /// It answers or passes on an event that does not exist.
    UnknownEvent(EventId),
    /// This agent's lane is full.
    QueueFull(ActorId),
}

impl Store {
    /// Accepts a message, or says why not; a refusal writes nothing.
    pub async fn accept(&self, new: NewMessage) -> Result<Acceptance, StoreFault> {
        self.writer
            .write(Safety::Promise, move |batch| accept(batch, &new))
            .await
    }
}

fn accept(batch: &mut Batch<'_>, new: &NewMessage) -> Result<Acceptance, StoreFault> {
    match commands::find(batch.connection, &new.command)? {
        Receipt::New => {}
        Receipt::Done(answer) => return Ok(Acceptance::Replayed(answer)),
        Receipt::Conflict | Receipt::Unfinished => return Ok(Acceptance::Conflict),
    }
    let named = [
        &new.message.reply_to_event_id,
        &new.message.forwarded_event_id,
    ];
    for event in named.into_iter().flatten() {
        if events::by_id(batch.connection, event)?.is_none() {
            return Ok(Acceptance::UnknownEvent(event.clone()));
        }
    }
    for turn in &new.turns {
        if open_turns(batch.connection, &turn.target)? >= new.queue_limit {
            return Ok(Acceptance::QueueFull(turn.target.clone()));
        }
    }
    let seq = events::append(batch, &new.message, None)?;
    for turn in &new.turns {
        queue(batch, &new.message.event_id, turn)?;
    }
    commands::insert(batch, &new.command, Some(&new.answer))?;
    Ok(Acceptance::Fresh { seq })
}

fn open_turns(connection: &Connection, target: &ActorId) -> Result<u32, StoreFault> {
    let sql = "SELECT count(*) FROM turns WHERE target_actor_id = ?1
               AND status IN ('queued', 'dispatching', 'running', 'cancelling')";
    Ok(connection
        .prepare_cached(sql)?
        .query_row([target.as_str()], |row| row.get(0))?)
}

fn queue(batch: &mut Batch<'_>, source: &EventId, turn: &NewTurn) -> Result<(), StoreFault> {
    let enqueue_seq = events::append(batch, &turn.queued, Some(turn.turn_id.as_str()))?;
    batch
        .connection
        .prepare_cached(
            "INSERT INTO turns (turn_id, source_event_id, target_actor_id, adapter_id, correlation_id,
                root_correlation_id, parent_turn_id, hop_count, transport, enqueue_seq, status, queued_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'structured', ?9, 'queued', ?10)",
        )?
        .execute(params![
            turn.turn_id.as_str(),
            source.as_str(),
            turn.target.as_str(),
            turn.adapter_id,
            turn.queued.correlation_id.as_str(),
            turn.queued.root_correlation_id.as_str(),
            turn.queued.parent_turn_id.as_ref().map(TurnId::as_str),
            turn.queued.hop_count.unwrap_or(0),
            enqueue_seq,
            turn.queued.occurred_at.0,
        ])?;
    Ok(())
}
