//! What a tool has to show: native content blocks as texts and diffs that a page can show.

use groupx_driver_sdk::{Diff, ToolContent, text};
use serde_json::Value;

const BLOCKS: usize = 16;
const TEXT_BYTES: usize = 8 * 1024;
const PATH_BYTES: usize = 1_000;

/// The blocks of a `content` array.
pub(crate) fn of(blocks: &Value) -> Vec<ToolContent> {
    let blocks = blocks.as_array().into_iter().flatten();
    blocks.filter_map(block).take(BLOCKS).collect()
}

fn block(block: &Value) -> Option<ToolContent> {
    match block["type"].as_str()? {
        "content" => shown(block["content"]["text"].as_str()?),
        "diff" => Some(ToolContent::Diff(Diff {
            path: text::clip(block["path"].as_str()?, PATH_BYTES).into_owned(),
            old_text: block["oldText"]
                .as_str()
                .map(|old| text::clip(old, TEXT_BYTES).into_owned()),
            new_text: text::clip(block["newText"].as_str().unwrap_or_default(), TEXT_BYTES)
                .into_owned(),
        })),
        _ => None,
    }
}

/// What a tool gave back, for agents that do not put it into content blocks.
pub(crate) fn of_output(output: &Value) -> Option<ToolContent> {
    let keys = ["output", "text", "result", "message", "content"];
    let text = match output {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        Value::Object(_) => {
            let held = keys.iter().map(|key| &output[*key]);
            match held.into_iter().find_map(only_text) {
                Some(text) => text.to_owned(),
                None => output.to_string(),
            }
        }
        other => other.to_string(),
    };
    shown(&text)
}

/// A string, or the only string of an object, such as `{"OkayOutput": "…"}`.
fn only_text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Object(members) if members.len() == 1 => members.values().next()?.as_str(),
        _ => None,
    }
}

fn shown(content: &str) -> Option<ToolContent> {
    let content = content.trim();
    (!content.is_empty())
        .then(|| ToolContent::Text(text::clip_middle(content, TEXT_BYTES).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(text: &str) -> ToolContent {
        ToolContent::Text(text.into())
    }

    #[test]
    fn blocks_of_both_kinds_are_shown_and_others_left_out() {
        let blocks = json!([
            { "type": "content", "content": { "type": "text", "text": "hi\n" } },
            { "type": "content", "content": { "type": "image", "data": "…" } },
            { "type": "diff", "path": "f", "oldText": null, "newText": "x\n" },
            { "type": "terminal", "terminalId": "1" },
            7,
        ]);
        let diff = ToolContent::Diff(Diff {
            path: "f".into(),
            old_text: None,
            new_text: "x\n".into(),
        });
        assert_eq!(of(&blocks), [text("hi"), diff]);
        assert_eq!(of(&json!(null)), []);
    }

    #[test]
    fn an_output_without_blocks_is_found_in_the_usual_places() {
        let mcp = json!({ "type": "MCP", "output": { "OkayOutput": "sent" } });
        assert_eq!(of_output(&mcp), Some(text("sent")));
        assert_eq!(of_output(&json!("plain")), Some(text("plain")));
        assert_eq!(
            of_output(&json!({ "output": "x", "metadata": {} })),
            Some(text("x"))
        );
        assert_eq!(of_output(&json!({ "n": 1 })), Some(text(r#"{"n":1}"#)));
        assert_eq!(of_output(&json!(null)), None);
    }
}
