//! One tool call, put together from the pieces in which agents tell it. Each piece may bring a new title,
//! kind, status or content; what it leaves out stays as it was.

use crate::agent::Agent;
use crate::content;
use groupx_driver_sdk::{ToolContent, ToolProgress, ToolStatus, json, text};
use serde_json::{Map, Value, json};

const NAME_BYTES: usize = 120;
const TITLE_BYTES: usize = 300;
const LOCATIONS: usize = 16;

/// Where agents put the name that the model calls a tool by.
const NAMES: [&str; 2] = ["/_meta/x.ai~1tool/name", "/_meta/claudeCode/toolName"];

#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Tool {
    pub(crate) id: String,
    name: Option<String>,
    title: String,
    kind: Option<String>,
    pub(crate) status: Option<String>,
    content: Vec<ToolContent>,
    locations: Vec<Value>,
}

/// The MCP servers of the session, whose tools are known by their names.
#[derive(Debug, Default)]
pub(crate) struct Servers(Vec<String>);

impl Servers {
    pub(crate) fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self(names.into_iter().collect())
    }

    /// `mcp__room__send`, `room__send` and `room_send` are all a tool of `room`.
    fn have(&self, tool: &str) -> bool {
        if tool.contains(char::is_whitespace) {
            return false;
        }
        let of_server = |server: &String| {
            tool.strip_prefix(server.as_str())
                .is_some_and(|rest| rest.len() > 1 && rest.starts_with('_'))
        };
        tool.starts_with("mcp__") || self.0.iter().any(of_server)
    }
}

impl Tool {
    pub(crate) fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            ..Self::default()
        }
    }

    /// Take in what an update says.
    pub(crate) fn read(&mut self, update: &Value, agent: &Agent, servers: &Servers) {
        let word = |key: &str| update[key].as_str().filter(|word| !word.trim().is_empty());
        if let Some(title) = word("title") {
            self.title = text::one_line(title, TITLE_BYTES);
            let named = NAMES.iter().find_map(|at| update.pointer(at)?.as_str());
            let becomes_known = servers.have(&self.title)
                && !self.name.as_deref().is_some_and(|name| servers.have(name));
            if becomes_known {
                self.name = Some(self.title.clone());
            } else if self.name.is_none() {
                let name = named.or_else(|| name_in(title));
                self.name = name.map(|name| text::clip(name, NAME_BYTES).into_owned());
            }
        }
        if let Some(kind) = word("kind") {
            self.kind = Some(text::one_line(kind, 40));
        }
        if let Some(status) = word("status") {
            self.status = Some(text::one_line(status, 40));
        }
        if let Some(locations) = update["locations"].as_array() {
            self.locations = locations.iter().take(LOCATIONS).cloned().collect();
        }
        let over = is_over(self.status());
        if update["content"].is_array() {
            self.content = content::of(&update["content"]);
            if agent.shows_input_as_content && !over {
                self.content
                    .retain(|content| matches!(content, ToolContent::Diff(_)));
            }
        }
        if over
            && self.content.is_empty()
            && let Some(output) = content::of_output(&update["rawOutput"])
        {
            self.content.push(output);
        }
    }

    /// A tool without a status has begun: agents that leave it out say nothing before that.
    pub(crate) fn status(&self) -> ToolStatus {
        match self.status.as_deref() {
            Some("pending") => ToolStatus::Pending,
            Some("completed") => ToolStatus::Completed,
            Some("failed") => ToolStatus::Failed,
            Some("cancelled" | "canceled") => ToolStatus::Cancelled,
            _ => ToolStatus::Running,
        }
    }

    /// The name that the model calls it by, as far as it shows.
    pub(crate) fn name(&self) -> &str {
        let name = self.name.as_deref().or(self.kind.as_deref());
        name.unwrap_or("tool")
    }

    /// The news of it, with `status` in place of its own when the turn ends around it.
    pub(crate) fn news(
        &self,
        turn: &str,
        status: ToolStatus,
        servers: &Servers,
        max_json: u32,
    ) -> ToolProgress {
        let title = match self.title.as_str() {
            "" => self.name(),
            title => title,
        };
        ToolProgress {
            turn: turn.to_owned(),
            tool_call_id: self.id.clone(),
            name: self.name().to_owned(),
            status,
            title: title.to_owned(),
            kind: self.shown_kind(servers).to_owned(),
            content: self.content.clone(),
            details: Some(json::bounded(&self.details().to_string(), max_json)),
        }
    }

    fn shown_kind(&self, servers: &Servers) -> &'static str {
        if servers.have(self.name()) {
            return "mcp";
        }
        match self.kind.as_deref() {
            Some("execute") => "execute",
            Some("edit" | "delete" | "move") => "edit",
            Some("read") => "read",
            Some("search") => "search",
            Some("fetch") => "fetch",
            Some("think") => "think",
            _ => "other",
        }
    }

    /// The native fields that the room keeps.
    fn details(&self) -> Value {
        let mut details = Map::new();
        details.insert("toolCallId".into(), json!(self.id));
        details.insert("title".into(), json!(self.title));
        if let Some(kind) = &self.kind {
            details.insert("kind".into(), json!(kind));
        }
        if let Some(status) = &self.status {
            details.insert("status".into(), json!(status));
        }
        if !self.locations.is_empty() {
            details.insert("locations".into(), json!(self.locations));
        }
        Value::Object(details)
    }
}

pub(crate) fn is_over(status: ToolStatus) -> bool {
    match status {
        ToolStatus::Pending | ToolStatus::Running => false,
        ToolStatus::Completed | ToolStatus::Failed | ToolStatus::Cancelled => true,
    }
}

/// `Bash`, `terminal: ls`, `todo (2 items)`: the first title of a tool begins with its name, unless it is
/// a sentence.
fn name_in(title: &str) -> Option<&str> {
    let title = title.trim();
    let end = title.find(char::is_whitespace);
    let Some(end) = end else { return Some(title) };
    let (word, rest) = title.split_at(end);
    match word.strip_suffix(':') {
        Some(word) => Some(word).filter(|word| !word.is_empty()),
        None => rest.trim_start().starts_with('(').then_some(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_in_the_first_title() {
        assert_eq!(name_in("Bash"), Some("Bash"));
        assert_eq!(name_in("terminal: ls -la"), Some("terminal"));
        assert_eq!(name_in("todo (2 items)"), Some("todo"));
        assert_eq!(name_in("Agent tried: calling"), None);
        assert_eq!(name_in("Reading a file"), None);
    }

    #[test]
    fn tools_of_the_rooms_servers_are_known_by_their_names() {
        let servers = Servers::new(["groupx".to_owned()]);
        for name in [
            "mcp__groupx__send",
            "groupx__send",
            "groupx_send",
            "mcp__other__x",
        ] {
            assert!(servers.have(name), "{name}");
        }
        for name in ["groupx", "groupx_", "groupxsend", "Bash", "groupx_send now"] {
            assert!(!servers.have(name), "{name}");
        }
    }
}
