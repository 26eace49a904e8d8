//! `session/update`, the one notification that carries a turn. Text is the one message that has to be
//! cheap: a fast model sends thousands a second. Agents write their keys in any order.

use groupx_driver_sdk::json::Text;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

pub(crate) const METHOD: &str = "session/update";

/// Whose text it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    Answer,
    Thought,
}

/// A piece of streamed text.
#[derive(Debug, PartialEq)]
pub(crate) struct Chunk<'a> {
    pub(crate) session: Text<'a>,
    pub(crate) voice: Voice,
    /// The native message, where the agent names it.
    pub(crate) message: Option<Text<'a>>,
    /// The model's stream that it is of, where the agent numbers them.
    pub(crate) stream: Option<u64>,
    pub(crate) text: Cow<'a, str>,
}

/// Any update: its kind, and the whole of it to be read by whoever knows that kind.
#[derive(Debug)]
pub(crate) struct Update<'a> {
    pub(crate) session: Text<'a>,
    pub(crate) kind: Text<'a>,
    pub(crate) raw: &'a RawValue,
    stream: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a, T> {
    #[serde(borrow)]
    session_id: Text<'a>,
    update: T,
    #[serde(rename = "_meta", default)]
    meta: Option<Meta>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    /// Grok's number of a stream: when it began.
    #[serde(default)]
    stream_start_ms: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChunkUpdate<'a> {
    #[serde(borrow)]
    session_update: Text<'a>,
    #[serde(borrow, default)]
    message_id: Option<Text<'a>>,
    #[serde(borrow)]
    content: Block<'a>,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    text: Text<'a>,
}

impl<'a> Chunk<'a> {
    /// A whole line, read in one pass. `None` is no verdict: the line is then read like any other.
    pub(crate) fn of_line(line: &'a str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Line<'a> {
            #[serde(borrow)]
            method: Text<'a>,
            #[serde(borrow)]
            params: Params<'a, ChunkUpdate<'a>>,
        }
        // Anything else would be parsed in vain.
        if !line.contains("_chunk\"") {
            return None;
        }
        let line: Line = serde_json::from_str(line).ok()?;
        if &*line.method != METHOD {
            return None;
        }
        let Params {
            session_id,
            update,
            meta,
        } = line.params;
        Self::of(session_id, update, stream_of(meta))
    }

    /// The same from an update that was read already.
    pub(crate) fn of_update(update: &Update<'a>) -> Option<Self> {
        voice(&update.kind)?;
        let chunk: ChunkUpdate = serde_json::from_str(update.raw.get()).ok()?;
        Self::of(update.session.clone(), chunk, update.stream)
    }

    fn of(session: Text<'a>, update: ChunkUpdate<'a>, stream: Option<u64>) -> Option<Self> {
        if &*update.content.kind != "text" {
            return None;
        }
        Some(Self {
            session,
            voice: voice(&update.session_update)?,
            message: update.message_id,
            stream,
            text: update.content.text.0,
        })
    }
}

impl<'a> Update<'a> {
    /// `None`: no update, or not one of this protocol.
    pub(crate) fn of_params(params: Option<&'a RawValue>) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Kind<'a> {
            #[serde(borrow)]
            session_update: Text<'a>,
        }
        let params: Params<&'a RawValue> = serde_json::from_str(params?.get()).ok()?;
        let kind: Kind = serde_json::from_str(params.update.get()).ok()?;
        Some(Self {
            session: params.session_id,
            kind: kind.session_update,
            raw: params.update,
            stream: stream_of(params.meta),
        })
    }
}

fn stream_of(meta: Option<Meta>) -> Option<u64> {
    meta.and_then(|meta| meta.stream_start_ms)
}

fn voice(kind: &str) -> Option<Voice> {
    match kind {
        "agent_message_chunk" => Some(Voice::Answer),
        "agent_thought_chunk" => Some(Voice::Thought),
        _ => None,
    }
}

/// Whether an update is a piece of conversation, as it is replayed when a session is loaded.
pub(crate) fn is_history(kind: &str) -> bool {
    matches!(
        kind,
        "user_message_chunk"
            | "agent_message_chunk"
            | "agent_thought_chunk"
            | "tool_call"
            | "tool_call_update"
            | "plan"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIMI: &str = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a\nb"}}}}"#;
    const HERMES: &str = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"content":{"text":"let ","type":"text"},"sessionUpdate":"agent_thought_chunk"}}}"#;

    #[test]
    fn text_is_read_in_one_pass_whatever_the_order_of_keys() {
        let chunk = Chunk::of_line(KIMI).unwrap();
        assert_eq!((chunk.voice, &*chunk.text), (Voice::Answer, "a\nb"));
        let chunk = Chunk::of_line(HERMES).unwrap();
        assert_eq!((chunk.voice, &*chunk.text), (Voice::Thought, "let "));
        for end in 0..KIMI.len() {
            assert_eq!(Chunk::of_line(&KIMI[..end]), None, "{end}");
        }
    }

    #[test]
    fn other_lines_are_left_to_the_slow_way() {
        for line in [
            KIMI.replace("session/update", "_x.ai/session/update"),
            KIMI.replace("agent_message", "user_message"),
            KIMI.replace(r#""type":"text""#, r#""type":"image""#),
        ] {
            assert_eq!(Chunk::of_line(&line), None, "{line}");
        }
    }
}
