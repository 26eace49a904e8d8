//! How the room stands, from memory alone (Ours 7).

use crate::broker::Broker;
use crate::protocol::Timestamp;
use crate::protocol::reply::{AgentHealth, AgentStatus, Readiness, StoreHealth, ToolsState};
use crate::store::SCHEMA_VERSION;

/// The broker's part of the health answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokerHealth {
    /// How far the room is.
    pub readiness: Readiness,
    /// The store.
    pub store: StoreHealth,
    /// The enabled agents, in the configuration's order.
    pub agents: Vec<AgentHealth>,
    /// Turns that an agent works on.
    pub active_turns: u64,
    /// Turns that wait.
    pub queued_turns: u64,
    /// Whether something does not work as it should.
    pub degraded: bool,
}

impl Broker {
    /// Costs nothing: no store is asked.
    pub fn health(&self) -> BrokerHealth {
        let room = &self.room;
        let agents: Vec<AgentHealth> = room
            .roster
            .enabled()
            .map(|member| {
                let notice = room.board.notice(&member.agent);
                AgentHealth {
                    adapter_id: member.agent.clone(),
                    status: notice.as_ref().map_or(AgentStatus::Starting, |n| n.status),
                    instance_id: notice.as_ref().and_then(|n| n.instance.clone()),
                    native_session_available: notice.as_ref().is_some_and(|n| n.native_session),
                    tools: notice.as_ref().map_or(ToolsState::Missing, |n| n.tools),
                    last_error: notice.as_ref().and_then(|n| n.last_error.clone()),
                    updated_at: notice.map_or(Timestamp(0), |n| n.updated_at),
                }
            })
            .collect();
        let readiness = match (room.board.is_closing(), room.board.all_settled()) {
            (true, _) => Readiness::Closing,
            (false, true) => Readiness::Ready,
            (false, false) => Readiness::Starting,
        };
        let available = room.store.is_available();
        let well = |status| matches!(status, AgentStatus::Ready | AgentStatus::Starting);
        let degraded = !available
            || !room.store.integrity_ok()
            || agents.iter().any(|agent| !well(agent.status));
        BrokerHealth {
            readiness,
            store: StoreHealth {
                available,
                integrity_ok: room.store.integrity_ok(),
                schema_version: SCHEMA_VERSION,
                journal_mode: "wal",
            },
            agents,
            active_turns: room.board.active(),
            queued_turns: room.board.queued(),
            degraded,
        }
    }
}
