//! The room in one snapshot (REST-01): projection and cursor agree.

use super::history::previous;
use crate::broker::Broker;
use crate::broker::roster::Member;
use crate::protocol::reply::{
    ActiveTurn, AgentCapabilities, AgentStatus, Bootstrap, BootstrapAgent, RoomHead, ToolsState,
};
use crate::protocol::{Fault, ROOM, Transport, limits};

impl Broker {
    /// Agents, newest events, open Turns, and the cursor that all of it is current to.
    ///
    /// # Errors
    /// `STORE_UNAVAILABLE`.
    pub async fn bootstrap(&self) -> Result<Bootstrap, Fault> {
        let snapshot = self.room.store.snapshot(limits::RECENT_EVENTS).await?;
        let events = snapshot.recent.frames.iter().map(|frame| frame.envelope());
        Ok(Bootstrap {
            schema: "groupx.bootstrap/0.1",
            room: RoomHead {
                room_id: ROOM.into(),
                through_seq: snapshot.through,
            },
            agents: self
                .room
                .roster
                .enabled()
                .map(|member| self.agent(member))
                .collect(),
            recent_events: events.collect::<Result<_, _>>()?,
            ui_language: self.room.ui_language.clone(),
            active_turns: snapshot
                .open
                .into_iter()
                .map(|turn| ActiveTurn {
                    turn_id: turn.turn_id,
                    target_actor_id: turn.target,
                    status: turn.status,
                    source_event_id: turn.source_event_id,
                })
                .collect(),
            previous_page: previous(&snapshot.recent),
        })
    }

    fn agent(&self, member: &Member) -> BootstrapAgent {
        let notice = self.room.board.notice(&member.agent);
        let tools = notice
            .as_ref()
            .map_or(ToolsState::Missing, |notice| notice.tools);
        BootstrapAgent {
            actor_id: member.actor.clone(),
            display_name: member.name.clone(),
            status: notice
                .as_ref()
                .map_or(AgentStatus::Starting, |notice| notice.status),
            instance_id: notice.as_ref().and_then(|notice| notice.instance.clone()),
            cwd: member.cwd.clone(),
            enabled: true,
            capabilities: AgentCapabilities {
                transport: Transport::Structured,
                transport_lifecycle: "active",
                access: "unrestricted",
                current_turn_mcp: tools == ToolsState::Attached,
            },
            tools,
            driver: member.driver.clone(),
            driver_info: self
                .room
                .sessions
                .driver(&member.driver)
                .unwrap_or_default(),
            last_error: notice.and_then(|notice| notice.last_error),
        }
    }
}
