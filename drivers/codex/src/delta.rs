//! The one message that has to be cheap: a piece of streamed text. A fast model sends thousands a second.

use groupx_driver_sdk::json::Text;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Whose text it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    Answer,
    Summary,
    RawThought,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Delta<'a> {
    pub(crate) voice: Voice,
    pub(crate) params: Params<'a>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    #[serde(borrow)]
    pub(crate) thread_id: Text<'a>,
    #[serde(borrow)]
    pub(crate) turn_id: Text<'a>,
    #[serde(borrow)]
    pub(crate) item_id: Text<'a>,
    #[serde(borrow)]
    pub(crate) delta: Text<'a>,
    #[serde(default)]
    pub(crate) summary_index: Option<i64>,
    #[serde(default)]
    pub(crate) content_index: Option<i64>,
}

impl<'a> Delta<'a> {
    /// The usual spelling of a whole line, read in one pass. `None` is no verdict: the line is then read
    /// like any other.
    pub(crate) fn of_line(line: &'a str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Line<'a> {
            #[serde(borrow)]
            params: Params<'a>,
        }
        let (method, rest) = line.strip_prefix(r#"{"method":""#)?.split_once('"')?;
        let voice = voice(method)?;
        if !rest.starts_with(r#","params":{"#) {
            return None;
        }
        let Line { params } = serde_json::from_str(line).ok()?;
        Some(Self { voice, params })
    }

    /// The same from a notification that was read already.
    pub(crate) fn of_params(method: &str, params: Option<&'a RawValue>) -> Option<Self> {
        let voice = voice(method)?;
        let params = serde_json::from_str(params?.get()).ok()?;
        Some(Self { voice, params })
    }
}

fn voice(method: &str) -> Option<Voice> {
    match method {
        "item/agentMessage/delta" => Some(Voice::Answer),
        "item/reasoning/summaryTextDelta" => Some(Voice::Summary),
        "item/reasoning/textDelta" => Some(Voice::RawThought),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"method":"item/agentMessage/delta","params":{"threadId":"t","turnId":"n","itemId":"m","delta":"a\nb"},"emittedAtMs":1}"#;

    #[test]
    fn the_usual_line_is_read_in_one_pass_and_only_if_it_is_whole() {
        let delta = Delta::of_line(LINE).unwrap();
        assert_eq!((delta.voice, &*delta.params.delta), (Voice::Answer, "a\nb"));
        for end in 0..LINE.len() {
            assert_eq!(Delta::of_line(&LINE[..end]), None, "{end}");
        }
    }

    #[test]
    fn another_spelling_is_left_to_the_slow_way() {
        assert_eq!(
            Delta::of_line(r#"{"params":{},"method":"item/agentMessage/delta"}"#),
            None
        );
        assert_eq!(
            Delta::of_line(r#"{"method":"turn/started","params":{}}"#),
            None
        );
    }
}
