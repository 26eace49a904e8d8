//! One native CLI: its process, its pipes, its deadlines, and the driver instance that speaks for it.
//!
//! A session takes prompts, cancels and a close, and gives normalized events upward. It holds the
//! driver to its word (one end a Turn, nothing outside a Turn) and the process to its deadlines.
//! It knows no wire format, no store and no broker: who asked and what is recorded is not its business.

mod child;
mod deadlines;
mod driver_thread;
mod drivers_on_demand;
mod event;
mod frames;
mod launch;
mod live;
mod mark;
mod native;
mod stderr;
mod translate;
mod tree;
mod turn_watch;

use std::path::PathBuf;

use tokio::sync::mpsc;

use crate::config::CommandConfig;
use crate::protocol::reply::DriverSummary;
use crate::protocol::{AgentId, TurnId};

pub use drivers_on_demand::DriversOnDemand;
pub use event::{EndCause, Interaction, SessionEvent, SessionFacts, ToolNews, TurnEnd};
pub use mark::RunMark;
pub use native::{NativeSessions, SessionTimeouts};

/// GroupX's own tools, to be mounted into a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpMount {
    /// Our endpoint.
    pub url: String,
    /// The secret that tells the session's requests from everyone else's; never logged or stored.
    pub secret: String,
}

/// What a broker asks for: a session of this agent.
#[derive(Debug, Clone)]
pub struct SessionRequest {
    /// The agent.
    pub agent: AgentId,
    /// A name for logs; new for every session.
    pub session: String,
    /// An unused UUID, for CLIs that let the client choose their session's id.
    pub new_session_id: String,
    /// The native session to go on with.
    pub resume: Option<String>,
    /// GroupX's tools.
    pub mcp: Option<McpMount>,
}

/// What a session can be told. Prompts are told one at a time, only while it is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionCommand {
    /// Work on this.
    Prompt {
        /// The Turn.
        turn: TurnId,
        /// The whole context packet.
        text: String,
    },
    /// Stop working on it.
    Cancel {
        /// The Turn.
        turn: TurnId,
    },
    /// End politely.
    Close,
}

/// Both ends of a session. The events end with exactly one `Ended`; then the channel closes.
#[derive(Debug)]
pub struct SessionLink {
    /// Commands to it.
    pub commands: mpsc::Sender<SessionCommand>,
    /// Events from it, in batches as they came.
    pub events: mpsc::Receiver<Vec<SessionEvent>>,
}

/// Where sessions come from; a broker's only view of this room.
pub trait SessionSource: Send + Sync + 'static {
    /// Starts a session. Whatever goes wrong comes as its `Ended` event.
    fn open(&self, request: SessionRequest) -> SessionLink;

    /// What is known of a driver by now; nothing before it was first needed.
    fn driver(&self, id: &str) -> Option<DriverSummary>;
}

/// How an agent is started, from the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentLaunch {
    /// The driver's id.
    pub driver: String,
    /// The configured command.
    pub command: CommandConfig,
    /// Its folder, absolute.
    pub workdir: PathBuf,
}
