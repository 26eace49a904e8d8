//! What an agent asks of its client. Nothing is ever granted, chosen or filled in here: a question that a
//! person would have to answer is cancelled and stops the turn; anything else is not supported.

use crate::call::Link;
use crate::errors::METHOD_NOT_FOUND;
use crate::work::Work;
use groupx_driver_sdk::jsonrpc::RequestId;
use groupx_driver_sdk::{Interaction, Level, Output, text};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The protocol's code for "cancelled". -32000 would be a demand to sign in.
const CANCELLED: i64 = -32800;

/// How a question is refused.
enum Refusal {
    Result(Value),
    Error,
}

/// `work` is none while the session is still being opened.
pub(crate) fn refuse(
    work: Option<&mut Work>,
    id: &RequestId,
    method: &str,
    params: Option<&RawValue>,
    link: &mut Link,
) {
    let params: Value = params
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default();
    let Some((kind, refusal)) = question(method, &params) else {
        return unsupported(id, method, link);
    };
    let line = match refusal {
        Refusal::Result(result) => link.peer.answer(id, &result),
        Refusal::Error => link
            .peer
            .refuse(id, CANCELLED, "this client answers no questions"),
    };
    link.out.write(line);
    let (mut turn, mut summary) = (None, kind.to_owned());
    if let Some(work) = work {
        let call = params["toolCall"]["toolCallId"].as_str();
        if let Some(name) = call.and_then(|call| work.tool_name(call)) {
            summary = format!("{kind} for tool {}", text::one_line(name, 100));
        }
        turn = work.asked(link).map(str::to_owned);
    }
    link.out.push(Output::InteractionRejected(Interaction {
        turn,
        kind: kind.to_owned(),
        native: text::one_line(method, 120),
        summary,
    }));
}

/// A request that is no question to a person, or none that is known.
fn unsupported(id: &RequestId, method: &str, link: &mut Link) {
    let line = link
        .peer
        .refuse(id, METHOD_NOT_FOUND, "not supported by this client");
    link.out.write(line);
    link.out
        .diagnostic(Level::Warn, "unsupported-request", method);
}

fn question(method: &str, params: &Value) -> Option<(&'static str, Refusal)> {
    if method == "session/request_permission" {
        let kind = match params["toolCall"]["kind"].as_str() {
            Some("execute") => "command-approval",
            Some("edit" | "delete" | "move") => "file-change-approval",
            _ => "permission",
        };
        let cancelled = json!({ "outcome": { "outcome": "cancelled" } });
        return Some((kind, Refusal::Result(cancelled)));
    }
    // Drafts of the protocol and vendors have questions of their own; a question stays one.
    let name = method.to_ascii_lowercase();
    let asks = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if asks(&["elicitation"]) {
        return Some((
            "elicitation",
            Refusal::Result(json!({ "action": "cancel" })),
        ));
    }
    if asks(&["ask_user", "question", "user_input"]) {
        return Some(("user-input", Refusal::Error));
    }
    asks(&["permission", "approval", "approve", "exit_plan"])
        .then_some(("permission", Refusal::Error))
}
