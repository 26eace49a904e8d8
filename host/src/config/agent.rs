//! One agent of the room, and the brain of its assistant, as the file describes them.

use std::path::PathBuf;

use serde::Serialize;

use crate::protocol::AgentId;

/// Keys that name their driver by themselves, with the name people know them by.
pub(super) const BUILT_IN: [(&str, &str); 5] = [
    ("codex", "Codex"),
    ("grok", "Grok"),
    ("kimi", "Kimi"),
    ("hermes", "Hermes"),
    ("claude", "Claude"),
];

/// What to run: an executable and, for `node` alone, the script in front of the driver's own
/// arguments. There are no other arguments and no environment (DRV-07).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommandConfig {
    /// A name for PATH, or a path relative to the file; `~/` is the home folder.
    pub executable: String,
    /// Empty, or one script for `node`.
    pub prefix_args: Vec<String>,
}

impl CommandConfig {
    /// A bare executable.
    pub fn bare(executable: &str) -> Self {
        Self {
            executable: executable.into(),
            prefix_args: vec![],
        }
    }
}

/// One entry of `agents`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentConfig {
    /// The key.
    pub id: AgentId,
    /// The id of a driver, which may or may not be loaded.
    pub driver: String,
    /// The name that the file gives, 1 to 64 characters.
    pub name: Option<String>,
    /// What the agent is told about itself with every Turn.
    pub identity: Option<String>,
    /// What to run.
    pub command: CommandConfig,
    /// The agent's folder, absolute; it may not exist.
    pub cwd: PathBuf,
    /// False: it is not started, not addressed and not shown.
    pub enabled: bool,
}

impl AgentConfig {
    /// The name for people: the file's, the one that a built-in key is known by, or the key.
    pub fn display_name(&self) -> &str {
        let known = BUILT_IN.iter().find(|(key, _)| *key == self.id.as_str());
        match (&self.name, known) {
            (Some(name), _) => name,
            (None, Some((_, name))) => name,
            (None, None) => self.id.as_str(),
        }
    }
}

/// The block `assistant`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AssistantConfig {
    /// Whether the side conversation exists.
    pub enabled: bool,
    /// Its name for people.
    pub name: String,
    /// The CLI behind it.
    pub brain: BrainConfig,
    /// The user's addition to its instructions.
    pub extra_instructions: Option<String>,
}

/// The block `assistant.brain`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BrainConfig {
    /// The id of a driver.
    pub driver: String,
    /// What to run.
    pub command: CommandConfig,
    /// Its folder, absolute.
    pub cwd: PathBuf,
}
