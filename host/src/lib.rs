//! GroupX: a local room for coding agents and their user.
//!
//! The rooms and who may know whom are drawn in `ARCHITECTURE.md`; each folder's first sentence
//! says what it owns and what it refuses to know.

pub mod broker;
pub mod cli;
pub mod config;
pub mod context;
pub mod driver;
pub mod http;
pub mod mcp;
pub mod protocol;
pub mod runtime;
pub mod session;
pub mod store;

#[cfg(test)]
mod tidy;
