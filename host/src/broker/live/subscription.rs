//! One listener: durable events straight from the store, transient ones between them, in one loop
//! without a switch from replay to live (protocol section 11).

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::watch;

use super::mailbox::Mailbox;
use super::{LiveBus, LiveEvent, MailboxLimits};
use crate::protocol::{Fault, Seq};
use crate::store::{Store, StoreFault, StoredFrame};

/// Durable events in one batch.
const PAGE: usize = 256;
/// Bytes of durable events in one batch, unless one alone is bigger.
const PAGE_BYTES: usize = 1024 * 1024;
/// Transient events in one batch.
const LIVE: usize = 256;

/// One event for a listener: its envelope on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Present for durable events: the cursor after this frame.
    pub seq: Option<Seq>,
    /// The envelope.
    pub json: Bytes,
}

/// See the module. Dropping it ends the subscription.
pub struct Subscription {
    store: Store,
    mailbox: Arc<Mailbox>,
    shown: watch::Receiver<Seq>,
    cursor: Seq,
}

impl Subscription {
    pub(crate) fn start(store: Store, bus: &LiveBus, after: Seq, limits: MailboxLimits) -> Self {
        let shown = store.tail().watch();
        Self {
            mailbox: bus.listen(limits),
            shown,
            store,
            cursor: after,
        }
    }

    /// Waits for the next events and gives a bounded batch of them, durable ones in the order of
    /// their seq and without gaps. Safe to drop while it waits: nothing is lost by that.
    ///
    /// # Errors
    /// When the store cannot be read; the listener may start again from its cursor.
    pub async fn next(&mut self) -> Result<Vec<Frame>, Fault> {
        loop {
            let page = self.page().await?;
            let through = page.last().map_or(self.cursor, |frame| frame.seq);
            let live = self.mailbox.take(through, LIVE);
            if page.is_empty() && live.is_empty() {
                tokio::select! {
                    // A closed store wakes it too; the page that follows says so.
                    _ = self.shown.changed() => {}
                    () = self.mailbox.woken() => {}
                }
                continue;
            }
            self.cursor = through;
            return Ok(interleave(page, live));
        }
    }

    async fn page(&mut self) -> Result<Vec<StoredFrame>, Fault> {
        if self.store.tail().is_closed() {
            return Err(StoreFault::Closed.into());
        }
        if self.cursor >= *self.shown.borrow_and_update() {
            return Ok(Vec::new());
        }
        let mut page = self
            .store
            .events_after(self.cursor, PAGE, PAGE_BYTES)
            .await?;
        let mut bytes = 0;
        let fits = page.iter().take_while(|frame| {
            bytes += frame.json.len();
            bytes <= PAGE_BYTES
        });
        let count = fits.count().max(1);
        page.truncate(count);
        Ok(page)
    }
}

/// Puts each transient event behind the commit that it came after.
fn interleave(page: Vec<StoredFrame>, live: Vec<LiveEvent>) -> Vec<Frame> {
    let mut frames = Vec::with_capacity(page.len() + live.len());
    let mut live = live.into_iter().peekable();
    for stored in page {
        while let Some(event) = live.next_if(|event| event.after < stored.seq) {
            frames.push(transient(&event));
        }
        frames.push(Frame {
            seq: Some(stored.seq),
            json: stored.json,
        });
    }
    frames.extend(live.map(|event| transient(&event)));
    frames
}

fn transient(event: &LiveEvent) -> Frame {
    let mut envelope = (*event.envelope).clone();
    envelope.body = event.body.to_value();
    // invariant: an envelope is a struct of strings, numbers and JSON values; it always serializes
    let json = serde_json::to_vec(&envelope).unwrap_or_default();
    Frame {
        seq: None,
        json: Bytes::from(json),
    }
}
