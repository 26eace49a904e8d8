//! Who speaks. The Broker alone fills these in, from the channel an act came through.

use serde::{Deserialize, Serialize};

use super::id::{ActorId, InstanceId};

/// The three kinds of actors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ActorKind {
    /// A person, or the assistant that acts for one.
    User,
    /// A configured agent.
    Agent,
    /// GroupX itself.
    System,
}

impl ActorKind {
    /// The word in the envelope and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
            Self::System => "system",
        }
    }
}

/// The author in an envelope; the display name is frozen when the event is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ActorRef {
    /// The stable identity.
    pub actor_id: ActorId,
    /// What kind of actor it is.
    pub kind: ActorKind,
    /// The running instance, for agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub instance_id: Option<InstanceId>,
    /// The name to show.
    pub display_name: String,
}

impl ActorRef {
    /// The user at the REST door.
    pub fn web() -> Self {
        Self {
            actor_id: ActorId::web(),
            kind: ActorKind::User,
            instance_id: None,
            display_name: "You".into(),
        }
    }

    /// GroupX itself.
    pub fn system() -> Self {
        Self {
            actor_id: ActorId::system(),
            kind: ActorKind::System,
            instance_id: None,
            display_name: "GroupX".into(),
        }
    }
}
