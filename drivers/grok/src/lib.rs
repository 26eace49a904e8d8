//! The driver for xAI's Grok CLI, spoken to as `grok agent stdio`.
//!
//! It owns the profile and nothing else: the protocol is `groupx-acp`'s, and what is odd about Grok is
//! [`groupx_acp::known::GROK`].

#[cfg(test)]
mod tests;

use groupx_acp::{Acp, Agents, Cli, Profile, known};
use groupx_driver_sdk::export_driver;

export_driver!(Grok);

/// The driver.
pub type Grok = Acp<GrokCli>;

/// Grok.
pub struct GrokCli;

impl Cli for GrokCli {
    const PROFILE: Profile = Profile {
        id: "grok",
        display_name: "Grok",
        agents: Agents::Only(&known::GROK),
        unrestricted: "--permission-mode bypassPermissions --sandbox off",
    };
}
