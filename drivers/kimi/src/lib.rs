//! The driver for Moonshot AI's Kimi Code, spoken to as `kimi acp`.
//!
//! It owns the profile and nothing else: the protocol is `groupx-acp`'s, and what is odd about Kimi is
//! [`groupx_acp::known::KIMI`].

#[cfg(test)]
mod tests;

use groupx_acp::{Acp, Agents, Cli, Profile, known};
use groupx_driver_sdk::export_driver;

export_driver!(Kimi);

/// The driver.
pub type Kimi = Acp<KimiCode>;

/// Kimi Code.
pub struct KimiCode;

impl Cli for KimiCode {
    const PROFILE: Profile = Profile {
        id: "kimi",
        display_name: "Kimi Code",
        agents: Agents::Only(&known::KIMI),
        unrestricted: "mode \"auto\": it never asks",
    };
}
