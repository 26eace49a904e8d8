//! The MCP door: GroupX's own tools for the agents in the room, at `/mcp`.
//!
//! Owns the binding header, the tools with their texts and schemas, and the shape of tool errors;
//! the wire itself is `rmcp`'s. It refuses to know routes, the store, and which agent a caller is:
//! the Broker finds that out from the binding, and a tool is a command like any other.
//!
//! Every POST gets a server of its own and no session is kept (contract section 4).

mod binding;
mod door;
mod idle;
mod post;
mod refusal;
mod server;
mod tools;
mod version;
mod words;

use tokio_util::sync::CancellationToken;

use crate::broker::Broker;

pub use door::Door;

/// What stands behind the member tools.
pub struct Member {
    /// Takes the commands.
    pub broker: Broker,
    /// The configured message limit, in UTF-16 code units.
    pub message_characters: usize,
    /// Ends the idle streams.
    pub draining: CancellationToken,
    /// Cuts off what is still answered when the server closes.
    pub closing: CancellationToken,
}
