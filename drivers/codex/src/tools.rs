//! The tools of a turn: each item is told when it begins and when it ends, and none stays open.

use crate::call::Link;
use crate::tool::{self, Tool};
use groupx_driver_sdk::{Output, ToolContent, ToolProgress, ToolStatus, json};
use serde_json::Value;

#[derive(Debug, Default)]
pub(crate) struct Tools {
    any: bool,
    open: Vec<Tool>,
}

impl Tools {
    /// Whether the turn used a tool at all.
    pub(crate) fn any(&self) -> bool {
        self.any
    }

    pub(crate) fn command_is_open(&self) -> bool {
        self.open
            .iter()
            .any(|tool| tool.item_type == "commandExecution")
    }

    pub(crate) fn item(&mut self, turn: &str, item: &Value, completed: bool, link: &mut Link) {
        let Some(tool) = Tool::of(item) else {
            let native = json::bounded(&item.to_string(), link.max_json);
            return link
                .out
                .unknown_event("an item without an id or a type", Some(native));
        };
        self.any = true;
        let status = tool::status(item["status"].as_str(), completed);
        self.open.retain(|open| open.id != tool.id);
        let content = if completed {
            tool::content(item)
        } else {
            Vec::new()
        };
        tell(
            turn,
            &tool,
            status,
            tool.native_status.as_deref(),
            content,
            link,
        );
        if !completed {
            self.open.push(tool);
        }
    }

    /// The turn ends: Codex sends nothing more of what is open.
    pub(crate) fn close(&mut self, turn: &str, status: ToolStatus, link: &mut Link) {
        for tool in std::mem::take(&mut self.open) {
            tell(turn, &tool, status, None, Vec::new(), link);
        }
    }
}

fn tell(
    turn: &str,
    tool: &Tool,
    status: ToolStatus,
    native_status: Option<&str>,
    content: Vec<ToolContent>,
    link: &mut Link,
) {
    let details = tool.details(native_status.unwrap_or(tool::word(status)));
    link.out.push(Output::ToolProgress(ToolProgress {
        turn: turn.to_owned(),
        tool_call_id: tool.id.clone(),
        name: tool.name.clone(),
        status,
        title: tool.title.clone(),
        kind: tool.kind.to_owned(),
        content,
        details: Some(json::bounded(&details.to_string(), link.max_json)),
    }));
}
