//! The tools of a member, one file each, and the two shapes in which they fail.

mod publish;
mod read;

use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool};
use serde::Serialize;
use serde_json::{Value, json};

use crate::broker::Caller;
use crate::protocol::text::clip_bytes;
use crate::protocol::{ErrorCode, Fault};

use super::Member;

/// A tool of the member endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberTool {
    /// Says something to nobody in particular.
    Publish,
    /// Shows what was said and done.
    Read,
}

impl MemberTool {
    /// Every tool, in the order of the list.
    pub(super) const ALL: [Self; 2] = [Self::Publish, Self::Read];

    /// The tool of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Publish => publish::NAME,
            Self::Read => read::NAME,
        }
    }

    /// What `tools/list` says of it.
    pub(super) fn describe(self) -> Tool {
        match self {
            Self::Publish => publish::describe(),
            Self::Read => read::describe(),
        }
    }

    /// Does it, as `caller`.
    pub(super) async fn call(
        self,
        member: &Member,
        caller: &Caller,
        arguments: &Value,
    ) -> Result<Value, Failure> {
        match self {
            Self::Publish => publish::call(member, caller, arguments).await,
            Self::Read => read::call(member, caller, arguments).await,
        }
    }
}

/// Why a call gave no result.
#[derive(Debug, PartialEq)]
pub(super) enum Failure {
    /// The call itself is wrong: no such tool, or arguments that do not fit its schema.
    Call(String),
    /// The room refused it.
    Refused(Fault),
}

impl Failure {
    /// There is no tool of this name.
    pub(super) fn unknown(name: &str) -> Self {
        let shown = clip_bytes(name, 100);
        let names = MemberTool::ALL.map(MemberTool::name).join(", ");
        Self::Call(format!("Tool {shown} not found. The tools are {names}."))
    }

    /// What the parser of a tool's arguments said.
    fn in_arguments(tool: &str, fault: Fault) -> Self {
        match fault.code {
            ErrorCode::InvalidEnvelope => {
                let words = fault.message;
                Self::Call(format!("Invalid arguments for tool {tool}: {words}"))
            }
            _ => Self::Refused(fault),
        }
    }
}

/// A result or a failure, as the caller reads it (section 4).
pub(super) fn result(result: Result<Value, Failure>) -> CallToolResult {
    let text = match result {
        Ok(value) => return CallToolResult::structured(value),
        Err(Failure::Call(words)) => format!("MCP error -32602: {words}"),
        Err(Failure::Refused(fault)) => {
            let mut error = json!({ "code": fault.code, "message": fault.message });
            if let Some(details) = fault.details {
                error["details"] = details;
            }
            error.to_string()
        }
    };
    CallToolResult::error(vec![ContentBlock::text(text)])
}

fn schema(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(schema) => Arc::new(schema),
        // invariant: every schema below is written as an object
        _ => Arc::default(),
    }
}

fn reply(reply: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(reply).map_err(|error| {
        tracing::error!(%error, "a tool's result could not be written as JSON");
        let words = "GroupX could not write the result down.";
        Failure::Refused(Fault::new(ErrorCode::InternalError, words))
    })
}

#[cfg(test)]
mod tests;
