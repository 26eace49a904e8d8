//! The tools of a turn: each is told when it begins and when it ends, and none stays open.

use crate::control::Link;
use crate::tool::{self, Tool};
use groupx_driver_sdk::{Output, ToolContent, ToolProgress, ToolStatus, json};
use serde_json::Value;

#[derive(Debug, Default)]
pub(crate) struct Tools {
    any: bool,
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    tool: Tool,
    /// Its arguments are still being made.
    pending: bool,
}

impl Tools {
    /// Whether the turn used a tool at all.
    pub(crate) fn any(&self) -> bool {
        self.any
    }

    /// The model begins a call, whose arguments are to come.
    pub(crate) fn pending(&mut self, turn: &str, call: &Value, link: &mut Link) {
        if is_call(call)
            && let Some(tool) = Tool::of(call)
            && self.place(&tool.id).is_none()
        {
            tell(turn, &tool, ToolStatus::Pending, Vec::new(), link);
            self.open.push(Open {
                tool,
                pending: true,
            });
        }
    }

    /// A whole block of a message: a call, its result, or none of the two. `stopping`: the turn is being
    /// stopped.
    pub(crate) fn block(&mut self, turn: &str, block: &Value, stopping: bool, link: &mut Link) {
        if is_call(block) {
            self.begins(turn, block, link);
        } else if block["type"]
            .as_str()
            .is_some_and(|kind| kind.ends_with("tool_result"))
        {
            self.ends(turn, block, stopping, link);
        }
    }

    fn begins(&mut self, turn: &str, call: &Value, link: &mut Link) {
        let Some(tool) = Tool::of(call) else {
            let name = "a tool call without an id or a name";
            return link.out.unknown_event(name, None);
        };
        self.any = true;
        let before = self.place(&tool.id).map(|place| self.open.remove(place));
        if before.is_none_or(|open| open.pending) {
            tell(turn, &tool, ToolStatus::Running, Vec::new(), link);
        }
        self.open.push(Open {
            tool,
            pending: false,
        });
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.open.iter().position(|open| open.tool.id == id)
    }

    fn ends(&mut self, turn: &str, result: &Value, stopping: bool, link: &mut Link) {
        let id = result["tool_use_id"].as_str().unwrap_or_default();
        let Some(place) = self.place(id) else {
            return;
        };
        self.any = true;
        let Open { tool, .. } = self.open.remove(place);
        let failed = result["is_error"] == true;
        let status = match (failed, stopping) {
            (false, _) => ToolStatus::Completed,
            (true, false) => ToolStatus::Failed,
            // Claude says of a tool that it stops that the user had rejected it.
            (true, true) => ToolStatus::Cancelled,
        };
        let content = match status {
            ToolStatus::Cancelled => Vec::new(),
            _ => tool::content(&tool, result, failed),
        };
        tell(turn, &tool, status, content, link);
    }

    /// The turn ends: Claude sends nothing more of what is open.
    pub(crate) fn close(&mut self, turn: &str, status: ToolStatus, link: &mut Link) {
        for Open { tool, .. } in std::mem::take(&mut self.open) {
            tell(turn, &tool, status, Vec::new(), link);
        }
    }

    /// The message is void in which these calls were in the making.
    pub(crate) fn drop_pending(&mut self, turn: &str, link: &mut Link) {
        for Open { tool, .. } in self.open.extract_if(.., |open| open.pending) {
            tell(turn, &tool, ToolStatus::Cancelled, Vec::new(), link);
        }
    }
}

fn is_call(block: &Value) -> bool {
    block["type"]
        .as_str()
        .is_some_and(|kind| kind.ends_with("tool_use"))
}

fn tell(turn: &str, tool: &Tool, status: ToolStatus, content: Vec<ToolContent>, link: &mut Link) {
    link.out.push(Output::ToolProgress(ToolProgress {
        turn: turn.to_owned(),
        tool_call_id: tool.id.clone(),
        name: tool.name.clone(),
        status,
        title: tool.title.clone(),
        kind: tool.kind.to_owned(),
        content,
        details: Some(json::bounded(
            &tool.details(tool::word(status)).to_string(),
            link.max_json,
        )),
    }));
}
