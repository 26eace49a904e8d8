//! Newtypes for every id. A `String` never crosses a room's border as an id.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::text::utf16_len;

/// Why a text is no id of the kind asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadId(pub Cow<'static, str>);

/// An id that the Broker makes itself, always `<prefix>_<32 hex digits>`.
pub trait Minted: Sized {
    /// The word before the underscore.
    const PREFIX: &'static str;
    /// Makes the id from 128 bits that the caller drew.
    fn mint(bits: u128) -> Self;
}

macro_rules! opaque_id {
    ($(#[$doc:meta])* $name:ident $(, $prefix:literal)?) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes a text that is trusted already: read from the store or made by us.
            pub fn trusted(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        $(impl Minted for $name {
            const PREFIX: &'static str = $prefix;
            fn mint(bits: u128) -> Self {
                Self(format!(concat!($prefix, "_{:032x}"), bits))
            }
        })?
    };
}

opaque_id!(
    /// A stored or transient event.
    EventId, "evt"
);
opaque_id!(
    /// One agent's Turn: one source message, one target.
    TurnId, "turn"
);
opaque_id!(
    /// A chain of interaction; a new user message starts a new one.
    CorrelationId, "corr"
);
opaque_id!(
    /// The receipt of an accepted command.
    CommandId, "cmd"
);
opaque_id!(
    /// One dispatch of a Turn to a native session.
    AttemptId, "attempt"
);
opaque_id!(
    /// A running instance of an agent: new with every process (protocol 3.1).
    InstanceId
);
opaque_id!(
    /// The stored source binding of a channel; never public (contract Ours 11).
    BindingId
);
opaque_id!(
    /// A stable public identity: `agent:codex`, `user:web`, `system:groupx`.
    ActorId
);
opaque_id!(
    /// The key of an agent in the configuration, and of its driver where none is named.
    AgentId
);
opaque_id!(
    /// The caller's name for a write; it makes the write idempotent per binding.
    ClientCommandId
);

impl InstanceId {
    /// A new instance of this agent.
    pub fn of(agent: &AgentId, bits: u128) -> Self {
        Self(format!("instance_{agent}_{bits:032x}"))
    }
}

impl BindingId {
    /// The stable source binding of the REST door.
    pub fn web() -> Self {
        Self("binding:web".into())
    }

    /// A new binding for one native session of this agent.
    pub fn of(agent: &AgentId, bits: u128) -> Self {
        Self(format!("binding_{agent}_{bits:032x}"))
    }
}

impl ActorId {
    /// The user at the browser or at a local REST client.
    pub fn web() -> Self {
        Self("user:web".into())
    }

    /// GroupX itself.
    pub fn system() -> Self {
        Self("system:groupx".into())
    }

    /// The actor of a configured agent.
    pub fn of(agent: &AgentId) -> Self {
        Self(format!("agent:{agent}"))
    }

    /// The agent behind this actor, if it is one.
    pub fn agent(&self) -> Option<AgentId> {
        self.0.strip_prefix("agent:").map(AgentId::trusted)
    }

    /// Parses an agent's actor id (contract section 1: 7 to 256 characters).
    pub fn parse_agent(text: &str) -> Result<Self, BadId> {
        let name = text
            .strip_prefix("agent:")
            .ok_or(BadId(Cow::Borrowed("must start with `agent:`")))?;
        let edge = |byte: Option<u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric());
        let inner = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'/' | b'-');
        let bytes = name.as_bytes();
        if text.len() > 256 || !edge(bytes.first().copied()) || !edge(bytes.last().copied()) {
            return Err(BadId(Cow::Borrowed(
                "must be `agent:` and a name of letters, digits and . _ / -",
            )));
        }
        if !bytes.iter().all(|b| inner(*b)) {
            return Err(BadId(Cow::Borrowed(
                "may hold only letters, digits and . _ / - after `agent:`",
            )));
        }
        Ok(Self(text.into()))
    }
}

impl AgentId {
    /// Parses a key of `agents` in the configuration (contract section 5).
    pub fn parse(text: &str) -> Result<Self, BadId> {
        let bytes = text.as_bytes();
        let edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let inner = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
        if bytes.len() > 64
            || !edge(bytes.first())
            || !edge(bytes.last())
            || !bytes.iter().all(inner)
        {
            return Err(BadId(Cow::Borrowed(
                "must be 1 to 64 letters, digits, dots, underscores or dashes, with a letter or digit at both ends",
            )));
        }
        if matches!(text, "assistant" | "__assistant__") {
            return Err(BadId(Cow::Borrowed("is reserved for the room's assistant")));
        }
        Ok(Self(text.into()))
    }
}

impl ClientCommandId {
    /// Parses the caller's command id: 1 to 128 characters, not blank.
    pub fn parse(text: &str) -> Result<Self, BadId> {
        bounded(text, 128).map(Self)
    }
}

impl EventId {
    /// Parses a reference that a caller sent: 1 to 256 characters, not blank, otherwise opaque.
    pub fn parse(text: &str) -> Result<Self, BadId> {
        bounded(text, 256).map(Self)
    }
}

impl TurnId {
    /// Parses a reference that a caller sent: 1 to 256 characters, not blank, otherwise opaque.
    pub fn parse(text: &str) -> Result<Self, BadId> {
        bounded(text, 256).map(Self)
    }
}

impl CorrelationId {
    /// Parses a reference that a caller sent: 1 to 256 characters, not blank, otherwise opaque.
    pub fn parse(text: &str) -> Result<Self, BadId> {
        bounded(text, 256).map(Self)
    }
}

fn bounded(text: &str, most: usize) -> Result<String, BadId> {
    if text.trim().is_empty() {
        return Err(BadId(Cow::Borrowed("must not be blank")));
    }
    if utf16_len(text) > most {
        return Err(BadId(Cow::Owned(format!(
            "must be at most {most} characters"
        ))));
    }
    Ok(text.to_owned())
}

/// The position of a durable event, given by the database at commit. There is no default: a
/// transient event has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "number"))]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// Before the first event.
    pub const START: Self = Self(0);
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
