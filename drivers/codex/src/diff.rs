//! A native file change as the two texts of a diff. Codex sends a patch, so of a changed file only the
//! places around the changes are known.

use groupx_driver_sdk::{Diff, text};
use serde_json::Value;

/// Each of the two texts has at most about `bytes` bytes.
pub(crate) fn of(change: &Value, bytes: usize) -> Diff {
    let patch = change["diff"].as_str().unwrap_or_default();
    let (old, new) = match change["kind"]["type"].as_str() {
        Some("add") => (None, patch.to_owned()),
        Some("delete") => (Some(patch.to_owned()), String::new()),
        _ => {
            let (old, new) = sides(patch);
            (Some(old), new)
        }
    };
    Diff {
        path: text::clip(change["path"].as_str().unwrap_or_default(), 1_000).into_owned(),
        old_text: old.map(|old| text::clip(&old, bytes).into_owned()),
        new_text: text::clip(&new, bytes).into_owned(),
    }
}

/// The two sides of a unified diff's hunks.
fn sides(patch: &str) -> (String, String) {
    let (mut old, mut new) = (String::new(), String::new());
    for line in patch.lines() {
        if line.starts_with("--- ") || line.starts_with("+++ ") {
            continue;
        }
        match line.split_at_checked(1) {
            Some(("-", line)) => push(&mut old, line),
            Some(("+", line)) => push(&mut new, line),
            Some((" ", line)) => {
                push(&mut old, line);
                push(&mut new, line);
            }
            // Between two hunks something is left out.
            Some(("@", _)) if !(old.is_empty() && new.is_empty()) => {
                push(&mut old, "…");
                push(&mut new, "…");
            }
            _ => {}
        }
    }
    (old, new)
}

fn push(side: &mut String, line: &str) {
    side.push_str(line);
    side.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_patch_becomes_its_two_sides() {
        let patch = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n@@ -9 +9 @@\n-x\n+y\n";
        let diff = of(
            &json!({ "path": "f", "kind": { "type": "update" }, "diff": patch }),
            1_000,
        );
        assert_eq!(diff.old_text.as_deref(), Some("same\nold\n…\nx\n"));
        assert_eq!(diff.new_text, "same\nnew\n…\ny\n");
    }

    #[test]
    fn a_new_file_has_no_old_text() {
        let diff = of(
            &json!({ "path": "f", "kind": { "type": "add" }, "diff": "台北".repeat(10) }),
            20,
        );
        assert_eq!(diff.old_text, None);
        assert!(diff.new_text.ends_with('…') && diff.new_text.len() <= 20);
    }
}
