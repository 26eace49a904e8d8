//! An output as one line of JSON, its keys in the order of `driver.wit`.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::driver::conduct::output_name;
use crate::driver::{Capabilities, Diff, Failure, Level, Output, ToolContent, ToolStatus};

/// The line; `None` for what concerns only the process and the clock.
pub(super) fn line(output: &Output) -> Option<String> {
    serde_json::to_string(&Object(&fields(output)?)).ok()
}

enum Value<'a> {
    Text(&'a str),
    Flag(bool),
    Number(u64),
    Json(&'a str),
    List(Vec<Value<'a>>),
    Object(Fields<'a>),
}

type Fields<'a> = Vec<(&'static str, Value<'a>)>;

fn fields(output: &Output) -> Option<Fields<'_>> {
    let mut to = vec![("event", Value::Text(output_name(output)))];
    match output {
        Output::WriteStdin(_) | Output::SetTimer(_) | Output::ClearTimer(_) => return None,
        Output::SessionReady(ready) => {
            optional(&mut to, "nativeSessionId", &ready.native_session_id);
            to.push(("resumed", Value::Flag(ready.resumed)));
            optional(&mut to, "lost", &ready.lost);
            optional(&mut to, "agentName", &ready.agent_name);
            optional(&mut to, "agentVersion", &ready.agent_version);
            optional(&mut to, "model", &ready.model);
            to.push(("capabilities", capabilities(ready.capabilities)));
        }
        Output::SessionFailed(failure) => to.extend(of_failure(failure)),
        Output::TurnStarted(started) => {
            to.push(("turn", Value::Text(&started.turn)));
            optional(&mut to, "nativeTurnId", &started.native_turn_id);
        }
        Output::TurnProgress(note) | Output::ContentReset(note) => {
            to.push(("turn", Value::Text(&note.turn)));
            to.push(("item", Value::Text(&note.item)));
            to.push(("text", Value::Text(&note.text)));
        }
        Output::ContentDelta(delta) | Output::ReasoningDelta(delta) => {
            to.push(("turn", Value::Text(&delta.turn)));
            to.push(("item", Value::Text(&delta.item)));
            to.push(("text", Value::Text(&delta.text)));
        }
        Output::ToolProgress(tool) => {
            to.push(("turn", Value::Text(&tool.turn)));
            to.push(("toolCallId", Value::Text(&tool.tool_call_id)));
            to.push(("name", Value::Text(&tool.name)));
            to.push(("status", Value::Text(status(tool.status))));
            to.push(("title", Value::Text(&tool.title)));
            to.push(("kind", Value::Text(&tool.kind)));
            if !tool.content.is_empty() {
                to.push((
                    "content",
                    Value::List(tool.content.iter().map(content).collect()),
                ));
            }
            if let Some(details) = &tool.details {
                to.push(("details", Value::Json(details)));
            }
        }
        Output::Usage(usage) => {
            optional(&mut to, "turn", &usage.turn);
            for (key, figure) in [
                ("inputTokens", usage.input_tokens),
                ("cachedInputTokens", usage.cached_input_tokens),
                ("outputTokens", usage.output_tokens),
                ("reasoningTokens", usage.reasoning_tokens),
                ("contextWindow", usage.context_window),
                ("contextUsed", usage.context_used),
                ("costMicroUsd", usage.cost_micro_usd),
            ] {
                to.extend(figure.map(|figure| (key, Value::Number(figure))));
            }
        }
        Output::TurnCompleted(done) => {
            to.push(("turn", Value::Text(&done.turn)));
            optional(&mut to, "finalText", &done.final_text);
            optional(&mut to, "stopReason", &done.stop_reason);
        }
        Output::TurnFailed(failed) => {
            to.push(("turn", Value::Text(&failed.turn)));
            to.extend(of_failure(&failed.failure));
        }
        Output::TurnCancelled(turn) => to.push(("turn", Value::Text(turn))),
        Output::InteractionRejected(asked) => {
            optional(&mut to, "turn", &asked.turn);
            to.push(("kind", Value::Text(&asked.kind)));
            to.push(("native", Value::Text(&asked.native)));
            to.push(("summary", Value::Text(&asked.summary)));
        }
        Output::RestartWanted(reason) => to.push(("reason", Value::Text(reason))),
        Output::Diagnostic(diagnostic) => {
            to.push(("level", Value::Text(level(diagnostic.level))));
            to.push(("code", Value::Text(&diagnostic.code)));
            to.push(("message", Value::Text(&diagnostic.message)));
            if let Some(native) = &diagnostic.native {
                to.push(("native", Value::Json(native)));
            }
        }
        Output::Ext(ext) => {
            to.push(("name", Value::Text(&ext.name)));
            to.push(("value", Value::Json(&ext.value)));
        }
    }
    Some(to)
}

fn optional<'a>(to: &mut Fields<'a>, key: &'static str, text: &'a Option<String>) {
    to.extend(text.as_deref().map(|text| (key, Value::Text(text))));
}

fn of_failure(failure: &Failure) -> Fields<'_> {
    let mut to = vec![
        ("code", Value::Text(&failure.code)),
        ("message", Value::Text(&failure.message)),
    ];
    if let Some(detail) = &failure.detail {
        to.push(("detail", Value::Json(detail)));
    }
    to.push(("retryable", Value::Flag(failure.retryable)));
    to
}

fn content(content: &ToolContent) -> Value<'_> {
    match content {
        ToolContent::Text(text) => Value::Text(text),
        ToolContent::Diff(Diff {
            path,
            old_text,
            new_text,
        }) => {
            let mut to = vec![("path", Value::Text(path))];
            optional(&mut to, "oldText", old_text);
            to.push(("newText", Value::Text(new_text)));
            Value::Object(to)
        }
    }
}

fn capabilities(all: Capabilities) -> Value<'static> {
    let names = [
        (Capabilities::RESUME, "resume"),
        (Capabilities::CANCEL, "cancel"),
        (Capabilities::REASONING, "reasoning"),
        (Capabilities::TOOLS, "tools"),
        (Capabilities::USAGE, "usage"),
        (Capabilities::MCP_HTTP, "mcp-http"),
        (Capabilities::MCP_HEADERS, "mcp-headers"),
    ];
    let held = names.into_iter().filter(|&(flag, _)| all & flag == flag);
    Value::List(held.map(|(_, name)| Value::Text(name)).collect())
}

fn status(status: ToolStatus) -> &'static str {
    match status {
        ToolStatus::Pending => "pending",
        ToolStatus::Running => "running",
        ToolStatus::Completed => "completed",
        ToolStatus::Failed => "failed",
        ToolStatus::Cancelled => "cancelled",
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warn => "warn",
        Level::Error => "error",
    }
}

struct Object<'a>(&'a Fields<'a>);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Text(text) => serializer.serialize_str(text),
            Value::Flag(flag) => serializer.serialize_bool(*flag),
            Value::Number(number) => serializer.serialize_u64(*number),
            // Parsed, so that the line is one line and its keys are in one order.
            Value::Json(json) => match serde_json::from_str::<serde_json::Value>(json) {
                Ok(value) => value.serialize(serializer),
                Err(_) => serializer.serialize_str(json),
            },
            Value::List(list) => list.serialize(serializer),
            Value::Object(fields) => Object(fields).serialize(serializer),
        }
    }
}
