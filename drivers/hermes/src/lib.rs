//! The driver for Nous Research's Hermes Agent, spoken to as `hermes --yolo acp`.
//!
//! It owns the profile and nothing else: the protocol is `groupx-acp`'s, and what is odd about Hermes is
//! [`groupx_acp::known::HERMES`].

#[cfg(test)]
mod tests;

use groupx_acp::{Acp, Agents, Cli, Profile, known};
use groupx_driver_sdk::export_driver;

export_driver!(Hermes);

/// The driver.
pub type Hermes = Acp<HermesAgent>;

/// Hermes Agent.
pub struct HermesAgent;

impl Cli for HermesAgent {
    const PROFILE: Profile = Profile {
        id: "hermes",
        display_name: "Hermes",
        agents: Agents::Only(&known::HERMES),
        unrestricted: "--yolo, and mode \"dont_ask\"",
    };
}
