//! One native call as a tool that the page can show without knowing Claude.

use groupx_driver_sdk::{Diff, ToolContent, ToolStatus, text};
use serde_json::{Map, Value, json};

const TITLE_BYTES: usize = 300;
const CONTENT_BYTES: usize = 8 * 1024;
/// Of one call's changes, or of what it brought.
const PIECES: usize = 16;

/// Claude's own tools: the name, what it does, and the parameter that tells most about a call.
const OWN: [(&str, &str, &str); 19] = [
    ("Bash", "execute", "command"),
    ("BashOutput", "execute", ""),
    ("KillShell", "execute", ""),
    ("Monitor", "execute", "command"),
    ("Read", "read", "file_path"),
    ("LS", "read", "path"),
    ("Edit", "edit", "file_path"),
    ("MultiEdit", "edit", "file_path"),
    ("Write", "edit", "file_path"),
    ("NotebookEdit", "edit", "notebook_path"),
    ("Glob", "search", "pattern"),
    ("Grep", "search", "pattern"),
    ("ToolSearch", "search", "query"),
    ("WebSearch", "search", "query"),
    ("web_search", "search", "query"),
    ("WebFetch", "fetch", "url"),
    ("TodoWrite", "think", ""),
    ("TaskCreate", "think", "subject"),
    ("TaskUpdate", "think", ""),
];

#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) id: String,
    /// The name the model calls it by.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) kind: &'static str,
    item_type: String,
    /// Server and tool of a call over MCP.
    mcp: Option<(String, String)>,
    /// What the call changes in files, if it succeeds.
    changes: Vec<Diff>,
}

impl Tool {
    /// `None` for a call that cannot be followed: no name, or no id.
    pub(crate) fn of(call: &Value) -> Option<Self> {
        let name = call["name"].as_str().filter(|name| !name.is_empty())?;
        let name = text::head(name, TITLE_BYTES);
        let id = call["id"].as_str().filter(|id| !id.is_empty())?;
        let input = &call["input"];
        let mcp = name
            .strip_prefix("mcp__")
            .and_then(|name| name.split_once("__"))
            .map(|(server, tool)| (server.to_owned(), tool.to_owned()));
        let own = OWN.iter().find(|(own, _, _)| *own == name);
        let one_line = |title: &str| text::one_line(title, TITLE_BYTES);
        let (title, kind) = match (&mcp, own) {
            (Some((server, tool)), _) => (format!("{server}: {tool}"), "mcp"),
            (None, Some((_, kind, parameter))) => {
                (one_line(input[*parameter].as_str().unwrap_or(name)), *kind)
            }
            (None, None) => match input["description"].as_str().map(one_line) {
                Some(description) => (format!("{name}: {description}"), "other"),
                None => (name.to_owned(), "other"),
            },
        };
        Some(Self {
            id: id.to_owned(),
            name: name.to_owned(),
            title: one_line(&title),
            kind,
            item_type: call["type"].as_str().unwrap_or_default().to_owned(),
            mcp,
            changes: if kind == "edit" {
                changes(input)
            } else {
                Vec::new()
            },
        })
    }

    /// The native fields that the room keeps.
    pub(crate) fn details(&self, status: &str) -> Value {
        let mut details = Map::new();
        details.insert("itemId".into(), json!(self.id));
        details.insert("itemType".into(), json!(self.item_type));
        details.insert("status".into(), json!(status));
        if let Some((server, tool)) = &self.mcp {
            details.insert("server".into(), json!(server));
            details.insert("tool".into(), json!(tool));
        }
        details.insert("toolName".into(), json!(self.name));
        details.insert("title".into(), json!(self.title));
        details.insert("kind".into(), json!(self.kind));
        Value::Object(details)
    }
}

pub(crate) fn word(status: ToolStatus) -> &'static str {
    match status {
        ToolStatus::Pending => "pending",
        ToolStatus::Running => "running",
        ToolStatus::Completed => "completed",
        ToolStatus::Failed => "failed",
        ToolStatus::Cancelled => "cancelled",
    }
}

