//! What every GroupX driver shares.
//!
//! A driver is a state machine that maps inputs to outputs (`wit/driver.wit`). This crate owns what
//! is the same for all of them: the interface's types, the shell that turns a [`Driver`] into a
//! component, reading and writing JSON lines, the rule for noise between them, a JSON-RPC peer, and
//! [`story`], in which a driver's tests are told. It refuses to know any CLI, and it does no I/O: no
//! clock, no random, no environment, and no hash map, whose seed would be random.

#[rustfmt::skip]
#[allow(missing_docs, unreachable_pub, unsafe_code, clippy::all, clippy::unwrap_used)]
pub mod bindings;

mod driver;
pub mod folder;
mod interface;
pub mod json;
pub mod jsonrpc;
pub mod line;
mod outbox;
#[cfg(not(target_family = "wasm"))]
pub mod story;
pub mod text;

#[doc(hidden)]
pub mod component;

pub use driver::{Driver, Step};
pub use interface::*;
pub use outbox::Outbox;
