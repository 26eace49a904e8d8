//! The Broker: accepts commands, runs one lane per agent, owns the Turn machine and its recovery.
//!
//! It knows the store, the context room and "some session"; it knows no door, no driver and no CLI.
//! Who speaks is decided here, from the channel an act came through, and nowhere else.

mod board;
mod callers;
mod commands;
mod in_flight;
mod lane;
mod live;
mod recover;
mod room;
mod roster;
mod scribe;
mod sources;
mod transcript;
pub mod turn;

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot, watch};

pub use board::Notice;
pub use callers::Caller;
pub use commands::{BrokerHealth, ReadPage};
pub use live::{Frame, MailboxLimits, Subscription};
pub use room::{RoomLimits, RoomTimeouts};
pub use roster::{Member, Roster};
pub use sources::Sources;

use board::Board;
use lane::{Lane, LaneOrder};
use room::Room;

use crate::protocol::{AgentId, Seq};
use crate::session::SessionSource;
use crate::store::{Store, StoreFault};

/// What a broker is made from.
pub struct BrokerParts {
    /// The open store.
    pub store: Store,
    /// The agents.
    pub roster: Roster,
    /// Where sessions come from.
    pub sessions: Box<dyn SessionSource>,
    /// Time and chance.
    pub sources: Sources,
    /// The numbers.
    pub limits: RoomLimits,
    /// The waits.
    pub timeouts: RoomTimeouts,
    /// Our MCP endpoint, as an agent reaches it.
    pub mcp_url: String,
    /// The page's configured language, which the bootstrap passes on.
    pub ui_language: Option<String>,
}

/// A handle to the broker; cheap to clone.
#[derive(Clone)]
pub struct Broker {
    room: Arc<Room>,
}

/// Lanes that are not running yet: drop it and no agent is ever started.
pub struct Lanes(Vec<(Member, mpsc::Receiver<LaneOrder>)>);

impl Broker {
    /// Writes the room's actors and settles what the last run left open. Commands are taken from
    /// here on; Turns wait until `run` starts the lanes.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn open(parts: BrokerParts) -> Result<(Self, Lanes), StoreFault> {
        let BrokerParts {
            store,
            roster,
            sessions,
            sources,
            limits,
            timeouts,
            mcp_url,
            ui_language,
        } = parts;
        recover::enrol(&store, &roster, &sources).await?;
        let queued = recover::settle(&store, &roster, &sources).await?;
        let mut senders = BTreeMap::new();
        let mut lanes = Vec::new();
        for member in roster.enabled() {
            let (orders, inbox) = mpsc::channel(lane::INBOX);
            senders.insert(member.actor.clone(), orders);
            lanes.push((member.clone(), inbox));
        }
        let board = Board::of(roster.enabled().map(|m| m.agent.clone()), sources.now());
        board.count_queued(queued);
        let room = Room {
            store,
            roster,
            board,
            callers: callers::Callers::default(),
            in_flight: in_flight::InFlight::default(),
            live: live::LiveBus::default(),
            sources,
            sessions,
            lanes: senders,
            limits,
            timeouts,
            mcp_url,
            ui_language,
            settled: watch::Sender::new(false),
        };
        Ok((
            Self {
                room: Arc::new(room),
            },
            Lanes(lanes),
        ))
    }

    /// Starts every agent, in parallel.
    pub fn run(&self, lanes: Lanes) {
        for (member, inbox) in lanes.0 {
            Lane::start(self.room.clone(), member, inbox);
        }
    }

    /// Waits until every enabled agent is ready or has failed its first round of starts (Ours 19).
    pub async fn settled(&self) {
        let mut settled = self.room.settled.subscribe();
        // An error would mean that the room is gone, and we hold it.
        let _ = settled.wait_for(|settled| *settled).await;
    }

    /// How an agent stands.
    pub fn notice(&self, agent: &AgentId) -> Option<Notice> {
        self.room.board.notice(agent)
    }

    /// Listens to the room from a cursor on.
    pub fn subscribe(&self, after: Seq) -> Subscription {
        Subscription::start(
            self.room.store.clone(),
            &self.room.live,
            after,
            self.room.limits.mailbox,
        )
    }

    /// From now on the room takes no new work.
    pub fn close_doors(&self) {
        self.room.board.close();
    }

    /// Ends every session, in parallel; Turns under way end with a reason. Nothing of any agent
    /// is left when this returns.
    pub async fn close(&self) {
        self.close_doors();
        let mut waiting = Vec::new();
        for lane in self.room.lanes.values() {
            let (closed, heard) = oneshot::channel();
            if lane.send(LaneOrder::Close { closed }).await.is_ok() {
                waiting.push(heard);
            }
        }
        for heard in waiting {
            // A lane that ended before has nothing left either.
            let _ = heard.await;
        }
    }
}

#[cfg(test)]
mod tests;
