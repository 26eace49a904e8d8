//! The closed list of error codes and the one shape in which a refusal leaves the house.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

macro_rules! error_codes {
    ($($(#[$doc:meta])* $variant:ident = $word:literal, $status:literal;)+) => {
        /// A stable code and the HTTP status it becomes (contract section 1).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub enum ErrorCode {
            $($(#[$doc])* #[serde(rename = $word)] $variant),+
        }

        impl ErrorCode {
            /// Every code, for the golden list.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The HTTP status.
            pub fn http_status(self) -> u16 {
                match self { $(Self::$variant => $status),+ }
            }

            /// Reads a stored word back.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

error_codes! {
    /// The request does not have the contract's shape.
    InvalidEnvelope = "INVALID_ENVELOPE", 400;
    /// No such actor.
    UnknownActor = "UNKNOWN_ACTOR", 404;
    /// No such target, Turn or record.
    UnknownTarget = "UNKNOWN_TARGET", 404;
    /// The request names a sender; senders come from the channel.
    SenderFieldForbidden = "SENDER_FIELD_FORBIDDEN", 400;
    /// The same command id with another payload.
    ClientCommandConflict = "CLIENT_COMMAND_CONFLICT", 409;
    /// The same message to the same target twice.
    DuplicateDispatch = "DUPLICATE_DISPATCH", 409;
    /// A waiting ask to somebody who waits for the caller.
    CausalCycle = "CAUSAL_CYCLE", 409;
    /// Too many Turns in one root, or of one actor in it.
    RootTurnLimitReached = "ROOT_TURN_LIMIT_REACHED", 409;
    /// Too many agents in a row.
    HopLimitReached = "HOP_LIMIT_REACHED", 409;
    /// The agent's lane is full.
    QueueCapacityReached = "QUEUE_CAPACITY_REACHED", 429;
    /// Content or body over its limit.
    MessageTooLarge = "MESSAGE_TOO_LARGE", 413;
    /// The answer did not come in time.
    AskTimeout = "ASK_TIMEOUT", 500;
    /// Too many steers of one Turn.
    SteerLimitReached = "STEER_LIMIT_REACHED", 400;
    /// Only a watch Turn may do this.
    SupervisionWatchRequired = "SUPERVISION_WATCH_REQUIRED", 400;
    /// A watched worker is steered, not asked.
    SupervisionSteerRequired = "SUPERVISION_STEER_REQUIRED", 400;
    /// Observers and workers do not fit.
    SupervisionPairInvalid = "SUPERVISION_PAIR_INVALID", 400;
    /// A stored Turn of another transport.
    TransportModeMismatch = "TRANSPORT_MODE_MISMATCH", 409;
    /// The CLI asked for an approval, an answer or a permission.
    UnexpectedNativeInteraction = "UNEXPECTED_NATIVE_INTERACTION", 500;
    /// A policy outside GroupX forbids unrestricted work.
    NativePolicyBlocked = "NATIVE_POLICY_BLOCKED", 503;
    /// The MCP request carries no living binding.
    McpBindingMismatch = "MCP_BINDING_MISMATCH", 400;
    /// This session has no GroupX tools.
    McpUnavailable = "MCP_UNAVAILABLE", 503;
    /// No driver, or no such driver.
    AdapterNotFound = "ADAPTER_NOT_FOUND", 500;
    /// The CLI could not be started.
    AdapterStartFailed = "ADAPTER_START_FAILED", 500;
    /// The CLI did not answer the handshake in time.
    ProtocolHandshakeTimeout = "PROTOCOL_HANDSHAKE_TIMEOUT", 500;
    /// The CLI's output lost its framing.
    ProtocolInvalidMessage = "PROTOCOL_INVALID_MESSAGE", 500;
    /// The agent's session is not there (yet).
    SessionNotAvailable = "SESSION_NOT_AVAILABLE", 503;
    /// The CLI cannot go on with its old session.
    NativeResumeUnsupported = "NATIVE_RESUME_UNSUPPORTED", 500;
    /// The agent showed no sign of life after the prompt.
    TurnFirstEventTimeout = "TURN_FIRST_EVENT_TIMEOUT", 500;
    /// The agent fell silent.
    TurnIdleTimeout = "TURN_IDLE_TIMEOUT", 500;
    /// A cancel was not settled in time.
    TurnCancelTimeout = "TURN_CANCEL_TIMEOUT", 500;
    /// The Turn was cut off.
    TurnInterrupted = "TURN_INTERRUPTED", 500;
    /// The CLI itself says that the Turn failed.
    NativeTurnFailed = "NATIVE_TURN_FAILED", 502;
    /// The store cannot take or give anything now.
    StoreUnavailable = "STORE_UNAVAILABLE", 503;
    /// The stored state moved on.
    StoreConflict = "STORE_CONFLICT", 409;
    /// The context does not fit.
    ContextBudgetExceeded = "CONTEXT_BUDGET_EXCEEDED", 500;
    /// Our own failure.
    InternalError = "INTERNAL_ERROR", 500;
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Issue {
    /// Where, from the top of the request.
    pub path: Vec<String>,
    /// What kind: `invalid_type`, `too_big`, `too_small`, `unrecognized_keys`, `custom`.
    pub code: &'static str,
}

/// A refusal: a code for programs, a sentence for people (what happened and what to do), and
/// details where the contract has some. It never carries an internal message.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The stable code.
    pub code: ErrorCode,
    /// The sentence.
    pub message: String,
    /// `issues`, `unknownTargets` or `forbiddenFields`.
    pub details: Option<Value>,
}

impl Fault {
    /// A refusal without details.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
        }
    }

    /// The same refusal with details.
    pub fn with(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }

    /// A request that does not have the contract's shape.
    pub fn invalid(message: impl Into<String>, issues: &[Issue]) -> Self {
        let fault = Self::new(ErrorCode::InvalidEnvelope, message);
        if issues.is_empty() {
            return fault;
        }
        let first = &issues[..issues.len().min(20)];
        fault.with(json!({ "issues": first }))
    }

    /// The body of a refused request.
    pub fn body(&self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(details) = &self.details {
            error["details"] = details.clone();
        }
        json!({ "error": error })
    }
}
