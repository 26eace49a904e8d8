//! What was said in the room, for context packets: messages only, never reasoning or tools (CTX-06).

use std::ops::ControlFlow;

use rusqlite::{Transaction, params};

use super::events::{self, StoredFrame};
use super::fault::StoreFault;
use super::open::Store;
use super::tail::numbered;
use crate::protocol::{Envelope, EventId, Seq};

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
        let content = event.body.get("content").and_then(|c| c.as_str()).unwrap_or_default().to_owned();
        Ok(Self { event, content })
    }
}

impl Store {
    /// Messages after `after` and before `before`, from the newest back until their texts reach
    /// `bytes`, of which one counts for at most a quarter; ascending. The number says how many
    /// older ones were left out.
    pub async fn said_between(
        &self,
        after: Seq,
        before: Seq,
        bytes: usize,
    ) -> Result<(Vec<Said>, u64), StoreFault> {
        self.readers.read(move |tx| said_between(tx, after, before, bytes)).await
    }

    /// The chain of messages that `event` answers, oldest first, at most `deep`, without itself.
    pub async fn reply_chain(&self, event: EventId, deep: usize) -> Result<Vec<Said>, StoreFault> {
        self.readers
            .read(move |tx| {
                let mut chain = Vec::new();
                let mut next = events::by_id(tx, &event)?.map(|f| Said::read(&f)).transpose()?;
                while let Some(id) = next.and_then(|said| said.event.reply_to_event_id) {
                    next = events::by_id(tx, &id)?.map(|f| Said::read(&f)).transpose()?;
                    match &next {
                        Some(said) if chain.len() < deep => chain.push(said.clone()),
                        _ => break,
                    }
                }
                chain.reverse();
                Ok(chain)
            })
            .await
    }

    /// One message.
    pub async fn said(&self, event: EventId) -> Result<Option<Said>, StoreFault> {
        self.readers
            .read(move |tx| events::by_id(tx, &event)?.map(|frame| Said::read(&frame)).transpose())
            .await
    }
}

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
        let json = numbered(seq, row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?);
        let message = Said::read(&StoredFrame { seq, json })?;
        let fits = match left.checked_sub(message.content.len().min(bytes / 4)) {
            Some(rest) => ControlFlow::Continue(rest),
            None => ControlFlow::Break(()),
        };
        let ControlFlow::Continue(rest) = fits else { break };
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
