//! The live end of the event log: the newest frames in memory and the seq up to which they are
//! safe to show. It never invents an event and never shows one that a power cut could take back.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use bytes::Bytes;
use tokio::sync::watch;

use super::events::StoredFrame;
use crate::protocol::Seq;

/// Frames kept; a reader further behind asks the database.
const FRAMES: usize = 1024;
/// Bytes kept.
const BYTES: usize = 4 * 1024 * 1024;

/// See the module.
pub struct Tail {
    recent: RwLock<Recent>,
    committed: AtomicU64,
    closed: AtomicBool,
    shown: watch::Sender<Seq>,
}

#[derive(Default)]
struct Recent {
    frames: VecDeque<StoredFrame>,
    bytes: usize,
}

impl Tail {
    pub(super) fn new(head: Seq) -> Self {
        Self {
            recent: RwLock::default(),
            committed: AtomicU64::new(head.0),
            closed: AtomicBool::new(false),
            shown: watch::Sender::new(head),
        }
    }

    /// Everything up to here may be shown.
    pub fn shown(&self) -> Seq {
        *self.shown.borrow()
    }

    /// Everything up to here is committed, though perhaps not safe to show yet.
    pub fn committed_through(&self) -> Seq {
        Seq(self.committed.load(Ordering::Acquire))
    }

    /// Whether the store is closed: nothing more will come.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        // Wakes everyone who waits for more.
        self.shown.send_modify(|_| {});
    }

    /// Wakes whenever more may be shown.
    pub fn watch(&self) -> watch::Receiver<Seq> {
        self.shown.subscribe()
    }

    /// Frames after `after`, up to what may be shown, if memory still has all of them.
    pub fn after(&self, after: Seq, most: usize) -> Option<Vec<StoredFrame>> {
        let shown = self.shown();
        let recent = self.recent.read().unwrap_or_else(PoisonError::into_inner);
        let first = recent.frames.front()?.seq;
        if after.0 + 1 < first.0 {
            return None;
        }
        let skip = usize::try_from(after.0 + 1 - first.0).ok()?;
        let waiting = recent.frames.iter().skip(skip);
        Some(
            waiting
                .take_while(|f| f.seq <= shown)
                .take(most)
                .cloned()
                .collect(),
        )
    }

    pub(super) fn push(&self, frames: Vec<StoredFrame>) {
        let mut recent = self.recent.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(newest) = frames.last() {
            self.committed.store(newest.seq.0, Ordering::Release);
        }
        for frame in frames {
            recent.bytes += frame.json.len();
            recent.frames.push_back(frame);
            while recent.frames.len() > FRAMES || (recent.bytes > BYTES && recent.frames.len() > 1)
            {
                let gone = recent.frames.pop_front().map_or(0, |f| f.json.len());
                recent.bytes -= gone;
            }
        }
    }

    pub(super) fn show_up_to(&self, seq: Seq) {
        self.shown.send_if_modified(|shown| {
            let more = seq > *shown;
            *shown = seq.max(*shown);
            more
        });
    }
}

/// Puts the seq into an envelope that was stored without one.
pub(super) fn numbered(seq: Seq, envelope: &str) -> Bytes {
    let mut json = Vec::with_capacity(envelope.len() + 28);
    json.extend_from_slice(b"{\"seq\":");
    json.extend_from_slice(seq.0.to_string().as_bytes());
    json.push(b',');
    json.extend_from_slice(&envelope.as_bytes()[1..]);
    Bytes::from(json)
}
