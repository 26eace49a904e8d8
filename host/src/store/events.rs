//! The event log: append inside a transaction, read in short pages.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::fault::StoreFault;
use super::open::Store;
use super::tail::numbered;
use super::writer::{Batch, Safety};
use crate::protocol::{CorrelationId, Envelope, EventId, Seq};

/// A stored event, ready for a reader: its JSON stands on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFrame {
    /// Its place in the log.
    pub seq: Seq,
    /// The envelope.
    pub json: Bytes,
}

impl StoredFrame {
    /// The envelope, read back.
    pub fn envelope(&self) -> Result<Envelope, StoreFault> {
        serde_json::from_slice(&self.json)
            .map_err(|e| StoreFault::Refused(format!("event {} cannot be read: {e}", self.seq)))
    }
}

/// A page of events and whether older ones exist before it.
#[derive(Debug, Clone)]
pub struct Page {
    /// Ascending.
    pub frames: Vec<StoredFrame>,
    /// Whether anything stands before the first of them.
    pub older: bool,
}

impl Store {
    /// Events after `after`, up to what may be shown: at most `most`, and no more once `bytes` are
    /// reached.
    pub async fn events_after(
        &self,
        after: Seq,
        most: usize,
        bytes: usize,
    ) -> Result<Vec<StoredFrame>, StoreFault> {
        if let Some(frames) = self.tail.after(after, most) {
            return Ok(frames);
        }
        let shown = self.tail.shown();
        self.readers
            .read(move |tx| frames_between(tx, after, shown, most, bytes))
            .await
    }

    /// The newest events before `before` (or before the end), at most `most`.
    pub async fn events_before(&self, before: Option<Seq>, most: u32) -> Result<Page, StoreFault> {
        let shown = self.tail.shown();
        let end = before.map_or(shown.0 + 1, |b| b.0.min(shown.0 + 1));
        self.readers
            .read(move |tx| newest_before(tx, Seq(end), most))
            .await
    }

    /// One event.
    pub async fn event(&self, id: EventId) -> Result<Option<StoredFrame>, StoreFault> {
        self.readers.read(move |tx| by_id(tx, &id)).await
    }

    /// Events of one chain: after a cursor, or its newest.
    pub async fn events_of(
        &self,
        correlation: CorrelationId,
        after: Option<Seq>,
        most: u32,
    ) -> Result<Vec<StoredFrame>, StoreFault> {
        let shown = self.tail.shown();
        self.readers
            .read(move |tx| {
                let from = after.unwrap_or(Seq::START);
                let order = if after.is_some() { "ASC" } else { "DESC" };
                let sql = format!(
                    "SELECT seq, envelope FROM events
                     WHERE correlation_id = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY seq {order} LIMIT ?4"
                );
                let mut statement = tx.prepare_cached(&sql)?;
                let rows = statement.query_map(params![correlation.as_str(), from, shown, most], frame)?;
                let mut frames = rows.collect::<Result<Vec<_>, _>>()?;
                if after.is_none() {
                    frames.reverse();
                }
                Ok(frames)
            })
            .await
    }

    /// Stores events that stand for themselves, in order.
    pub async fn record(&self, events: Vec<Envelope>) -> Result<(), StoreFault> {
        self.writer
            .write(Safety::Evidence, move |batch| {
                for event in &events {
                    append(batch, event, None)?;
                }
                Ok(())
            })
            .await
    }
}

/// Appends one event; its seq is final once the transaction commits.
pub(super) fn append(
    batch: &mut Batch<'_>,
    event: &Envelope,
    turn: Option<&str>,
) -> Result<Seq, StoreFault> {
    let mut json = serde_json::to_value(event).map_err(|e| StoreFault::Refused(e.to_string()))?;
    if let Some(object) = json.as_object_mut() {
        object.remove("seq");
    }
    let json = json.to_string();
    batch
        .connection
        .prepare_cached(
            "INSERT INTO events (event_id, event_type, actor_id, correlation_id, turn_id, occurred_at, envelope)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            event.event_id.as_str(),
            event.kind.as_str(),
            event.actor.actor_id.as_str(),
            event.correlation_id.as_str(),
            turn,
            event.occurred_at.0,
            json,
        ])?;
    let seq = Seq(u64::try_from(batch.connection.last_insert_rowid()).unwrap_or(0));
    batch.frames.push(StoredFrame {
        seq,
        json: numbered(seq, &json),
    });
    Ok(seq)
}

pub(super) fn head(connection: &Connection) -> Result<Seq, StoreFault> {
    let newest: Seq =
        connection.query_row("SELECT coalesce(max(seq), 0) FROM events", [], |row| {
            row.get(0)
        })?;
    Ok(newest)
}

pub(super) fn by_id(
    connection: &Connection,
    id: &EventId,
) -> Result<Option<StoredFrame>, StoreFault> {
    let sql = "SELECT seq, envelope FROM events WHERE event_id = ?1";
    Ok(connection
        .prepare_cached(sql)?
        .query_row([id.as_str()], frame)
        .optional()?)
}

pub(super) fn newest_before(
    connection: &Connection,
    end: Seq,
    most: u32,
) -> Result<Page, StoreFault> {
    let sql = "SELECT seq, envelope FROM events WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![end, most + 1], frame)?;
    let mut frames = rows.collect::<Result<Vec<_>, _>>()?;
    let older = frames.len() > most as usize;
    frames.truncate(most as usize);
    frames.reverse();
    Ok(Page { frames, older })
}

fn frames_between(
    connection: &Connection,
    after: Seq,
    through: Seq,
    most: usize,
    bytes: usize,
) -> Result<Vec<StoredFrame>, StoreFault> {
    let sql = "SELECT seq, envelope FROM events WHERE seq > ?1 AND seq <= ?2 ORDER BY seq LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut rows = statement.query(params![after, through, most])?;
    let mut frames = Vec::new();
    let mut read = 0;
    while let Some(row) = rows.next()?.filter(|_| read < bytes) {
        let next = frame(row)?;
        read += next.json.len();
        frames.push(next);
    }
    Ok(frames)
}

fn frame(row: &Row<'_>) -> rusqlite::Result<StoredFrame> {
    let seq = row.get(0)?;
    let envelope = row.get_ref(1)?.as_str()?;
    Ok(StoredFrame {
        seq,
        json: numbered(seq, envelope),
    })
}
