//! What was said in the room, for context packets: messages only, never reasoning or tools (CTX-06).

use std::ops::ControlFlow;

use rusqlite::{OptionalExtension, Transaction, params};

use super::events::{self, StoredFrame};
use super::fault::StoreFault;
use super::open::Store;
use super::tail::numbered;
use crate::protocol::{ActorId, Envelope, EventId, Seq};

/// A message as it was said.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The whole event; its seq is set.
    pub event: Envelope,
    /// Its text.
    pub content: String,
}

impl Said {
    fn read(frame: &StoredFrame) -> Result<Self, StoreFault> {
        let event = frame.envelope()?;
        let content = event
            .body
            .get("content")
            .and_then(|c| c.as_str())
            .unwrap_or_default()
            .to_owned();
        Ok(Self { event, content })
    }
}

/// What a packet is made from, read in one snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct PacketRows {
    /// The message behind the Turn.
    pub current: Said,
    /// The agent has seen the room up to here.
    pub after: Seq,
    /// Messages since, ascending, as far back as `bytes` reach.
    pub unread: Vec<Said>,
    /// Messages since that are older still.
    pub omitted: u64,
    /// What the current message answers, oldest first.
    pub replies: Vec<Said>,
}

/// Which rows a packet wants.
#[derive(Debug, Clone)]
pub struct PacketQuery {
    /// The agent.
    pub target: ActorId,
    /// The message behind the Turn.
    pub source: EventId,
    /// The agent knows nothing of the room: everything is unread.
    pub blank: bool,
    /// How far back the texts may reach; one counts for at most a quarter.
    pub bytes: usize,
    /// Most messages of the reply chain.
    pub reply_depth: usize,
}

impl Store {
    /// Reads what a packet is made from; `None` when the message cannot be found.
    pub async fn packet_rows(&self, query: PacketQuery) -> Result<Option<PacketRows>, StoreFault> {
        self.readers
            .read(move |tx| {
                let Some(current) = said(tx, &query.source)? else {
                    return Ok(None);
                };
                let through = current.event.seq.unwrap_or(Seq::START);
                let after = if query.blank {
                    Seq::START
                } else {
                    delivered_through(tx, &query.target)?
                };
                let (unread, omitted) = said_between(tx, after, through, query.bytes)?;
                let replies = reply_chain(tx, &current, query.reply_depth)?;
                Ok(Some(PacketRows {
                    current,
                    after,
                    unread,
                    omitted,
                    replies,
                }))
            })
            .await
    }
}

fn said(tx: &Transaction<'_>, id: &EventId) -> Result<Option<Said>, StoreFault> {
    events::by_id(tx, id)?
        .map(|frame| Said::read(&frame))
        .transpose()
}

/// The messages that `current` answers, oldest first, without itself.
fn reply_chain(tx: &Transaction<'_>, current: &Said, deep: usize) -> Result<Vec<Said>, StoreFault> {
    let mut chain = Vec::new();
    let mut next = current.event.reply_to_event_id.clone();
    while let Some(id) = next.filter(|_| chain.len() < deep) {
        let Some(found) = said(tx, &id)? else { break };
        next = found.event.reply_to_event_id.clone();
        chain.push(found);
    }
    chain.reverse();
    Ok(chain)
}

fn delivered_through(tx: &Transaction<'_>, actor: &ActorId) -> Result<Seq, StoreFault> {
    let sql = "SELECT last_delivered_seq FROM delivery_cursors WHERE actor_id = ?1";
    let seq = tx
        .prepare_cached(sql)?
        .query_row([actor.as_str()], |row| row.get(0))
        .optional()?;
    Ok(seq.unwrap_or(Seq::START))
}

/// Messages between two cursors, from the newest back; the number says how many were left out.
fn said_between(
    tx: &Transaction<'_>,
    after: Seq,
    before: Seq,
    bytes: usize,
) -> Result<(Vec<Said>, u64), StoreFault> {
    let sql = "SELECT seq, envelope FROM events
               WHERE seq > ?1 AND seq < ?2 AND event_type IN ('message.created', 'operator.dispatch')
               ORDER BY seq DESC";
    let mut statement = tx.prepare_cached(sql)?;
    let mut rows = statement.query(params![after, before])?;
    let mut said = Vec::new();
    let mut left = bytes;
    let mut oldest = before;
    while let Some(row) = rows.next()? {
        let seq: Seq = row.get(0)?;
        let json = numbered(
            seq,
            row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?,
        );
        let message = Said::read(&StoredFrame { seq, json })?;
        let fits = match left.checked_sub(message.content.len().min(bytes / 4)) {
            Some(rest) => ControlFlow::Continue(rest),
            None => ControlFlow::Break(()),
        };
        let ControlFlow::Continue(rest) = fits else {
            break;
        };
        left = rest;
        oldest = seq;
        said.push(message);
    }
    drop(rows);
    said.reverse();
    let count = "SELECT count(*) FROM events
                 WHERE seq > ?1 AND seq < ?2 AND event_type IN ('message.created', 'operator.dispatch')";
    let omitted: u32 = tx.query_row(count, params![after, oldest], |row| row.get(0))?;
    Ok((said, omitted.into()))
}
