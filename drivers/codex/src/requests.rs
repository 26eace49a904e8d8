//! What Codex asks of its client. Nothing is ever granted, chosen or filled in here: a question that a
//! person would have to answer is cancelled and stops the turn; anything else is not supported.

use crate::call::Link;
use crate::turn::Why;
use crate::work::Work;
use groupx_driver_sdk::jsonrpc::RequestId;
use groupx_driver_sdk::{Interaction, Level, Output, text};
use serde_json::value::RawValue;
use serde_json::{Value, json};

const UNSUPPORTED: i64 = -32601;
const DECLINED: i64 = -32000;

/// How a question is refused.
enum Refusal {
    Result(Value),
    Error,
}

pub(crate) fn refuse(
    work: &mut Work,
    id: &RequestId,
    method: &str,
    params: Option<&RawValue>,
    link: &mut Link,
) {
    let params: Value = params
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default();
    let Some((kind, refusal)) = question(method) else {
        return unsupported(id, method, link);
    };
    let line = match refusal {
        Refusal::Result(result) => link.peer.answer(id, &result),
        Refusal::Error => link
            .peer
            .refuse(id, DECLINED, "this client answers no questions"),
    };
    link.out.write(line);
    let turn = work
        .turn_asking(params["turnId"].as_str())
        .map(str::to_owned);
    if turn.is_some() {
        work.stop(Why::Interaction, link);
    }
    link.out.push(Output::InteractionRejected(Interaction {
        turn,
        kind: kind.to_owned(),
        native: method.to_owned(),
        summary: summary(kind, &params),
    }));
}

/// A request that is no question to a person, or none that is known.
pub(crate) fn unsupported(id: &RequestId, method: &str, link: &mut Link) {
    let line = link
        .peer
        .refuse(id, UNSUPPORTED, "not supported by this client");
    link.out.write(line);
    link.out
        .diagnostic(Level::Warn, "unsupported-request", method);
}

fn question(method: &str) -> Option<(&'static str, Refusal)> {
    Some(match method {
        "item/commandExecution/requestApproval" => (
            "command-approval",
            Refusal::Result(json!({ "decision": "cancel" })),
        ),
        "item/fileChange/requestApproval" => (
            "file-change-approval",
            Refusal::Result(json!({ "decision": "cancel" })),
        ),
        "mcpServer/elicitation/request" => (
            "elicitation",
            Refusal::Result(json!({ "action": "cancel", "content": null })),
        ),
        "item/permissions/requestApproval" => ("permission", Refusal::Error),
        "item/tool/requestUserInput" | "tool/requestUserInput" => ("user-input", Refusal::Error),
        "execCommandApproval" => ("command-approval", Refusal::Error),
        "applyPatchApproval" => ("file-change-approval", Refusal::Error),
        // A question of a later Codex is still a question.
        other if other.ends_with("/requestApproval") => ("permission", Refusal::Error),
        _ => return None,
    })
}

/// The kind and a tool's name, nothing of what was asked.
fn summary(kind: &str, params: &Value) -> String {
    match params["_meta"]["tool_name"].as_str() {
        Some(tool) => format!("{kind} for tool {}", text::one_line(tool, 100)),
        None => kind.to_owned(),
    }
}
