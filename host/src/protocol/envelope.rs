//! The one shape of everything that happens in the room (protocol section 2).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::actor::ActorRef;
use super::body::EventBody;
use super::id::{ActorId, CorrelationId, EventId, Seq, TurnId};
use super::time::Timestamp;
use super::{ROOM, SCHEMA};

/// Durable events have a seq and are replayed; transient ones are only live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// Stored, numbered, replayed.
    Durable,
    /// Live only; `seq` is null.
    Transient,
}

/// The name of an event. Unknown names are kept and replayed (ENV-03); three namespaces are never
/// allowed, since GroupX has no approvals of any kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
#[serde(transparent)]
pub struct EventType(String);

impl EventType {
    /// Takes a name, or says that it stands in a reserved namespace.
    pub fn parse(name: &str) -> Result<Self, ReservedNamespace> {
        let reserved = ["approval.", "permission.", "user_input."];
        if reserved.iter().any(|prefix| name.starts_with(prefix)) {
            return Err(ReservedNamespace(name.to_owned()));
        }
        Ok(Self(name.to_owned()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for EventType {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let name = String::deserialize(input)?;
        Self::parse(&name).map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An event name in a namespace that may not exist (protocol section 15).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "event type `{0}` is in a reserved namespace: GroupX has no approvals, permissions or user input requests"
)]
pub struct ReservedNamespace(pub String);

/// Which door an event came through; written by the Broker only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// The browser or another REST client.
    Web,
    /// An agent's native session.
    Adapter,
    /// An agent's call of a GroupX tool.
    Mcp,
    /// GroupX itself.
    System,
    /// A summary that an agent generated.
    GeneratedSummary,
    /// The supervision pairing.
    Supervision,
    /// The room's assistant or the user's own MCP client.
    Operator,
}

/// Where an event came from; never holds a binding, a native session or a process id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// The door.
    pub source_kind: SourceKind,
    /// The author, where the actor of the event is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub author_actor_id: Option<ActorId>,
    /// Whom it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub subject_actor_id: Option<ActorId>,
    /// The event it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub source_event_id: Option<EventId>,
    /// Free labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub labels: Option<Vec<String>>,
}

impl Provenance {
    /// A provenance that names only the door.
    pub fn from_door(source_kind: SourceKind) -> Self {
        Self {
            source_kind,
            author_actor_id: None,
            subject_actor_id: None,
            source_event_id: None,
            labels: None,
        }
    }
}

/// One event, durable or transient.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    /// Always `groupx.event/0.1`.
    pub schema: String,
    /// Unique for ever.
    pub event_id: EventId,
    /// The commit position; null for transient events.
    pub seq: Option<Seq>,
    /// Always `room:main`.
    pub room_id: String,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: EventType,
    /// Who did it.
    pub actor: ActorRef,
    /// The agents that this event wakes.
    pub to: Vec<ActorId>,
    /// What it visibly answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub reply_to_event_id: Option<EventId>,
    /// What it passes on; the author is read from the original.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub forwarded_event_id: Option<EventId>,
    /// The event or Turn that caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub causation_id: Option<String>,
    /// Its chain.
    pub correlation_id: CorrelationId,
    /// The root of its chain.
    pub root_correlation_id: CorrelationId,
    /// The Turn whose tool call made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub parent_turn_id: Option<TurnId>,
    /// How many agents stand between it and the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub hop_count: Option<u32>,
    /// How often its target was called within the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub actor_call_count_within_root: Option<u32>,
    /// The caller's command id; never a binding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub idempotency_key: Option<String>,
    /// When.
    pub occurred_at: Timestamp,
    /// Stored or live only.
    pub durability: Durability,
    /// What the type says stands here.
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    pub body: Value,
    /// Where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub provenance: Option<Provenance>,
    /// Fields of a later edition, kept as they were (ENV-04).
    #[serde(flatten)]
    #[cfg_attr(test, ts(skip))]
    pub extra: Map<String, Value>,
}

impl Envelope {
    /// An event of `body`'s type and durability with only the fields that every event has.
    pub fn new(
        event_id: EventId,
        actor: ActorRef,
        correlation: CorrelationId,
        at: Timestamp,
        body: &EventBody,
    ) -> Self {
        Self {
            schema: SCHEMA.into(),
            event_id,
            seq: None,
            room_id: ROOM.into(),
            kind: EventType(body.type_name().into()),
            actor,
            to: Vec::new(),
            reply_to_event_id: None,
            forwarded_event_id: None,
            causation_id: None,
            root_correlation_id: correlation.clone(),
            correlation_id: correlation,
            parent_turn_id: None,
            hop_count: None,
            actor_call_count_within_root: None,
            idempotency_key: None,
            occurred_at: at,
            durability: body.durability(),
            body: body.to_value(),
            provenance: None,
            extra: Map::new(),
        }
    }

    /// The same event, caused by an event or a Turn.
    pub fn caused_by(mut self, cause: impl fmt::Display) -> Self {
        self.causation_id = Some(cause.to_string());
        self
    }

    /// The same event within another root than its own chain.
    pub fn within_root(mut self, root: CorrelationId) -> Self {
        self.root_correlation_id = root;
        self
    }

    /// The same event, from this door.
    pub fn from_door(mut self, door: SourceKind) -> Self {
        self.provenance = Some(Provenance::from_door(door));
        self
    }
}
