//! The configuration: `groupx.json`, parsed at the door into types that cannot be wrong.
//!
//! Owns the keys of the file, their bounds, defaults and silent upgrades, the identity that a
//! runtime derives from them, and how a configured command becomes an executable. It refuses to
//! know which drivers are loaded, whether an agent works, or anything that runs.

mod agent;
mod choice;
pub mod command;
mod demo;
mod document;
mod identity;
pub mod key;
pub mod keys;
mod numbers;
mod paths;
pub mod private;
mod problem;
mod read;
mod section;

use std::path::{Path, PathBuf};

use serde::Serialize;

pub use agent::{AgentConfig, AssistantConfig, BrainConfig, CommandConfig};
pub use choice::{Durability, Language};
pub use identity::RuntimeIdentity;
pub use numbers::{Limits, Timeouts};
pub use problem::{ConfigError, Kind, Problem, Reason};

/// The file that is read when no other is named.
pub const DEFAULT_FILE: &str = "groupx.json";

/// A whole configuration, defaults filled in and paths made absolute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Config {
    /// The file it came from, canonical. It names the runtime, see [`RuntimeIdentity`].
    #[serde(skip)]
    pub path: PathBuf,
    /// Port on 127.0.0.1, 1 to 65535.
    pub port: u16,
    /// Where and how safely events are kept.
    pub storage: StorageConfig,
    /// The agents in the order of the file, disabled ones included.
    pub agents: Vec<AgentConfig>,
    /// The side conversation; off unless it is there and enabled.
    pub assistant: Option<AssistantConfig>,
    /// What one room may hold.
    pub limits: Limits,
    /// How long each wait may take.
    pub timeouts: Timeouts,
    /// A folder of further drivers, absolute.
    pub drivers_dir: Option<PathBuf>,
    /// The language of the command line and the page; the locale decides where it is absent.
    pub ui_language: Option<Language>,
}

/// The section `storage`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StorageConfig {
    /// The database file, absolute. It and its folder may not exist yet.
    pub path: PathBuf,
    /// What an accepted message has survived when its answer goes out.
    pub durability: Durability,
}

impl Config {
    /// Reads and checks a file. `~/` means the home folder of the user who runs this process.
    ///
    /// # Errors
    /// [`ConfigError::Absent`] when there is no file; otherwise everything that is wrong with it.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let unreadable = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => ConfigError::Absent { path: path.into() },
            _ => ConfigError::Unreadable {
                path: path.into(),
                reason: error.to_string(),
            },
        };
        let canonical = path.canonicalize().map_err(unreadable)?;
        let text = std::fs::read_to_string(&canonical).map_err(unreadable)?;
        Self::parse(&text, canonical, std::env::home_dir().as_deref())
    }

    /// Checks the text of a file that lies at `path` (canonical).
    ///
    /// # Errors
    /// Everything that is wrong with it, in the order of the keys.
    pub fn parse(text: &str, path: PathBuf, home: Option<&Path>) -> Result<Self, ConfigError> {
        read::config(text, path, home)
    }

    /// The folder of the file: relative paths in it start here.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// What tells this runtime from others on the same port.
    pub fn identity(&self) -> RuntimeIdentity {
        RuntimeIdentity::of(self)
    }

    /// The agents that a room addresses, in the order of the file.
    pub fn enabled_agents(&self) -> impl Iterator<Item = &AgentConfig> {
        self.agents.iter().filter(|agent| agent.enabled)
    }
}

#[cfg(test)]
mod tests;
