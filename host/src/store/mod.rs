//! The room's memory on disk: SQLite, and the only room that writes SQL.
//!
//! Typed transactions go in, typed rows come out. One writer thread commits in groups, a few
//! readers serve snapshots. It knows the protocol's words; it knows no broker, no session and no
//! door, and it never decides what should happen: callers bring finished events and it stores them
//! all or none.

mod accept;
mod attempts;
mod bootstrap;
mod commands;
mod events;
mod fault;
mod integrity;
mod open;
mod readers;
mod recovery;
mod rows;
mod said;
mod sessions;
mod tail;
mod terminal;
mod writer;

pub use accept::{Acceptance, NewMessage, NewTurn};
pub use attempts::{Claim, Claimed};
pub use bootstrap::Snapshot;
pub use commands::{NewCommand, Receipt};
pub use events::{Page, StoredFrame};
pub use fault::{OpenFault, StoreFault};
pub use open::{Durability, SCHEMA_VERSION, Store};
pub use recovery::{OpenTurn, Recovery};
pub use rows::{TurnOutcome, TurnRow};
pub use said::{PacketQuery, PacketRows, Said};
pub use sessions::{NewSession, ResumableSession, RosterEntry};
pub use tail::Tail;
pub use terminal::{Ending, ToolRecord};

#[cfg(test)]
mod tests;
