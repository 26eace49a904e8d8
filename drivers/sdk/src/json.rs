//! JSON as it stands on a line: writing one line, keeping native JSON within a bound, borrowed text.

use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// `value` as one line for the agent's stdin. JSON escapes line breaks, so it stays one line.
pub fn line(value: &Value) -> Vec<u8> {
    format!("{value}\n").into_bytes()
}

/// `raw`, which must be JSON, if it has at most `max` bytes; else a JSON object that shows its beginning.
pub fn bounded(raw: &str, max: u32) -> String {
    let max = max as usize;
    if raw.len() <= max {
        return raw.to_owned();
    }
    // Escaping at worst sextuples a byte.
    let head = crate::text::head(raw, max.saturating_sub(80) / 6);
    json!({ "truncated": true, "bytes": raw.len(), "head": head }).to_string()
}

/// A JSON string that borrows from its line unless it holds escapes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

impl std::ops::Deref for Text<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(line(&json!({"a": "x\ny"})), b"{\"a\":\"x\\ny\"}\n");
    }

    #[test]
    fn native_json_over_its_bound_becomes_a_smaller_json() {
        let raw = json!("\u{1}".repeat(5_000)).to_string();
        let cut = bounded(&raw, 1_000);
        assert!(cut.len() <= 1_000, "{} bytes", cut.len());
        let cut: Value = serde_json::from_str(&cut).unwrap();
        assert_eq!(cut["bytes"], raw.len());
        assert_eq!(bounded("{}", 2), "{}");
    }

    #[test]
    fn text_borrows_when_it_can() {
        let plain: Text = serde_json::from_str(r#""plain""#).unwrap();
        assert!(matches!(plain.0, Cow::Borrowed("plain")));
        let escaped: Text = serde_json::from_str(r#""a\/b""#).unwrap();
        assert_eq!(&*escaped, "a/b");
    }
}
