//! Rows as the rest of the house sees them.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row};

use super::fault::StoreFault;
use super::open::Store;
use crate::protocol::{
    ActorId, CorrelationId, DeliveryCertainty, DispatchPhase, EventId, Seq, Transport, TurnId,
    TurnStatus,
};

/// A Turn as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnRow {
    /// Its id.
    pub turn_id: TurnId,
    /// The message behind it.
    pub source_event_id: EventId,
    /// Its agent.
    pub target: ActorId,
    /// Its chain.
    pub correlation_id: CorrelationId,
    /// The root of its chain.
    pub root_correlation_id: CorrelationId,
    /// Agents between it and the user.
    pub hop_count: u32,
    /// How it was meant to reach its agent.
    pub transport: Transport,
    /// Its place in the lane.
    pub enqueue_seq: Seq,
    /// Where it stands.
    pub status: TurnStatus,
}

pub(super) const TURN_COLUMNS: &str = "turn_id, source_event_id, target_actor_id, correlation_id,
    root_correlation_id, hop_count, transport, enqueue_seq, status";

pub(super) fn turn(row: &Row<'_>) -> rusqlite::Result<TurnRow> {
    Ok(TurnRow {
        turn_id: TurnId::trusted(row.get::<_, String>(0)?),
        source_event_id: EventId::trusted(row.get::<_, String>(1)?),
        target: ActorId::trusted(row.get::<_, String>(2)?),
        correlation_id: CorrelationId::trusted(row.get::<_, String>(3)?),
        root_correlation_id: CorrelationId::trusted(row.get::<_, String>(4)?),
        hop_count: row.get(5)?,
        transport: row.get::<_, Word<Transport>>(6)?.0,
        enqueue_seq: row.get(7)?,
        status: row.get::<_, Word<TurnStatus>>(8)?.0,
    })
}

pub(super) fn turn_by_id(
    connection: &Connection,
    id: &TurnId,
) -> Result<Option<TurnRow>, StoreFault> {
    let sql = format!("SELECT {TURN_COLUMNS} FROM turns WHERE turn_id = ?1");
    Ok(connection
        .prepare_cached(&sql)?
        .query_row([id.as_str()], turn)
        .optional()?)
}

impl Store {
    /// One Turn.
    pub async fn turn(&self, id: TurnId) -> Result<Option<TurnRow>, StoreFault> {
        self.readers.read(move |tx| turn_by_id(tx, &id)).await
    }

    /// The Turns of one chain, oldest first, at most `most`, with answer and error.
    pub async fn turns_of(
        &self,
        correlation: CorrelationId,
        most: u32,
    ) -> Result<Vec<TurnOutcome>, StoreFault> {
        self.readers
            .read(move |tx| {
                let sql = format!(
                    "SELECT {TURN_COLUMNS}, response_event_id, error_code FROM turns
                     WHERE root_correlation_id = ?1 ORDER BY enqueue_seq LIMIT ?2"
                );
                let mut statement = tx.prepare_cached(&sql)?;
                let rows =
                    statement.query_map(rusqlite::params![correlation.as_str(), most], |row| {
                        let response: Option<String> = row.get(9)?;
                        Ok(TurnOutcome {
                            turn: turn(row)?,
                            response_event_id: response.map(EventId::trusted),
                            error_code: row.get(10)?,
                        })
                    })?;
                Ok(rows.collect::<Result<_, _>>()?)
            })
            .await
    }
}

/// A Turn with how it ended, where it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnOutcome {
    /// The Turn.
    pub turn: TurnRow,
    /// Its answer.
    pub response_event_id: Option<EventId>,
    /// Its error.
    pub error_code: Option<String>,
}

impl ToSql for Seq {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        // invariant: SQLite gives a seq as a positive i64, and a cursor from outside is bounded at
        // the door; beyond that, the end of the log is what was meant
        Ok(i64::try_from(self.0).unwrap_or(i64::MAX).into())
    }
}

impl FromSql for Seq {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        u64::try_from(value.as_i64()?)
            .map(Self)
            .map_err(|e| FromSqlError::Other(e.into()))
    }
}

/// A stored word of a closed list.
pub(super) struct Word<T>(pub(super) T);

macro_rules! stored_words {
    ($($name:ident),+) => {$(
        impl FromSql for Word<$name> {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                let word = value.as_str()?;
                $name::parse(word).map(Self).ok_or_else(|| {
                    FromSqlError::Other(format!("unknown {} `{word}`", stringify!($name)).into())
                })
            }
        }
    )+};
}

stored_words!(TurnStatus, Transport, DispatchPhase, DeliveryCertainty);
