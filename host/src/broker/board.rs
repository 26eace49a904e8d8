//! The notice board: how every agent stands, kept in memory so that health costs nothing (Ours 7).

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{PoisonError, RwLock};

use crate::protocol::reply::{AgentStatus, ToolsState};
use crate::protocol::{AgentId, InstanceId, Timestamp};

/// What stands on the board about one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// How its session stands.
    pub status: AgentStatus,
    /// The running instance.
    pub instance: Option<InstanceId>,
    /// Whether a native session is there.
    pub native_session: bool,
    /// Whether GroupX's tools are there.
    pub tools: ToolsState,
    /// Why it does not work, in words.
    pub last_error: Option<String>,
    /// Whether its first round of starts is over, well or not.
    pub settled: bool,
    /// When this changed.
    pub updated_at: Timestamp,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Board {
    notices: RwLock<BTreeMap<AgentId, Notice>>,
    queued: AtomicI64,
    active: AtomicI64,
    closing: AtomicBool,
}

impl Board {
    /// Puts up the first notice of every agent.
    pub fn of(agents: impl Iterator<Item = AgentId>, at: Timestamp) -> Self {
        let first = Notice {
            status: AgentStatus::Starting,
            instance: None,
            native_session: false,
            tools: ToolsState::Pending,
            last_error: None,
            settled: false,
            updated_at: at,
        };
        let notices = agents.map(|agent| (agent, first.clone())).collect();
        Self {
            notices: RwLock::new(notices),
            ..Self::default()
        }
    }

    /// Changes an agent's notice.
    pub fn change(&self, agent: &AgentId, at: Timestamp, change: impl FnOnce(&mut Notice)) {
        let mut notices = self.notices.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(notice) = notices.get_mut(agent) {
            change(notice);
            notice.updated_at = at;
        }
    }

    /// An agent's notice.
    pub fn notice(&self, agent: &AgentId) -> Option<Notice> {
        self.notices
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(agent)
            .cloned()
    }

    /// Whether every agent is ready or has failed its first round (Ours 19).
    pub fn all_settled(&self) -> bool {
        let notices = self.notices.read().unwrap_or_else(PoisonError::into_inner);
        notices.values().all(|notice| notice.settled)
    }

    /// Counts Turns that came to wait (or went, if negative).
    pub fn count_queued(&self, change: i64) {
        self.queued.fetch_add(change, Ordering::Relaxed);
    }

    /// Counts Turns that are worked on.
    pub fn count_active(&self, change: i64) {
        self.active.fetch_add(change, Ordering::Relaxed);
    }

    /// Turns that wait.
    pub fn queued(&self) -> u64 {
        u64::try_from(self.queued.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Turns that are worked on.
    pub fn active(&self) -> u64 {
        u64::try_from(self.active.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// From now on the room is closing.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    /// Whether the room is closing.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }
}
