//! Every sentence of the command line, once in each language. A sentence that one language lacks
//! does not compile.

mod chinese;
mod chinese_config;
mod english;
mod help;

use std::path::Path;

pub(super) use help::Help;

use crate::config::command::CommandProblem;
use crate::config::{ConfigError, Language};

/// Something to say.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sentence<'a> {
    /// A word of the command line that nobody knows, and the one that may have been meant.
    NotUnderstood {
        word: &'a str,
        meant: Option<&'a str>,
    },
    /// A flag that contradicts another.
    NotTogether { word: &'a str },
    /// A flag that needs a value.
    ValueNeeded { word: &'a str },
    /// There is no configuration at this path, with an example of one.
    NoConfiguration { path: &'a Path, example: &'a str },
    /// The configuration cannot be used.
    BadConfiguration(&'a ConfigError),
    /// The address; the same words in every language, because scripts wait for them.
    Listening { origin: &'a str },
    /// This very room is running already.
    AlreadyRunning { origin: &'a str },
    /// The same file runs as it was before it changed, or in another version of GroupX.
    RunsAsItWas { port: u16 },
    /// Another room has the port.
    OtherRoom { port: u16 },
    /// Another program has the port.
    OtherProgram { port: u16 },
    /// The room that ends on this port does not come to its end.
    StillEnding { port: u16 },
    /// The room could not be opened.
    NotStarted { reason: &'a str },
    /// Where the demo room lives.
    DemoRoom { folder: &'a Path },
    /// The folder of the demo room could not be made.
    NoDemoRoom { reason: &'a str },
    /// A driver is being compiled.
    DriverCompiling { driver: &'a str },
    /// An agent is being started.
    AgentStarting { agent: &'a str },
    /// An agent takes messages; it may have its earlier session back.
    AgentReady { agent: &'a str, resumed: bool },
    /// An agent could not be started.
    AgentFailed { agent: &'a str, message: &'a str },
    /// All agents have been started or have failed.
    Ready,
    /// The room is ending.
    Closing,
    /// Nothing runs there.
    NotRunning { port: u16 },
    /// The room was asked to end.
    Stopping,
    /// The room has ended.
    Stopped,
    /// The room on the port runs another file.
    NotOurs { port: u16 },
    /// The room refused to end.
    StopRefused { status: u16 },
    /// The room has not ended in time.
    StopTooSlow { seconds: u64 },
    /// Why a command cannot be started.
    Command(&'a CommandProblem),
    /// The doctor's first line.
    Doctor { version: &'a str, system: &'a str },
    /// The configuration is fine.
    FoundConfiguration { path: &'a str },
    /// The database can be used, or made.
    FoundDatabase { path: &'a str, exists: bool },
    /// A file cannot be read and written.
    FileNotWritable { path: &'a Path },
    /// Nothing can be made in a folder.
    FolderNotWritable { path: &'a Path },
    /// The room of this configuration is running.
    RoomRuns { port: u16 },
    /// Nobody has the port.
    PortIsFree { port: u16 },
    /// Somebody else has the port.
    PortIsTaken { port: u16 },
    /// The heading above the drivers.
    Drivers,
    /// The heading above the agents.
    Agents,
    /// What was found for a driver or an agent.
    Row { name: &'a str, found: &'a str },
    /// An agent that takes no part.
    DisabledRow { name: &'a str },
    /// A problem that stands for itself.
    Problem { text: &'a str },
    /// An agent's folder is not there.
    NoFolder { path: &'a Path },
    /// A CLI is not installed; the driver knows how that is done.
    NotInstalled { names: &'a str, hint: &'a str },
    /// A CLI does not say its version.
    VersionTooSlow,
    /// A CLI is there and cannot be started.
    DoesNotStart { path: &'a Path, reason: &'a str },
}

impl Sentence<'_> {
    /// The sentence as a person reads it.
    pub(super) fn in_language(&self, language: Language) -> String {
        match language {
            Language::English => english::say(self),
            Language::Chinese => chinese::say(self),
        }
    }
}

/// The language of the environment, as POSIX ranks its variables.
#[derive(Debug, Clone, Default)]
pub(super) struct Locale {
    variables: [Option<String>; 3],
}

impl Locale {
    /// The variables of this process.
    pub(super) fn from_env() -> Self {
        Self {
            variables: ["LC_ALL", "LC_MESSAGES", "LANG"].map(|name| std::env::var(name).ok()),
        }
    }

    /// Chinese for every Chinese locale, else English.
    pub(super) fn language(&self) -> Language {
        let set = self
            .variables
            .iter()
            .flatten()
            .find(|value| !value.is_empty());
        let word = set.and_then(|value| value.split(['_', '-', '.', '@']).next());
        match word {
            Some(word) if word.eq_ignore_ascii_case("zh") => Language::Chinese,
            _ => Language::English,
        }
    }
}

#[cfg(test)]
mod tests;
