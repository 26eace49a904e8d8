//! What the doors answer (contract section 2).

use serde::{Deserialize, Serialize};

use super::envelope::Envelope;
use super::id::{ActorId, AgentId, CorrelationId, EventId, InstanceId, Seq, TurnId};
use super::time::Timestamp;
use super::turn::{Transport, TurnStatus};

/// One Turn that an accepted message made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AcceptedTurn {
    /// Whose Turn.
    pub target: ActorId,
    /// Its id.
    pub turn_id: TurnId,
    /// Always `queued`: accepted is not dispatched.
    pub status: TurnStatus,
    /// The room's transport.
    pub transport: Transport,
}

/// The answer to an accepted message; it also is the stored receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    /// The stored message.
    pub message_event_id: EventId,
    /// Its chain.
    pub correlation_id: CorrelationId,
    /// One per target, in the order of `to`.
    pub turns: Vec<AcceptedTurn>,
}

/// The answer to a published message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// The stored message.
    pub message_event_id: EventId,
    /// Its chain.
    pub correlation_id: CorrelationId,
}

/// The answer to a cancel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CancelAnswer {
    /// The Turn.
    pub turn_id: TurnId,
    /// False when the Turn was over already.
    pub accepted: bool,
    /// Where it stands now.
    pub status: TurnStatus,
}

/// The answer to a restart of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RestartAnswer {
    /// The agent's actor.
    pub actor_id: ActorId,
    /// Always true.
    pub accepted: bool,
    /// The instance that was replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_instance_id: Option<InstanceId>,
}

/// How an agent's session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AgentStatus {
    /// Its first session is being started.
    Starting,
    /// It takes prompts.
    Ready,
    /// It was lost and is being started again.
    Degraded,
    /// It could not be started; a restart may help.
    Failed,
    /// It was ended on purpose.
    Stopped,
    /// A policy outside GroupX forbids it (INT-02).
    NativePolicyBlocked,
}

/// Whether the agent has GroupX's own tools (Ours 15).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ToolsState {
    /// Mounted; our endpoint has not been asked for its tools yet.
    Pending,
    /// Our endpoint has answered `tools/list` under the session's binding.
    Attached,
    /// The driver cannot mount them, or the time for it is over.
    Missing,
}

/// What the room fixes for every agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AgentCapabilities {
    /// Always `structured`.
    pub transport: Transport,
    /// Always `active`.
    pub transport_lifecycle: &'static str,
    /// Always `unrestricted`.
    pub access: &'static str,
    /// True while GroupX's tools are attached (Ours 21).
    pub current_turn_mcp: bool,
}

/// One agent in the bootstrap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BootstrapAgent {
    /// Its actor.
    pub actor_id: ActorId,
    /// Its name.
    pub display_name: String,
    /// How its session stands.
    pub status: AgentStatus,
    /// The running instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub instance_id: Option<InstanceId>,
    /// Its folder.
    pub cwd: String,
    /// Always true: disabled agents are absent.
    pub enabled: bool,
    /// What the room fixes.
    pub capabilities: AgentCapabilities,
    /// Whether GroupX's tools are there.
    pub tools: ToolsState,
    /// Its driver's id.
    pub driver: String,
    /// What is known of its driver by now.
    pub driver_info: DriverSummary,
    /// Why it does not work, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub last_error: Option<String>,
}

/// An agent's driver, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DriverSummary {
    /// Its version, once it is loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub version: Option<String>,
    /// The native protocol it speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub protocol: Option<String>,
    /// What unrestricted becomes for this CLI.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub unrestricted: Option<String>,
}

/// A Turn that is not over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ActiveTurn {
    /// The Turn.
    pub turn_id: TurnId,
    /// Its agent.
    pub target_actor_id: ActorId,
    /// Where it stands.
    pub status: TurnStatus,
    /// The message behind it.
    pub source_event_id: EventId,
}

/// The room and the cursor it is current to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RoomHead {
    /// Always `room:main`.
    pub room_id: String,
    /// Everything up to here is in the projection.
    pub through_seq: Seq,
}

/// Where older events go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PreviousPage {
    /// Ask for events before this one.
    pub before_seq: Seq,
}

/// One page of older events, in ascending order (Ours 5).
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HistoryPage {
    /// The events.
    pub events: Vec<Envelope>,
    /// Present when there are older ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub previous_page: Option<PreviousPage>,
}

/// The room in one snapshot (protocol 10.1).
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Bootstrap {
    /// Always `groupx.bootstrap/0.1`.
    pub schema: &'static str,
    /// The room and its cursor.
    pub room: RoomHead,
    /// The enabled agents, in the configuration's order.
    pub agents: Vec<BootstrapAgent>,
    /// The newest durable events, ascending.
    pub recent_events: Vec<Envelope>,
    /// The configured language of the page, `en` or `zh`; the browser decides where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub ui_language: Option<String>,
    /// Every Turn that is not over.
    pub active_turns: Vec<ActiveTurn>,
    /// Present when older events exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub previous_page: Option<PreviousPage>,
}

/// How far the runtime is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Readiness {
    /// Agents are being started.
    Starting,
    /// Every enabled agent is ready or failed its first round (Ours 19).
    Ready,
    /// Draining.
    Closing,
    /// The store is not usable.
    Failed,
}

/// One agent in the health answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AgentHealth {
    /// The agent's key.
    pub adapter_id: AgentId,
    /// How its session stands.
    pub status: AgentStatus,
    /// The running instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub instance_id: Option<InstanceId>,
    /// Whether a native session is there.
    pub native_session_available: bool,
    /// Whether GroupX's tools are there.
    pub tools: ToolsState,
    /// Why it does not work, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub last_error: Option<String>,
    /// When this changed.
    pub updated_at: Timestamp,
}

/// The store in the health answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StoreHealth {
    /// Whether the last write went through.
    pub available: bool,
    /// The result of the last check, not a new one (Ours 7).
    pub integrity_ok: bool,
    /// Our own schema number.
    pub schema_version: u32,
    /// Always `wal`.
    pub journal_mode: &'static str,
}

/// The health answer (contract section 2); it costs nothing to make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// `ok` or `degraded`.
    pub status: &'static str,
    /// How far the runtime is.
    pub readiness: Readiness,
    /// Always `structured`.
    pub transport: Transport,
    /// Always `active`.
    pub transport_lifecycle: &'static str,
    /// Always `unrestricted`.
    pub access: &'static str,
    /// The store.
    pub store: StoreHealth,
    /// The enabled agents.
    pub agents: Vec<AgentHealth>,
    /// Turns that an agent works on.
    #[cfg_attr(test, ts(type = "number"))]
    pub active_turns: u64,
    /// Turns that wait.
    #[cfg_attr(test, ts(type = "number"))]
    pub queued_turns: u64,
    /// Always `groupx`.
    pub service: &'static str,
    /// Always `groupx.runtime/1`.
    pub protocol: &'static str,
    /// SHA-256 of the canonical configuration and its path.
    pub runtime_key: String,
    /// SHA-256 of the path alone.
    pub runtime_scope_key: String,
}
