//! What a start finds of the last run, and how it is settled: in one transaction, before any lane
//! moves. The verdicts come from the Turn machine; this file only reads and writes.

use rusqlite::params;

use super::fault::StoreFault;
use super::open::Store;
use super::rows::{self, TURN_COLUMNS, TurnRow, Word};
use super::terminal::{self, Ending};
use super::writer::{Batch, Safety};
use crate::protocol::{AttemptId, DeliveryCertainty, DispatchPhase, Timestamp, TurnId};

/// A Turn that was not over when the last run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTurn {
    /// The Turn.
    pub turn: TurnRow,
    /// Its open attempt.
    pub attempt: Option<(AttemptId, DispatchPhase, DeliveryCertainty)>,
}

/// One verdict.
#[derive(Debug, Clone)]
pub enum Recovery {
    /// Nothing was handed over: it waits again, at its old place.
    Requeue(TurnId),
    /// It ends.
    End(Box<Ending>),
}

impl Store {
    /// Every Turn that is not over, oldest first.
    pub async fn open_turns(&self) -> Result<Vec<OpenTurn>, StoreFault> {
        self.readers
            .read(|tx| {
                let columns = TURN_COLUMNS.replace("turn_id", "t.turn_id");
                let sql = format!(
                    "SELECT {columns}, a.attempt_id, a.dispatch_phase, a.delivery_certainty FROM turns t
                     LEFT JOIN turn_attempts a ON a.turn_id = t.turn_id AND a.terminal_at IS NULL
                     WHERE t.status IN ('queued', 'dispatching', 'running', 'cancelling') ORDER BY +t.enqueue_seq"
                );
                let mut statement = tx.prepare(&sql)?;
                let found = statement.query_map([], |row| {
                    let attempt = match row.get::<_, Option<String>>(9)? {
                        None => None,
                        Some(id) => Some((
                            AttemptId::trusted(id),
                            row.get::<_, Word<DispatchPhase>>(10)?.0,
                            row.get::<_, Word<DeliveryCertainty>>(11)?.0,
                        )),
                    };
                    Ok(OpenTurn { turn: rows::turn(row)?, attempt })
                })?;
                Ok(found.collect::<Result<_, _>>()?)
            })
            .await
    }

    /// Settles them all, and closes every session that the last run left open.
    pub async fn recover(&self, verdicts: Vec<Recovery>, at: Timestamp) -> Result<(), StoreFault> {
        self.writer
            .write(Safety::Promise, move |batch| {
                settle(batch, &verdicts, at)?;
                let close = "UPDATE session_bindings SET closed_at = ?1 WHERE closed_at IS NULL AND instance_id IS NOT NULL";
                batch.connection.execute(close, params![at.0])?;
                let end = "UPDATE agent_instances SET ended_at = ?1, status = 'ended' WHERE ended_at IS NULL";
                batch.connection.execute(end, params![at.0])?;
                Ok(())
            })
            .await
    }
}

fn settle(batch: &mut Batch<'_>, verdicts: &[Recovery], at: Timestamp) -> Result<(), StoreFault> {
    for verdict in verdicts {
        match verdict {
            Recovery::End(ending) => {
                terminal::end(batch, ending)?;
            }
            Recovery::Requeue(turn) => {
                terminal::close_attempt(batch, turn, at)?;
                let sql = "UPDATE turns SET status = 'queued' WHERE turn_id = ?1 AND status = 'dispatching'";
                batch
                    .connection
                    .prepare_cached(sql)?
                    .execute([turn.as_str()])?;
            }
        }
    }
    Ok(())
}
