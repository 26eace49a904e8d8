//! What Claude asks of its client. Nothing is ever granted, chosen or filled in here: a question that a
//! person would have to answer stops the turn; anything else is not supported.

use crate::control::Link;
use crate::stop::Why;
use crate::work::Work;
use groupx_driver_sdk::{Interaction, Level, Output, text};
use serde_json::{Value, json};

/// What a question is, and what is written in answer.
struct Question {
    kind: &'static str,
    answer: Answer,
}

enum Answer {
    Result(Value),
    Error,
    /// The interrupt that follows withdraws it; without a turn to interrupt it gets an error.
    Withdrawn,
}

pub(crate) fn refuse(work: &mut Work, frame: &Value, link: &mut Link) {
    let request = &frame["request"];
    let native = request["subtype"].as_str().unwrap_or_default();
    let Some(question) = question(native, request) else {
        return unsupported(frame, link);
    };
    match question.answer {
        Answer::Result(response) => succeed(frame, &response, link),
        Answer::Withdrawn if work.is_busy() => {}
        Answer::Withdrawn | Answer::Error => fail(frame, "this client answers no questions", link),
    }
    let turn = work.turn_asking().map(str::to_owned);
    if turn.is_some() {
        work.stop(Why::Interaction, link);
    }
    link.out.push(Output::InteractionRejected(Interaction {
        turn,
        kind: question.kind.to_owned(),
        native: text::clip(native, 100).into_owned(),
        summary: summary(question.kind, request),
    }));
}

/// A request that is no question to a person, or none that is known.
pub(crate) fn unsupported(frame: &Value, link: &mut Link) {
    fail(frame, "not supported by this client", link);
    let native = frame["request"]["subtype"].as_str().unwrap_or("?");
    link.out
        .diagnostic(Level::Warn, "unsupported-request", native);
}

fn question(native: &str, request: &Value) -> Option<Question> {
    let (kind, answer) = match native {
        "can_use_tool" if request["tool_name"] == "AskUserQuestion" => {
            ("user-input", Answer::Withdrawn)
        }
        "can_use_tool" => ("permission", Answer::Withdrawn),
        "elicitation" => ("elicitation", Answer::Result(json!({ "action": "cancel" }))),
        "request_user_dialog" => ("user-input", Answer::Error),
        // A question of a later Claude is still a question.
        other
            if ["permission", "approval"]
                .iter()
                .any(|word| other.contains(word)) =>
        {
            ("permission", Answer::Error)
        }
        other
            if ["dialog", "question", "elicit"]
                .iter()
                .any(|word| other.contains(word)) =>
        {
            ("user-input", Answer::Error)
        }
        _ => return None,
    };
    Some(Question { kind, answer })
}

/// The kind and a tool's name, nothing of what was asked.
fn summary(kind: &str, request: &Value) -> String {
    let tool = request["tool_name"].as_str();
    match (tool, request["mcp_server_name"].as_str()) {
        (Some(tool), _) => format!("{kind} for tool {}", text::one_line(tool, 100)),
        (None, Some(server)) => format!("{kind} by MCP server {}", text::one_line(server, 100)),
        (None, None) => kind.to_owned(),
    }
}

fn succeed(frame: &Value, response: &Value, link: &mut Link) {
    respond(
        &json!({ "subtype": "success", "request_id": frame["request_id"], "response": response }),
        link,
    );
}

fn fail(frame: &Value, error: &str, link: &mut Link) {
    respond(
        &json!({ "subtype": "error", "request_id": frame["request_id"], "error": error }),
        link,
    );
}

fn respond(response: &Value, link: &mut Link) {
    link.write(&json!({ "type": "control_response", "response": response }));
}