/// What a finished call has to show: what it changed, or what it brought.
pub(crate) fn content(tool: &Tool, result: &Value, failed: bool) -> Vec<ToolContent> {
    if !failed && !tool.changes.is_empty() {
        let changes = tool.changes.iter().cloned();
        return changes.map(ToolContent::Diff).collect();
    }
    let shown = |text: &str| text::clip_middle(text.trim(), CONTENT_BYTES).into_owned();
    let brought = match &result["content"] {
        Value::String(text) => shown(text),
        blocks => {
            let blocks = blocks.as_array().into_iter().flatten();
            let texts = blocks.filter_map(|block| block["text"].as_str().map(shown));
            shown(&texts.take(PIECES).collect::<Vec<_>>().join("\n"))
        }
    };
    let plain = brought
        .trim_start_matches("<tool_use_error>")
        .trim_end_matches("</tool_use_error>");
    match plain {
        "" => Vec::new(),
        plain => vec![ToolContent::Text(plain.to_owned())],
    }
}

/// The texts of an edit. What a whole new text replaces is not told.
fn changes(input: &Value) -> Vec<Diff> {
    let clipped = |text: &str, bytes| text::clip(text, bytes).into_owned();
    let word = |value: &Value, key: &str| Some(clipped(value[key].as_str()?, CONTENT_BYTES));
    let path = input["file_path"]
        .as_str()
        .or(input["notebook_path"].as_str());
    let Some(path) = path else {
        return Vec::new();
    };
    let diff = |old_text: Option<String>, new_text: String| Diff {
        path: clipped(path, 1_000),
        old_text,
        new_text,
    };
    let replaced = |edit: &Value| Some(diff(word(edit, "old_string"), word(edit, "new_string")?));
    match (input["edits"].as_array(), replaced(input)) {
        (Some(edits), _) => edits.iter().filter_map(replaced).take(PIECES).collect(),
        (None, Some(diff)) => vec![diff],
        (None, None) => {
            let whole = word(input, "content").or_else(|| word(input, "new_source"));
            whole.map(|text| diff(None, text)).into_iter().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, input: Value) -> Tool {
        Tool::of(&json!({ "type": "tool_use", "id": "t", "name": name, "input": input })).unwrap()
    }

    #[test]
    fn a_call_is_titled_by_what_it_does() {
        for (name, input, title, kind) in [
            ("Bash", json!({ "command": "ls\n-la" }), "ls -la", "execute"),
            ("Read", json!({ "file_path": "/a" }), "/a", "read"),
            ("Grep", json!({ "pattern": "x+" }), "x+", "search"),
            (
                "WebFetch",
                json!({ "url": "http://x" }),
                "http://x",
                "fetch",
            ),
            ("TodoWrite", json!({ "todos": [] }), "TodoWrite", "think"),
            ("mcp__groupx__send", json!({}), "groupx: send", "mcp"),
            (
                "Task",
                json!({ "description": "look" }),
                "Task: look",
                "other",
            ),
            ("NextYear", json!(null), "NextYear", "other"),
        ] {
            let tool = of(name, input);
            assert_eq!((tool.title.as_str(), tool.kind), (title, kind), "{name}");
        }
    }

    #[test]
    fn an_edit_shows_its_two_texts_and_a_failed_one_its_error() {
        let edit = of(
            "Edit",
            json!({ "file_path": "f", "old_string": "a", "new_string": "b" }),
        );
        let [ToolContent::Diff(diff)] = &content(&edit, &json!({ "content": "ok" }), false)[..]
        else {
            panic!("one diff");
        };
        assert_eq!(
            (diff.old_text.as_deref(), diff.new_text.as_str()),
            (Some("a"), "b")
        );
        let error = json!({ "content": "<tool_use_error>no such text</tool_use_error>" });
        let shown = content(&edit, &error, true);
        assert_eq!(shown, [ToolContent::Text("no such text".to_owned())]);
    }

    #[test]
    fn several_edits_and_a_whole_file_are_changes_too() {
        let edits = json!({ "file_path": "f", "edits": [
            { "old_string": "a", "new_string": "b" }, { "new_string": "c" }, {},
        ] });
        assert_eq!(of("MultiEdit", edits).changes.len(), 2);
        let write = of(
            "Write",
            json!({ "file_path": "f", "content": "台".repeat(5_000) }),
        );
        assert_eq!(write.changes[0].old_text, None);
        assert!(write.changes[0].new_text.len() <= CONTENT_BYTES);
    }
}
