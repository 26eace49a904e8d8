//! Older events, backwards by cursor (REST-06, Ours 5).

use crate::broker::Broker;
use crate::protocol::reply::{HistoryPage, PreviousPage};
use crate::protocol::{Fault, Seq};
use crate::store::Page;

impl Broker {
    /// The newest events before `before` (or before the end), ascending.
    ///
    /// # Errors
    /// `STORE_UNAVAILABLE`.
    pub async fn history(&self, before: Option<Seq>, limit: u32) -> Result<HistoryPage, Fault> {
        let page = self.room.store.events_before(before, limit).await?;
        let previous_page = previous(&page);
        let events = page
            .frames
            .iter()
            .map(|frame| frame.envelope())
            .collect::<Result<_, _>>()?;
        Ok(HistoryPage {
            events,
            previous_page,
        })
    }
}

/// Where the events before a page are.
pub(super) fn previous(page: &Page) -> Option<PreviousPage> {
    let first = page.frames.first().filter(|_| page.older)?;
    Some(PreviousPage {
        before_seq: first.seq,
    })
}
