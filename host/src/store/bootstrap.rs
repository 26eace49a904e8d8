//! The room in one snapshot: newest events and open Turns, current to one cursor (REST-01).

use std::time::Duration;

use super::events::{self, Page};
use super::fault::StoreFault;
use super::open::Store;
use super::rows::{self, TURN_COLUMNS, TurnRow};
use crate::protocol::Seq;

/// How long a snapshot waits until everything it saw is on the disk.
const SHOWN_WITHIN: Duration = Duration::from_secs(2);

/// What one read transaction saw.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Everything up to here is in it.
    pub through: Seq,
    /// The newest events.
    pub recent: Page,
    /// Every Turn that is not over, oldest first.
    pub open: Vec<TurnRow>,
}

impl Store {
    /// Takes a snapshot with at most `most` events. It waits until all it saw may be shown.
    pub async fn snapshot(&self, most: u32) -> Result<Snapshot, StoreFault> {
        let mut shown = self.tail.watch();
        let snapshot = self
            .readers
            .read(move |tx| {
                let through = events::head(tx)?;
                let recent = events::newest_before(tx, Seq(through.0 + 1), most)?;
                let sql = format!(
                    "SELECT {TURN_COLUMNS} FROM turns
                     WHERE status IN ('queued', 'dispatching', 'running', 'cancelling') ORDER BY +enqueue_seq"
                );
                let mut statement = tx.prepare_cached(&sql)?;
                let open = statement.query_map([], rows::turn)?.collect::<Result<_, _>>()?;
                Ok(Snapshot { through, recent, open })
            })
            .await?;
        let all_shown = shown.wait_for(|seq| *seq >= snapshot.through);
        match tokio::time::timeout(SHOWN_WITHIN, all_shown).await {
            Ok(Ok(_)) => {}
            Ok(Err(_)) => return Err(StoreFault::Closed),
            Err(_) => return Err(StoreFault::Refused("the disk takes no flush now".into())),
        }
        Ok(snapshot)
    }
}
