//! One native item as a tool that the page can show without knowing Codex.

use crate::diff;
use groupx_driver_sdk::{ToolContent, ToolStatus, text};
use serde_json::{Map, Value, json};

const TITLE_BYTES: usize = 300;
const CONTENT_BYTES: usize = 8 * 1024;
const DIFFS: usize = 16;

#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) id: String,
    pub(crate) item_type: String,
    /// The name the model calls it by.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) kind: &'static str,
    pub(crate) native_status: Option<String>,
    /// Server and tool of a call over MCP.
    mcp: Option<(String, String)>,
}

impl Tool {
    /// `None` for an item that cannot be followed: no type, or no id.
    pub(crate) fn of(item: &Value) -> Option<Self> {
        let word = |key: &str| item[key].as_str().filter(|word| !word.is_empty());
        let item_type = word("type")?;
        let tool = || word("tool").unwrap_or("tool").to_owned();
        let mut mcp = None;
        let (name, title, kind) = match item_type {
            "commandExecution" => {
                let command = word("command").unwrap_or("command");
                (
                    "shell".to_owned(),
                    unwrapped(command).to_owned(),
                    command_kind(item),
                )
            }
            "fileChange" => ("apply_patch".to_owned(), changed_paths(item), "edit"),
            "mcpToolCall" => {
                let server = word("server").unwrap_or("mcp").to_owned();
                let name = format!("mcp__{server}__{}", tool());
                let title = format!("{server}: {}", tool());
                mcp = Some((server, tool()));
                (name, title, "mcp")
            }
            "dynamicToolCall" => (tool(), tool(), "other"),
            "collabAgentToolCall" => {
                let title = match word("prompt") {
                    Some(prompt) => format!("{}: {prompt}", tool()),
                    None => tool(),
                };
                (tool(), title, "other")
            }
            "subAgentActivity" => {
                let title = format!("subagent {}", word("kind").unwrap_or("active"));
                ("subagent".to_owned(), title, "other")
            }
            "webSearch" => web_search(item),
            "imageView" => (
                "view_image".to_owned(),
                word("path").unwrap_or("image").to_owned(),
                "read",
            ),
            "imageGeneration" => (
                "image_generation".to_owned(),
                "an image is made".to_owned(),
                "other",
            ),
            "contextCompaction" => (
                "compact".to_owned(),
                "Codex compacts its context".to_owned(),
                "think",
            ),
            "plan" => ("plan".to_owned(), "plan".to_owned(), "think"),
            "functionCallOutput" => {
                let name = word("name").unwrap_or("function");
                (name.to_owned(), name.to_owned(), "other")
            }
            "sleep" => ("sleep".to_owned(), "waits".to_owned(), "other"),
            "enteredReviewMode" => ("review".to_owned(), "a review begins".to_owned(), "think"),
            "exitedReviewMode" => ("review".to_owned(), "a review ends".to_owned(), "think"),
            // An item of a later Codex is shown by its own name.
            other => (
                other.to_owned(),
                word("title").unwrap_or(other).to_owned(),
                "other",
            ),
        };
        Some(Self {
            id: word("id")?.to_owned(),
            item_type: item_type.to_owned(),
            name: text::clip(&name, TITLE_BYTES).into_owned(),
            title: text::one_line(&title, TITLE_BYTES),
            kind,
            native_status: word("status").map(str::to_owned),
            mcp,
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

/// An item without a status of its own, or with one of a later Codex, is judged by where it stands.
pub(crate) fn status(native: Option<&str>, completed: bool) -> ToolStatus {
    match (native, completed) {
        (Some("failed" | "declined"), _) => ToolStatus::Failed,
        (_, true) => ToolStatus::Completed,
        (_, false) => ToolStatus::Running,
    }
}

/// The status in Codex's own words, for an item that had none.
pub(crate) fn word(status: ToolStatus) -> &'static str {
    match status {
        ToolStatus::Pending | ToolStatus::Running => "inProgress",
        ToolStatus::Completed => "completed",
        ToolStatus::Failed => "failed",
        ToolStatus::Cancelled => "cancelled",
    }
}

/// What a finished item has to show.
pub(crate) fn content(item: &Value) -> Vec<ToolContent> {
    match item["type"].as_str().unwrap_or_default() {
        "commandExecution" => {
            let output = item["aggregatedOutput"].as_str().unwrap_or_default();
            match item["exitCode"].as_i64() {
                Some(code) if code != 0 => shown(&format!("{output}\nexit code {code}")),
                _ => shown(output),
            }
        }
        "fileChange" => {
            let changes = item["changes"].as_array().into_iter().flatten();
            changes
                .take(DIFFS)
                .map(|change| ToolContent::Diff(diff::of(change, CONTENT_BYTES)))
                .collect()
        }
        "mcpToolCall" => match item["error"]["message"].as_str() {
            Some(error) => shown(error),
            None => shown(&texts(&item["result"]["content"])),
        },
        "dynamicToolCall" => shown(&texts(&item["contentItems"])),
        "plan" => shown(item["text"].as_str().unwrap_or_default()),
        "enteredReviewMode" | "exitedReviewMode" => {
            shown(item["review"].as_str().unwrap_or_default())
        }
        _ => Vec::new(),
    }
}

fn shown(content: &str) -> Vec<ToolContent> {
    match content.trim() {
        "" => Vec::new(),
        content => vec![ToolContent::Text(
            text::clip_middle(content, CONTENT_BYTES).into_owned(),
        )],
    }
}

/// The texts of a list of content blocks.
fn texts(blocks: &Value) -> String {
    let blocks = blocks.as_array().into_iter().flatten();
    blocks
        .filter_map(|block| block["text"].as_str())
        .collect::<Vec<_>>()
        .join("\n")
}

/// `/bin/bash -lc 'ls -la'` → `ls -la`: the shell around a command says nothing.
fn unwrapped(command: &str) -> &str {
    let inner = command.split_once(" -lc ").map(|(_, inner)| inner.trim());
    let quoted = inner.and_then(|inner| inner.strip_prefix('\'')?.strip_suffix('\''));
    match quoted {
        Some(plain) if !plain.contains('\'') => plain,
        _ => command,
    }
}

/// Codex's own parse of the command tells reading and searching from the rest.
fn command_kind(item: &Value) -> &'static str {
    let actions = item["commandActions"].as_array();
    let kinds: Vec<_> = actions
        .into_iter()
        .flatten()
        .map(|action| action["type"].as_str())
        .collect();
    if kinds.is_empty() {
        "execute"
    } else if kinds.iter().all(|kind| *kind == Some("read")) {
        "read"
    } else if kinds
        .iter()
        .all(|kind| matches!(kind, Some("search" | "listFiles")))
    {
        "search"
    } else {
        "execute"
    }
}

fn changed_paths(item: &Value) -> String {
    let changes = item["changes"].as_array().into_iter().flatten();
    let paths: Vec<_> = changes
        .filter_map(|change| change["path"].as_str())
        .collect();
    match paths[..] {
        [] => "a file change".to_owned(),
        _ => paths.join(", "),
    }
}

fn web_search(item: &Value) -> (String, String, &'static str) {
    let word = |value: &Value| {
        value
            .as_str()
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
    };
    let opened = word(&item["action"]["url"]);
    let kind = if opened.is_some() { "fetch" } else { "search" };
    let title = opened
        .or(word(&item["query"]))
        .or(word(&item["action"]["query"]));
    (
        "web_search".to_owned(),
        title.unwrap_or_else(|| "web search".to_owned()),
        kind,
    )
}
