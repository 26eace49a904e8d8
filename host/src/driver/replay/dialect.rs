//! What replay has to know of a family of wire protocols: which recorded line means what.
//!
//! Data, one value for each family; the player knows none of them.

use serde_json::Value;

use super::capture::{Capture, Line, Record};
use super::{acp, claude, codex};
use crate::driver::McpAttachment;

/// A family of protocols, as functions from lines to meanings.
pub(super) struct Dialect {
    /// What a line of the recorded client, or of the driver, is.
    pub(super) client: fn(&Value) -> ClientLine,
    /// What a line of the CLI is.
    pub(super) agent: fn(&Value) -> AgentLine,
    /// The recorded answer, as the CLI would have given it to the driver's call: under its id, and
    /// with what the answer repeats of the question.
    pub(super) readdress: fn(answer: &Value, call: &Value) -> Value,
    /// The answer to a call of the driver that the recording lacks; `None` leaves it unanswered.
    pub(super) stub: fn(call: &Value) -> Option<Value>,
    /// An event as the CLI would have told it to the driver, which works in `workdir`: where it
    /// repeats how the recorded client had set it up. `None` leaves it as it is.
    pub(super) fit: fn(event: &Value, workdir: &str) -> Option<Value>,
    /// The session that the recorded client asked for with the arguments of the process.
    pub(super) started: fn(argv: &[String]) -> Setup,
    /// The session that the recorded client asked for with this call.
    pub(super) setup: fn(call: &Value, answer: Option<&Value>) -> Setup,
}

/// What the recorded client asked its session to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Setup {
    /// The id of a new session, where the client chose it.
    pub(super) session: Option<String>,
    pub(super) resume: Option<String>,
    pub(super) workdir: Option<String>,
    pub(super) mcp: Vec<McpAttachment>,
}

/// A line that a client wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ClientLine {
    /// It wants an answer.
    Call(Call),
    /// It answers the CLI, or only tells it something.
    Other,
}

/// A client's call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) method: String,
    pub(super) purpose: Purpose,
    /// The native session that it is for, where it names one.
    pub(super) session: Option<String>,
    /// The native turn that it is for, where it names one.
    pub(super) turn: Option<String>,
}

/// What a call is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Getting ready. Of several recorded ones, one that succeeded is meant.
    Handshake,
    /// Getting ready, and from here on there is a native session.
    OpenSession,
    /// A prompt with this text.
    Prompt(String),
    /// Stop the running turn.
    Cancel,
    /// Anything else.
    Other,
}

/// A line that the CLI printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AgentLine {
    /// The answer to the call of that id.
    Answer(Answer),
    /// Anything else.
    Event(Event),
}

/// The CLI answers a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) id: String,
    pub(super) is_error: bool,
    /// The native session that it opens.
    pub(super) session: Option<String>,
    /// The native turn that it begins.
    pub(super) turn: Option<String>,
    /// It answers a prompt, and the prompt's turn is over with it.
    pub(super) ends_turn: bool,
}

/// The CLI tells or asks something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    /// The native session that it is about.
    pub(super) session: Option<String>,
    /// The native turn that it ends.
    pub(super) ends_turn: Option<String>,
    /// A driver may wait for it before it takes a prompt, and it belongs to no turn.
    pub(super) prepares: bool,
}

/// The family of a recording, by the first line that is anything.
pub(super) fn of(capture: &Capture) -> Option<&'static Dialect> {
    capture
        .processes
        .iter()
        .flatten()
        .find_map(|record| match record {
            Record::In(Line {
                json: Some(line), ..
            }) => known(line),
            _ => None,
        })
}

fn known(line: &Value) -> Option<&'static Dialect> {
    if line.get("method").is_none() {
        let claude = text_at(line, &["type"]).is_some();
        return claude.then_some(&claude::DIALECT);
    }
    // Codex leaves the version out.
    match line.get("jsonrpc") {
        Some(_) => Some(&acp::DIALECT),
        None => Some(&codex::DIALECT),
    }
}

/// Ids are compared as their JSON text, so that `1` and `"1"` differ.
pub(super) fn id_of(line: &Value) -> Option<String> {
    line.get("id")
        .filter(|id| !id.is_null())
        .map(Value::to_string)
}

/// The string at the end of a path of keys.
pub(super) fn text_at<'a>(value: &'a Value, path: &[&str]) -> Option<&'a str> {
    path.iter()
        .try_fold(value, |value, key| value.get(key))?
        .as_str()
}
