//! The one frame that has to be cheap: a piece of streamed text. A fast model sends thousands a second.

use groupx_driver_sdk::json::Text;
use serde::Deserialize;
use std::borrow::Cow;

/// Whose text it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    Answer,
    Thought,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Delta<'a> {
    /// Whether a subagent says it.
    pub(crate) child: bool,
    pub(crate) index: u64,
    /// None for what is no text: a signature, a tool's arguments in the making.
    pub(crate) text: Option<(Voice, Cow<'a, str>)>,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(default)]
    index: u64,
    #[serde(borrow)]
    delta: Piece<'a>,
}

#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(borrow, default)]
    text: Option<Text<'a>>,
    #[serde(borrow, default)]
    thinking: Option<Text<'a>>,
}

impl<'a> Delta<'a> {
    /// The usual spelling of a whole line, read in one pass. `None` is no verdict: the line is then read
    /// like any other.
    pub(crate) fn of_line(line: &'a str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Line<'a> {
            #[serde(borrow)]
            event: Event<'a>,
            #[serde(borrow, default)]
            parent_tool_use_id: Option<Text<'a>>,
        }
        const USUAL: &str = r#"{"type":"stream_event","event":{"type":"content_block_delta","#;
        if !line.starts_with(USUAL) {
            return None;
        }
        let line: Line = serde_json::from_str(line).ok()?;
        Some(Self::of(line.event, line.parent_tool_use_id.is_some()))
    }

    /// The same from a `content_block_delta` event that was read already.
    pub(crate) fn of_event(event: &'a serde_json::Value) -> Option<Self> {
        Some(Self::of(Event::deserialize(event).ok()?, false))
    }

    fn of(event: Event<'a>, child: bool) -> Self {
        let answer = event.delta.text.map(|text| (Voice::Answer, text.0));
        let thought = event.delta.thinking.map(|text| (Voice::Thought, text.0));
        Self {
            child,
            index: event.index,
            text: answer.or(thought),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"type":"stream_event","event":{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"a\nb"}},"session_id":"s","parent_tool_use_id":null,"uuid":"u"}"#;

    #[test]
    fn the_usual_line_is_read_in_one_pass_and_only_if_it_is_whole() {
        let delta = Delta::of_line(LINE).unwrap();
        assert_eq!((delta.index, delta.child), (2, false));
        assert_eq!(delta.text, Some((Voice::Answer, "a\nb".into())));
        for end in 0..LINE.len() {
            assert_eq!(Delta::of_line(&LINE[..end]), None, "{end}");
        }
    }

    #[test]
    fn thoughts_are_told_from_text_and_from_what_is_neither() {
        let of = |delta: &str| {
            let line = format!(
                r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{delta}}},"parent_tool_use_id":"toolu_1"}}"#
            );
            let delta = Delta::of_line(&line).unwrap();
            assert!(delta.child);
            delta.text.map(|(voice, text)| (voice, text.into_owned()))
        };
        assert_eq!(
            of(r#"{"type":"thinking_delta","thinking":"hm"}"#),
            Some((Voice::Thought, "hm".to_owned()))
        );
        assert_eq!(of(r#"{"type":"signature_delta","signature":"x"}"#), None);
        assert_eq!(
            of(r#"{"type":"input_json_delta","partial_json":"{"}"#),
            None
        );
    }

    #[test]
    fn another_spelling_is_left_to_the_slow_way() {
        assert_eq!(
            Delta::of_line(r#"{"event":{},"type":"stream_event"}"#),
            None
        );
        let event = serde_json::json!({ "delta": { "text": "x" } });
        assert_eq!(
            Delta::of_event(&event).unwrap().text,
            Some((Voice::Answer, "x".into()))
        );
    }
}
