//! What the broker's commands and lanes share.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::{mpsc, watch};

use super::board::Board;
use super::callers::Callers;
use super::in_flight::InFlight;
use super::lane::LaneOrder;
use super::live::{LiveBus, MailboxLimits};
use super::roster::Roster;
use super::sources::Sources;
use crate::protocol::{ActorId, ErrorCode, Fault};
use crate::session::SessionSource;
use crate::store::Store;

/// The numbers that the broker keeps to.
#[derive(Debug, Clone, Copy)]
pub struct RoomLimits {
    /// Most characters of a message.
    pub message_characters: usize,
    /// Most characters of a packet.
    pub context_characters: usize,
    /// Most open Turns of one agent.
    pub queue_per_agent: u32,
    /// What may wait for one listener.
    pub mailbox: MailboxLimits,
}

/// The waits that the broker keeps to.
#[derive(Debug, Clone, Copy)]
pub struct RoomTimeouts {
    /// For a cancel to be settled before the caller hears that it is under way.
    pub cancel: Duration,
}

/// See the module.
pub struct Room {
    pub(super) store: Store,
    pub(super) roster: Roster,
    pub(super) board: Board,
    pub(super) callers: Callers,
    pub(super) in_flight: InFlight,
    pub(super) live: LiveBus,
    pub(super) sources: Sources,
    pub(super) sessions: Box<dyn SessionSource>,
    pub(super) lanes: BTreeMap<ActorId, mpsc::Sender<LaneOrder>>,
    pub(super) limits: RoomLimits,
    pub(super) timeouts: RoomTimeouts,
    /// Our MCP endpoint, as an agent reaches it.
    pub(super) mcp_url: String,
    /// The page's configured language.
    pub(super) ui_language: Option<String>,
    pub(super) settled: watch::Sender<bool>,
}

impl Room {
    /// Looks whether the last agent's first round is over now.
    pub(super) fn settled(&self) {
        if self.board.all_settled() {
            self.settled.send_replace(true);
        }
    }

    /// Gives a lane an order.
    pub(super) async fn order(&self, actor: &ActorId, order: LaneOrder) -> Result<(), Fault> {
        let Some(lane) = self.lanes.get(actor) else {
            let text =
                format!("There is no {actor} in this room, or it is disabled in groupx.json.");
            return Err(Fault::new(ErrorCode::UnknownTarget, text));
        };
        lane.send(order).await.map_err(|_| closing())
    }

    /// Refuses work while the room is closing.
    pub(super) fn is_open(&self) -> Result<(), Fault> {
        if self.board.is_closing() {
            Err(closing())
        } else {
            Ok(())
        }
    }
}

pub(super) fn closing() -> Fault {
    let text = "GroupX is closing. Nothing was done; start it again with `groupx start`.";
    Fault::new(ErrorCode::StoreUnavailable, text)
}
