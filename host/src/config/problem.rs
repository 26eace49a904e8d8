//! What can be wrong with a configuration: typed, so that it can be said in any language. The
//! `Display` here is English.

use std::fmt;
use std::path::PathBuf;

use crate::protocol::id::BadId;

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The key, from the top of the file: `agents.codex.cwd`; empty for the whole file.
    pub path: String,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// No key of that name belongs there.
    Unknown {
        /// The known key that it may have been meant to be, from the top of the file.
        nearest: Option<String>,
        /// All keys that belong there.
        known: Vec<&'static str>,
    },
    /// It stands there more than once.
    Repeated,
    /// It has to be there.
    Missing,
    /// It is of another kind.
    Kind(Kind),
    /// The number is outside its bounds.
    Bounds(u64, u64),
    /// The text has more characters than this.
    TooLong(usize),
    /// The text is blank.
    Blank,
    /// It is none of these words.
    Word(Vec<&'static str>),
    /// The transport of the first edition, which is gone (TURN-13).
    DirectTransport,
    /// The id of an agent does not have the form of one.
    AgentId(BadId),
    /// There is no agent at all.
    NoAgents,
    /// The id of the agent does not name a driver, so the file has to.
    DriverNeeded,
    /// It does not have the form of a driver's id.
    DriverId,
}

/// A kind of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An object.
    Object,
    /// A text.
    Text,
    /// True or false.
    Flag,
    /// A number without a fraction.
    Whole,
    /// A list of texts.
    Texts,
    /// A text or an object.
    Command,
}

/// Why there is no configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigError {
    /// There is no such file.
    Absent {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// It is no JSON.
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where and why the parser stopped.
        reason: String,
    },
    /// It is JSON, but no configuration.
    Invalid {
        /// The file.
        path: PathBuf,
        /// Everything that is wrong, in the order of the keys; never empty.
        problems: Vec<Problem>,
    },
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { path } => write!(f, "There is no {}.", path.display()),
            Self::Unreadable { path, reason } => {
                write!(f, "{} cannot be read: {reason}.", path.display())
            }
            Self::Syntax { path, reason } => {
                write!(f, "{} is not valid JSON: {reason}.", path.display())
            }
            Self::Invalid { path, problems } => {
                write!(f, "{} cannot be used:", path.display())?;
                problems
                    .iter()
                    .try_for_each(|problem| write!(f, "\n  {problem}"))
            }
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(f, "The file {}", self.reason),
            path => write!(f, "`{path}` {}", self.reason),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown {
                nearest: Some(nearest),
                ..
            } => {
                write!(f, "is not a key of groupx.json. Did you mean `{nearest}`?")
            }
            Self::Unknown {
                nearest: None,
                known,
            } => {
                write!(
                    f,
                    "is not a key of groupx.json. Known here: {}.",
                    known.join(", ")
                )
            }
            Self::Repeated => f.write_str("stands there twice. Remove one of them."),
            Self::Missing => f.write_str("is missing."),
            Self::Kind(kind) => write!(f, "must be {kind}."),
            Self::Bounds(least, most) => write!(f, "must be from {least} to {most}."),
            Self::TooLong(most) => write!(f, "must be at most {most} characters long."),
            Self::Blank => f.write_str("must not be blank."),
            Self::Word(words) => {
                let quoted: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
                write!(f, "must be {}.", quoted.join(" or "))
            }
            Self::DirectTransport => f.write_str(
                "is \"direct\", which GroupX no longer has: every agent is spoken to over its own \
                 protocol. Remove the line.",
            ),
            Self::AgentId(why) => write!(f, "is no id for an agent: it {why}."),
            Self::NoAgents => f.write_str("must hold at least one agent."),
            Self::DriverNeeded => f.write_str(
                "is missing. Only codex, grok, kimi, hermes and claude name their driver by \
                 themselves.",
            ),
            Self::DriverId => f.write_str(
                "is no driver's id: those are 1 to 32 lower-case letters, digits and dashes.",
            ),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Object => "an object",
            Self::Text => "a text",
            Self::Flag => "true or false",
            Self::Whole => "a whole number",
            Self::Texts => "a list of texts",
            Self::Command => "a text, or an object with `executable` and `prefixArgs`",
        })
    }
}
