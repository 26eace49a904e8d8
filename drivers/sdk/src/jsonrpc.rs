//! One end of a JSON-RPC conversation as a machine without I/O: text in, meaning out.
//!
//! It owns the ids of the calls that are made from here and knows what each was for, so that an
//! answer comes back together with its question. It knows no method. Both directions count ids on
//! their own: a request of the agent may well carry an id that one of our calls carries too.

mod frame;

pub use frame::{Broken, RequestId, RpcError};

use frame::Frame;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Whether this dialect writes the `jsonrpc` member. Reading, it is never required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// Codex's dialect: no `jsonrpc` member.
    Omitted,
    /// `"jsonrpc":"2.0"`.
    Two,
}

/// What a message turned out to be. `C` is what the driver remembers of a call.
#[derive(Debug)]
pub enum Message<'a, C> {
    /// The answer to a call of ours.
    Response {
        /// What was remembered when the call was made.
        call: C,
        /// Its result (JSON `null` when it had none), or its error.
        answer: Result<&'a RawValue, RpcError>,
    },
    /// The agent asks and waits for [`Peer::answer`] or [`Peer::refuse`].
    Request {
        /// To be given back with the answer.
        id: RequestId,
        /// The native method.
        method: Cow<'a, str>,
        /// Its parameters, if any.
        params: Option<&'a RawValue>,
    },
    /// The agent tells.
    Notification {
        /// The native method.
        method: Cow<'a, str>,
        /// Its parameters, if any.
        params: Option<&'a RawValue>,
    },
    /// An answer to nothing that is open, in words: an id never used, or one answered already.
    Stray(String),
    /// A JSON object that is no JSON-RPC message, with the reason.
    Alien(String),
}

/// Our end of the conversation.
#[derive(Debug)]
pub struct Peer<C> {
    version: Version,
    last_id: u64,
    open: Vec<(u64, C)>,
}

impl<C> Peer<C> {
    /// An end that has said nothing yet. Its first call has id 1.
    pub fn new(version: Version) -> Self {
        Self {
            version,
            last_id: 0,
            open: Vec::new(),
        }
    }

    /// The line of a call. `call` comes back with its answer.
    pub fn call(&mut self, method: &str, params: &Value, call: C) -> Vec<u8> {
        self.last_id += 1;
        self.open.push((self.last_id, call));
        let (id, method) = (self.last_id, Value::from(method));
        self.line(format_args!(
            r#""id":{id},"method":{method},"params":{params}"#
        ))
    }

    /// The line of a notification.
    pub fn notify(&self, method: &str, params: &Value) -> Vec<u8> {
        let method = Value::from(method);
        self.line(format_args!(r#""method":{method},"params":{params}"#))
    }

    /// The line that answers the agent's request `id`.
    pub fn answer(&self, id: &RequestId, result: &Value) -> Vec<u8> {
        self.line(format_args!(r#""id":{id},"result":{result}"#))
    }

    /// The line that refuses the agent's request `id`.
    pub fn refuse(&self, id: &RequestId, code: i64, message: &str) -> Vec<u8> {
        let message = Value::from(message);
        self.line(format_args!(
            r#""id":{id},"error":{{"code":{code},"message":{message}}}"#
        ))
    }

    /// The calls that are still without an answer, oldest first.
    pub fn open(&self) -> impl Iterator<Item = &C> {
        self.open.iter().map(|(_, call)| call)
    }

    /// Read one message, which begins with `{`.
    ///
    /// # Errors
    /// The text is not JSON: the framing is lost.
    pub fn read<'a>(&mut self, text: &'a str) -> Result<Message<'a, C>, Broken> {
        let frame = match Frame::read(text)? {
            Ok(frame) => frame,
            Err(reason) => return Ok(Message::Alien(reason)),
        };
        let Some(method) = frame.method else {
            return Ok(self.response(&frame));
        };
        let (method, params) = (method.0, frame.params);
        Ok(match frame.id {
            None => Message::Notification { method, params },
            Some(id) => match RequestId::of(id) {
                Some(id) => Message::Request { id, method, params },
                None => Message::Alien(format!("a request of {method} whose id is no id")),
            },
        })
    }

    fn response<'a>(&mut self, frame: &Frame<'a>) -> Message<'a, C> {
        let answer = match frame.error {
            Some(error) => Err(RpcError::of(error)),
            None => Ok(frame.result.unwrap_or(RawValue::NULL)),
        };
        let Some(id) = frame.id else {
            return match answer {
                Err(error) => Message::Stray(format!("an error without an id: {error}")),
                Ok(_) => Message::Alien("neither a method nor an id".to_owned()),
            };
        };
        let number = id.get().parse::<u64>().ok();
        let place = number.and_then(|id| self.open.iter().position(|(open, _)| *open == id));
        match (place, number) {
            (Some(place), _) => Message::Response {
                call: self.open.remove(place).1,
                answer,
            },
            (None, Some(id)) if (1..=self.last_id).contains(&id) => {
                Message::Stray(format!("a second answer to call {id}"))
            }
            _ => {
                let id = crate::text::one_line(id.get(), 80);
                Message::Stray(format!("an answer to call {id}, which was never made"))
            }
        }
    }

    fn line(&self, members: std::fmt::Arguments<'_>) -> Vec<u8> {
        match self.version {
            Version::Omitted => format!("{{{members}}}\n"),
            Version::Two => format!("{{\"jsonrpc\":\"2.0\",{members}}}\n"),
        }
        .into_bytes()
    }
}

#[cfg(test)]
#[path = "jsonrpc/tests.rs"]
mod tests;
