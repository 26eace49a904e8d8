//! What each event type carries (contract section 3). Written only through these types, so that no
//! body can hold a field nobody agreed on; read back as JSON, since a store may be newer than we.

use serde::Serialize;
use serde_json::Value;

use super::envelope::Durability;
use super::error::ErrorCode;
use super::id::{ActorId, AgentId, AttemptId, EventId, TurnId};
use super::turn::{DeliveryCertainty, DispatchPhase, Transport, TurnStatus};

/// What a Turn cost, as the CLI told it; an unknown figure is absent, never zero (Ours 17).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TurnUsage {
    /// Tokens read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub input_tokens: Option<u64>,
    /// Of these, read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub cached_input_tokens: Option<u64>,
    /// Tokens written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub output_tokens: Option<u64>,
    /// Of these, for reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub reasoning_tokens: Option<u64>,
    /// US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub cost_usd: Option<f64>,
    /// Tokens of the model's window in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub context_used: Option<u64>,
    /// The model's window in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub context_window: Option<u64>,
}

impl TurnUsage {
    /// True when the CLI told nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Which tool record this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum ToolEvent {
    /// The tool began, or says more while it runs.
    #[serde(rename = "tool.started")]
    Started,
    /// The tool ended, well or not.
    #[serde(rename = "tool.completed")]
    Completed,
}

/// A native interaction that was refused; holds no option and no command (protocol section 9).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RefusedInteraction {
    /// What was asked for, e.g. `command-approval`.
    pub kind: String,
    /// The agent's key.
    pub adapter_id: String,
    /// The native method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason_code: Option<String>,
}

/// Whether a native session went on or began anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Continuity {
    /// Nothing was there to go on with.
    NewSession,
    /// A resume is being tried.
    Resume,
    /// The agent really has its old context.
    Resumed,
    /// The old context is lost; `note` says why.
    NewSessionAfterResumeFailure,
}

/// Progress of one agent's native session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionNews {
    /// The last word of the event's type.
    pub phase: &'static str,
    /// The agent.
    pub agent_id: AgentId,
    /// Its actor.
    pub actor_id: ActorId,
    /// Which attempt this is, from 1.
    pub attempt: u32,
    /// How many there will be at most.
    pub max_attempts: u32,
    /// New or resumed.
    pub continuity: Continuity,
    /// The wait before the next attempt, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_delay_ms: Option<u64>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<ErrorCode>,
    /// Words for people: what happened, what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Which session event it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionPhase {
    /// A process is being started.
    Starting,
    /// It failed and will be tried again (transient).
    Retrying,
    /// Ready with a new native session.
    Ready,
    /// Ready with its old native session.
    Resumed,
    /// Ended on purpose.
    Stopped,
    /// Could not be started, or was lost.
    Failed,
}

impl SessionPhase {
    /// The last word of the event's type.
    pub fn word(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Retrying => "retrying",
            Self::Ready => "ready",
            Self::Resumed => "resumed",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }
}

/// The end of a Turn without an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ending {
    /// The Turn.
    pub turn_id: TurnId,
    /// Its terminal status.
    pub status: TurnStatus,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<ErrorCode>,
    /// Words for people: what happened, to which agent, what to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// `context_preparation_failed`, where that was the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// What was streamed before a cancelled or interrupted Turn was cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial_text: Option<String>,
    /// The refused native interaction, where that was the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interaction: Option<RefusedInteraction>,
    /// The Turn's reasoning record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_event_id: Option<EventId>,
    /// The Turn's tool records.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_progress_event_ids: Vec<EventId>,
    /// Where it stood when GroupX itself ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_status: Option<TurnStatus>,
    /// How far the attempt had got.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispatch_phase: Option<DispatchPhase>,
    /// What is known of the prompt's arrival.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery_certainty: Option<DeliveryCertainty>,
}

impl Ending {
    /// An ending with nothing but its status.
    pub fn of(turn_id: TurnId, status: TurnStatus) -> Self {
        Self {
            turn_id,
            status,
            error_code: None,
            message: None,
            reason: None,
            partial_text: None,
            interaction: None,
            reasoning_event_id: None,
            tool_progress_event_ids: Vec::new(),
            previous_status: None,
            dispatch_phase: None,
            delivery_certainty: None,
        }
    }
}

