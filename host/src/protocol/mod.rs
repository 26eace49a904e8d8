//! The words of GroupX: ids, the envelope, event bodies, errors, limits, requests and replies.
//!
//! This room owns meaning and shape. It knows no other room, does no I/O, reads no clock and draws
//! no random numbers: time and ids come in as arguments.

pub mod actor;
pub mod body;
pub mod canonical;
pub mod envelope;
pub mod error;
pub mod id;
pub mod limits;
pub mod reply;
pub mod request;
pub mod text;
pub mod time;
pub mod turn;
#[cfg(test)]
mod typescript;

pub use actor::{ActorKind, ActorRef};
pub use body::EventBody;
pub use envelope::{Durability, Envelope, EventType, Provenance, SourceKind};
pub use error::{ErrorCode, Fault, Issue};
pub use id::{
    ActorId, AgentId, AttemptId, BindingId, ClientCommandId, CommandId, CorrelationId, EventId,
    InstanceId, Minted, Seq, TurnId,
};
pub use time::Timestamp;
pub use turn::{DeliveryCertainty, DispatchPhase, Transport, TurnStatus};

/// The one room of this edition.
pub const ROOM: &str = "room:main";
/// The envelope's schema; a changed meaning or a removed field raises it (protocol section 15).
pub const SCHEMA: &str = "groupx.event/0.1";
