//! The driver for any agent that speaks the Agent Client Protocol and has no driver of its own.
//!
//! It owns the list of agents that are known by name ([`groupx_acp::known`]): the arguments that make
//! their programs speak the protocol, and their unattended modes. A program that is not on it is started
//! without arguments.

#[cfg(test)]
mod tests;

use groupx_acp::{Acp, Agents, Cli, Profile, known};
use groupx_driver_sdk::export_driver;

export_driver!(AnyAgent);

/// The driver.
pub type AnyAgent = Acp<Anybody>;

/// Whoever speaks the protocol.
pub struct Anybody;

impl Cli for Anybody {
    const PROFILE: Profile = Profile {
        id: "acp",
        display_name: "ACP agent",
        agents: Agents::Any(&known::ALL),
        unrestricted: "the agent's own mode that asks nobody: yolo, auto-approve, dont_ask, bypassPermissions or auto",
    };
}
