//! A JSON-RPC message as it stands on its line: which members are there, nothing of what they mean.

use crate::json::Text;
use crate::text;
use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;
use std::fmt;

/// Members that are `null` count as absent: some agents write every member.
#[derive(Deserialize)]
pub(super) struct Frame<'a> {
    #[serde(borrow, default)]
    pub(super) id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) method: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
}

impl<'a> Frame<'a> {
    /// The outer error is lost framing; the inner one is good JSON of another shape.
    pub(super) fn read(text: &'a str) -> Result<Result<Self, String>, Broken> {
        match serde_json::from_str(text) {
            Ok(frame) => Ok(Ok(frame)),
            Err(error) if error.classify() == Category::Data => Ok(Err(error.to_string())),
            Err(error) => Err(Broken(error.to_string())),
        }
    }
}

/// A line that begins with `{` is not JSON; says where, for people.
#[derive(Debug, PartialEq, Eq)]
pub struct Broken(pub String);

/// The id of a request of the agent's, kept as it was written: a number or a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(Box<str>);

impl RequestId {
    pub(super) fn of(raw: &RawValue) -> Option<Self> {
        let raw = raw.get();
        let is_id = raw.starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit());
        (is_id && raw.len() <= 1_024).then(|| Self(raw.into()))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The error of a response, as far as it could be read; agents are loose with its shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpcError {
    /// 0 when there was none.
    pub code: i64,
    /// As the agent wrote it, or the whole error where it has no message.
    pub message: String,
    /// The whole error as JSON.
    pub raw: String,
}

impl RpcError {
    pub(super) fn of(raw: &RawValue) -> Self {
        #[derive(Deserialize)]
        struct Shape {
            #[serde(default)]
            code: Option<i64>,
            #[serde(default)]
            message: Option<String>,
        }
        let raw = raw.get();
        let shape = serde_json::from_str::<Shape>(raw).ok();
        let (code, message) = shape.map_or((None, None), |shape| (shape.code, shape.message));
        Self {
            code: code.unwrap_or(0),
            message: message.unwrap_or_else(|| text::clip(raw, 1_000).into_owned()),
            raw: raw.to_owned(),
        }
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", text::one_line(&self.message, 500), self.code)
    }
}
