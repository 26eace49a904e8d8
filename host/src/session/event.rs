//! What a session says upward: the same few words for every CLI.

use serde_json::Value;

use crate::protocol::ErrorCode;
use crate::protocol::body::TurnUsage;

/// What is known of a session once it is ready.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionFacts {
    /// The CLI's own session id.
    pub native_session_id: Option<String>,
    /// Whether the agent really has its old context.
    pub resumed: bool,
    /// Why the old context is gone, in words.
    pub lost: Option<String>,
    /// Whether the driver can mount GroupX's tools.
    pub tools: bool,
    /// The model it talks to.
    pub model: Option<String>,
}

/// One report of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolNews {
    /// The CLI's id of the call.
    pub call_id: String,
    /// Whether it is over.
    pub over: bool,
    /// What the page shows, without knowing any CLI.
    pub details: Value,
}

/// How a Turn ended, as far as the session knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEnd {
    /// With an answer: `final_text` where the CLI gave it apart from what was streamed.
    Completed {
        /// Authoritative text.
        final_text: Option<String>,
    },
    /// Without one.
    Failed {
        /// Why.
        code: ErrorCode,
        /// Why, in words.
        message: String,
    },
    /// Because a cancel was asked for.
    Cancelled {
        /// Why it took force, if it did.
        forced: Option<String>,
    },
}

/// A native request that was refused: kind and method, never its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interaction {
    /// E.g. `command-approval`.
    pub kind: String,
    /// The native method.
    pub native: String,
}

/// Why a session is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndCause {
    /// It was asked to close.
    Closed,
    /// It could not be started, or cannot be trusted any more.
    Failed {
        /// Why.
        code: ErrorCode,
        /// Why and what to do, in words.
        message: String,
        /// Whether another attempt may help.
        retry: bool,
        /// What the process last said on stderr: for the agent's own notice, never for an event.
        last_words: Option<String>,
    },
    /// The process ended by itself.
    Exited {
        /// How, in words.
        message: String,
        /// As in `Failed`.
        last_words: Option<String>,
    },
    /// The driver or a deadline wants a new process; nothing is wrong with the agent.
    Replace,
}

/// One thing that happened. Everything between a prompt and its `TurnEnded` belongs to that Turn.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionEvent {
    /// Prompts are taken from now on.
    Ready(SessionFacts),
    /// No prompt is wanted now (`true`), or is again (`false`).
    Hold(bool),
    /// The agent works on the prompt.
    TurnStarted {
        /// The CLI's id of its turn.
        native_turn_id: Option<String>,
    },
    /// A retry, a phase.
    Progress(String),
    /// Answer text of one native message.
    Content {
        /// The message.
        item: String,
        /// More of it.
        text: String,
    },
    /// What was streamed of this message is void.
    ContentReset {
        /// The message.
        item: String,
    },
    /// Reasoning text.
    Reasoning(String),
    /// A tool.
    Tool(ToolNews),
    /// Figures so far; the last ones count. `turn` tells whether they are of the Turn or the session.
    Usage(TurnUsage),
    /// The CLI asked for something that only a person could decide; it was refused.
    Interaction(Interaction),
    /// The end of the Turn.
    TurnEnded(TurnEnd),
    /// The end of the session.
    Ended(EndCause),
}