/// Every event that this edition writes. `Ended` is `turn.failed`, `turn.cancelled` or
/// `turn.interrupted`, by its status.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
#[allow(missing_docs)] // the fields are the contract's, section 3
pub enum EventBody {
    /// A message, or the answer of a Turn.
    MessageCreated {
        #[serde(skip_serializing_if = "Option::is_none")]
        turn_id: Option<TurnId>,
        content: String,
    },
    /// A Turn waits in its lane.
    TurnQueued {
        turn_id: TurnId,
        source_event_id: EventId,
        target_actor_id: ActorId,
        adapter_id: String,
        transport: Transport,
        hop_count: u32,
    },
    /// A lane claimed the Turn.
    TurnDispatched {
        turn_id: TurnId,
        attempt_id: AttemptId,
        target_actor_id: ActorId,
    },
    /// The prompt was handed over.
    TurnStarted {
        turn_id: TurnId,
        attempt_id: AttemptId,
        #[serde(skip_serializing_if = "Option::is_none")]
        native_turn_id: Option<String>,
    },
    /// The whole reasoning of the Turn, once, at its end.
    ReasoningRecorded {
        turn_id: TurnId,
        content: String,
        terminal_status: TurnStatus,
    },
    /// One tool record, written at the end of the Turn with its original time.
    ToolRecorded {
        turn_id: TurnId,
        native_type: ToolEvent,
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_call_id: Option<String>,
        details: Value,
    },
    /// The Turn ended with an answer.
    TurnCompleted {
        turn_id: TurnId,
        status: TurnStatus,
        response_event_id: EventId,
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning_event_id: Option<EventId>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_progress_event_ids: Vec<EventId>,
        #[serde(skip_serializing_if = "Option::is_none")]
        usage: Option<TurnUsage>,
    },
    /// The Turn ended without one.
    Ended(Ending),
    /// A native session's progress.
    Session {
        #[serde(skip)]
        kind: SessionPhase,
        #[serde(flatten)]
        news: SessionNews,
    },
    /// Something that a user should know of and that no Turn tells.
    SystemError {
        error_code: ErrorCode,
        message: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        agent_id: Option<AgentId>,
        #[serde(skip_serializing_if = "Option::is_none")]
        turn_id: Option<TurnId>,
    },
    /// Live answer text. With `reset` the text streamed so far is void and `text` stands instead.
    ContentDelta {
        turn_id: TurnId,
        chunk_index: u64,
        text: String,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        reset: bool,
    },
    /// Live reasoning text.
    ReasoningDelta { turn_id: TurnId, text: String },
    /// A live tool record.
    ToolProgress {
        turn_id: TurnId,
        native_type: ToolEvent,
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_call_id: Option<String>,
        details: Value,
    },
    /// A retry or a phase of the CLI, worth a line while the user waits.
    TurnProgress { turn_id: TurnId, text: String },
}

impl EventBody {
    /// The event's name.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::MessageCreated { .. } => "message.created",
            Self::TurnQueued { .. } => "turn.queued",
            Self::TurnDispatched { .. } => "turn.dispatched",
            Self::TurnStarted { .. } => "turn.started",
            Self::ReasoningRecorded { .. } => "turn.reasoning.recorded",
            Self::ToolRecorded { .. } => "tool.progress.recorded",
            Self::TurnCompleted { .. } => "turn.completed",
            Self::Ended(ending) => match ending.status {
                TurnStatus::Cancelled => "turn.cancelled",
                TurnStatus::Interrupted => "turn.interrupted",
                _ => "turn.failed",
            },
            Self::Session { kind, .. } => match kind {
                SessionPhase::Starting => "session.starting",
                SessionPhase::Retrying => "session.retrying",
                SessionPhase::Ready => "session.ready",
                SessionPhase::Resumed => "session.resumed",
                SessionPhase::Stopped => "session.stopped",
                SessionPhase::Failed => "session.failed",
            },
            Self::SystemError { .. } => "system.error",
            Self::ContentDelta { .. } => "turn.content.delta",
            Self::ReasoningDelta { .. } => "turn.reasoning.delta",
            Self::ToolProgress { .. } => "tool.progress",
            Self::TurnProgress { .. } => "turn.progress",
        }
    }

    /// Whether the event is stored (protocol 2.1, 2.2).
    pub fn durability(&self) -> Durability {
        match self {
            Self::ContentDelta { .. }
            | Self::ReasoningDelta { .. }
            | Self::ToolProgress { .. }
            | Self::TurnProgress { .. }
            | Self::Session {
                kind: SessionPhase::Retrying,
                ..
            } => Durability::Transient,
            _ => Durability::Durable,
        }
    }

    /// The body as JSON.
    pub fn to_value(&self) -> Value {
        // invariant: the bodies are structs of strings, numbers and JSON values; none can fail
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}
