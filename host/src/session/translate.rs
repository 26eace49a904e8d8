//! From a driver's words to the session's. No CLI is known here either: only the interface.

use serde_json::{Map, Value, json};

use super::event::{EndCause, Interaction, SessionEvent, SessionFacts, ToolNews, TurnEnd};
use crate::driver::{self, Capabilities, ToolContent, ToolStatus};
use crate::protocol::ErrorCode;
use crate::protocol::body::TurnUsage;
use crate::protocol::limits::REASON_BYTES;
use crate::protocol::text::clip_bytes;

/// Text of one tool report's content that is kept.
const TOOL_TEXT: usize = 16 * 1024;
/// Pieces of content of one tool report.
const TOOL_PIECES: usize = 16;
/// Bytes of a tool's title.
const TOOL_TITLE: usize = 2_000;

pub(super) fn facts(ready: driver::SessionReady, resumed: Option<&str>) -> SessionFacts {
    let tools = Capabilities::MCP_HTTP | Capabilities::MCP_HEADERS;
    SessionFacts {
        native_session_id: ready.native_session_id,
        resumed: ready.resumed,
        lost: ready.lost.map(|why| match resumed {
            // A native session id is never public (ENV-02).
            Some(native) => why.replace(native, "…"),
            None => why,
        }),
        tools: ready.capabilities.contains(tools),
        model: ready.model,
    }
}

pub(super) fn tool(news: driver::ToolProgress) -> SessionEvent {
    let mut details = match news.details.as_deref().map(serde_json::from_str) {
        Some(Ok(Value::Object(details))) => details,
        _ => Map::new(),
    };
    let (status, over) = match news.status {
        ToolStatus::Pending => ("pending", false),
        ToolStatus::Running => ("running", false),
        ToolStatus::Completed => ("completed", true),
        ToolStatus::Failed => ("failed", true),
        ToolStatus::Cancelled => ("cancelled", true),
    };
    details.insert("toolName".into(), json!(news.name));
    details.insert("status".into(), json!(status));
    details.insert("title".into(), json!(clip_bytes(&news.title, TOOL_TITLE)));
    details.insert("kind".into(), json!(news.kind));
    if !news.content.is_empty() {
        let content: Vec<Value> = news
            .content
            .into_iter()
            .take(TOOL_PIECES)
            .map(tool_content)
            .collect();
        details.insert("content".into(), Value::Array(content));
    }
    SessionEvent::Tool(ToolNews {
        call_id: news.tool_call_id,
        over,
        details: Value::Object(details),
    })
}

fn tool_content(content: ToolContent) -> Value {
    match content {
        ToolContent::Text(text) => json!({ "type": "text", "text": clip_bytes(&text, TOOL_TEXT) }),
        ToolContent::Diff(diff) => json!({
            "type": "diff",
            "path": diff.path,
            "oldText": diff.old_text.as_deref().map(|text| clip_bytes(text, TOOL_TEXT)),
            "newText": clip_bytes(&diff.new_text, TOOL_TEXT),
        }),
    }
}

pub(super) fn usage(usage: &driver::Usage) -> TurnUsage {
    TurnUsage {
        input_tokens: usage.input_tokens,
        cached_input_tokens: usage.cached_input_tokens,
        output_tokens: usage.output_tokens,
        reasoning_tokens: usage.reasoning_tokens,
        // Exact below nine billion dollars.
        #[allow(clippy::cast_precision_loss)]
        cost_usd: usage.cost_micro_usd.map(|micro| micro as f64 / 1e6),
        context_used: usage.context_used,
        context_window: usage.context_window,
    }
}

pub(super) fn interaction(refused: driver::Interaction) -> Interaction {
    Interaction {
        kind: clip_bytes(&refused.kind, 64).to_owned(),
        native: clip_bytes(&refused.native, 128).to_owned(),
    }
}

/// A Turn that the CLI ended as failed.
pub(super) fn turn_failed(failure: driver::Failure) -> TurnEnd {
    let code = match failure.code.as_str() {
        "policy-blocked" => ErrorCode::NativePolicyBlocked,
        "protocol-error" => ErrorCode::ProtocolInvalidMessage,
        _ => ErrorCode::NativeTurnFailed,
    };
    let advice = match failure.code.as_str() {
        "not-authenticated" => " Sign in with the agent's own command line, then send it again.",
        "context-overflow" => {
            " Its context is full: start a new conversation with it, or send less at once."
        }
        _ => "",
    };
    let message = format!("{}{advice}", clip_bytes(&failure.message, REASON_BYTES));
    TurnEnd::Failed { code, message }
}

/// A session that the driver gave up.
pub(super) fn session_failed(failure: driver::Failure) -> EndCause {
    let (code, retry) = match failure.code.as_str() {
        "policy-blocked" => (ErrorCode::NativePolicyBlocked, false),
        "resume-not-found" => (ErrorCode::NativeResumeUnsupported, true),
        "protocol-error" => (ErrorCode::ProtocolInvalidMessage, true),
        "not-authenticated" | "executable-unsupported" => (ErrorCode::AdapterStartFailed, false),
        _ => (ErrorCode::AdapterStartFailed, true),
    };
    EndCause::Failed {
        code,
        message: clip_bytes(&failure.message, REASON_BYTES).to_owned(),
        retry,
        last_words: None,
    }
}
