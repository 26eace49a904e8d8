//! One listener's waiting transient events, merged while they wait.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use super::LiveEvent;
use crate::protocol::{EventBody, Seq, TurnId};

/// Bounds of what may wait for one listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailboxLimits {
    /// Frames.
    pub frames: usize,
    /// Bytes of text.
    pub bytes: usize,
}

#[derive(Debug)]
pub(super) struct Mailbox {
    limits: MailboxLimits,
    waiting: Mutex<Waiting>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    entries: VecDeque<LiveEvent>,
    places: HashMap<Merge, u64>,
    /// The number of the first entry.
    first: u64,
    bytes: usize,
}

/// Events of equal kind here are merged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Merge {
    Content(TurnId),
    Reasoning(TurnId),
    Progress(TurnId),
    Tool(TurnId, Option<String>),
}

impl Mailbox {
    pub(super) fn new(limits: MailboxLimits) -> Self {
        Self {
            limits,
            waiting: Mutex::default(),
            wake: Notify::new(),
        }
    }

    pub(super) fn put(&self, event: &LiveEvent) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.put(event, self.limits);
        drop(waiting);
        self.wake.notify_one();
    }

    /// Waits until something was put in since the last time.
    pub(super) async fn woken(&self) {
        self.wake.notified().await;
    }

    /// Takes what came after no later commit than `through`, oldest first, at most `most`.
    pub(super) fn take(&self, through: Seq, most: usize) -> Vec<LiveEvent> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.take(through, most)
    }
}

impl Waiting {
    fn put(&mut self, event: &LiveEvent, limits: MailboxLimits) {
        let key = merge_key(&event.body);
        if let Some(key) = &key
            && let Some(place) = self.places.get(key)
            && let Some(at) = place.checked_sub(self.first)
            && let Some(entry) = usize::try_from(at)
                .ok()
                .and_then(|at| self.entries.get_mut(at))
        {
            let before = weight(&entry.body);
            merge(&mut entry.body, &event.body);
            self.bytes = (self.bytes + weight(&entry.body)).saturating_sub(before);
        } else {
            self.bytes += weight(&event.body);
            if let Some(key) = key {
                self.places
                    .insert(key, self.first + self.entries.len() as u64);
            }
            self.entries.push_back(event.clone());
        }
        while self.entries.len() > limits.frames || self.bytes > limits.bytes {
            if self.pop().is_none() {
                break;
            }
        }
    }

    fn take(&mut self, through: Seq, most: usize) -> Vec<LiveEvent> {
        let mut taken = Vec::new();
        while taken.len() < most
            && self
                .entries
                .front()
                .is_some_and(|entry| entry.after <= through)
        {
            taken.extend(self.pop());
        }
        taken
    }

    fn pop(&mut self) -> Option<LiveEvent> {
        let event = self.entries.pop_front()?;
        self.bytes = self.bytes.saturating_sub(weight(&event.body));
        if let Some(key) = merge_key(&event.body)
            && self.places.get(&key) == Some(&self.first)
        {
            self.places.remove(&key);
        }
        self.first += 1;
        Some(event)
    }
}

fn merge_key(body: &EventBody) -> Option<Merge> {
    match body {
        EventBody::ContentDelta { turn_id, .. } => Some(Merge::Content(turn_id.clone())),
        EventBody::ReasoningDelta { turn_id, .. } => Some(Merge::Reasoning(turn_id.clone())),
        EventBody::TurnProgress { turn_id, .. } => Some(Merge::Progress(turn_id.clone())),
        EventBody::ToolProgress {
            turn_id,
            tool_call_id,
            ..
        } => Some(Merge::Tool(turn_id.clone(), tool_call_id.clone())),
        _ => None,
    }
}

/// Merges a newer body of the same kind.
fn merge(into: &mut EventBody, newer: &EventBody) {
    match (&mut *into, newer) {
        (
            EventBody::ContentDelta {
                chunk_index,
                text,
                reset,
                ..
            },
            EventBody::ContentDelta {
                chunk_index: newest,
                text: more,
                reset: anew,
                ..
            },
        ) => {
            if *anew {
                text.clear();
                *reset = true;
            }
            text.push_str(more);
            *chunk_index = *newest;
        }
        (EventBody::ReasoningDelta { text, .. }, EventBody::ReasoningDelta { text: more, .. }) => {
            text.push_str(more);
        }
        (into, newer) => *into = newer.clone(),
    }
}

fn weight(body: &EventBody) -> usize {
    match body {
        EventBody::ContentDelta { text, .. }
        | EventBody::ReasoningDelta { text, .. }
        | EventBody::TurnProgress { text, .. } => text.len() + 256,
        _ => 1024,
    }
}

#[cfg(test)]
mod tests;
