//! What the doors can ask of the broker, one file per verb.

mod bootstrap;
mod cancel_turn;
mod health;
mod history;
mod post_message;
mod publish;
mod read;
mod restart_agent;

pub use health::BrokerHealth;
pub use read::ReadPage;

use super::callers::Caller;
use super::{Broker, room};
use crate::protocol::{ClientCommandId, ErrorCode, Fault};

impl Broker {
    /// The session behind an MCP request's binding header.
    ///
    /// # Errors
    /// `MCP_BINDING_MISMATCH` for a header that means nothing, `MCP_UNAVAILABLE` for a session that
    /// has no tools.
    pub fn caller(&self, secret: &str) -> Result<Caller, Fault> {
        self.room.callers.caller(secret)
    }

    /// Our endpoint has answered `tools/list` under this session's binding (Ours 15).
    pub fn tools_listed(&self, caller: &Caller) {
        let actor = crate::protocol::ActorId::of(&caller.agent);
        if let Some(lane) = self.room.lanes.get(&actor)
            && lane
                .try_send(super::LaneOrder::ToolsListed(caller.binding.clone()))
                .is_err()
        {
            // A lane with a full inbox hears it with the next list; closing ones need not.
            tracing::debug!(agent = %caller.agent, "tools/list not noted");
        }
    }
}

/// The same command id stands for something else.
fn conflict(id: &ClientCommandId) -> Fault {
    let text = format!(
        "clientCommandId {id} was used for another request. Use a new id for every new request."
    );
    Fault::new(ErrorCode::ClientCommandConflict, text)
}

/// A stored answer that cannot be read back: ours to mend, not the caller's.
fn unreadable() -> Fault {
    Fault::new(
        ErrorCode::InternalError,
        "The stored answer to this command cannot be read. Look at `groupx doctor`.",
    )
}

/// A lane that ended before it answered.
fn lane_gone() -> Fault {
    room::closing()
}
