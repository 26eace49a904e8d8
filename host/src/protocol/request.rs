//! Requests, parsed once at the door. Every object is strict: an unknown key is refused by name,
//! and a field that would name a sender is refused before anything else (protocol 3.2).

mod fields;

use serde::Serialize;
use serde_json::{Value, json};

use super::error::{ErrorCode, Fault, Issue};
use super::id::{ActorId, ClientCommandId, CorrelationId, EventId, Seq};
use super::limits;
use super::text::utf16_len;

pub use fields::Fields;

/// Whom a message wakes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Targets {
    /// Every enabled agent, at the moment of the commit.
    All(AllWord),
    /// These, sorted and without repeats.
    These(Vec<ActorId>),
}

/// `["@all"]`, as it stands in a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct AllWord([&'static str; 1]);

impl Targets {
    /// Every enabled agent.
    pub fn all() -> Self {
        Self::All(AllWord(["@all"]))
    }

    fn parse(fields: &mut Fields<'_>, name: &str) -> Option<Self> {
        let list = fields.list(name)?;
        if list.len() == 1 && list[0] == "@all" {
            return Some(Self::all());
        }
        if list.is_empty() || list.len() > limits::TARGETS {
            let code = if list.is_empty() {
                "too_small"
            } else {
                "too_big"
            };
            fields.note(
                &[name],
                code,
                format!("`{name}` takes 1 to 64 agents or [\"@all\"]"),
            );
            return None;
        }
        let mut targets = Vec::with_capacity(list.len());
        for (at, item) in list.iter().enumerate() {
            match item.as_str().map(ActorId::parse_agent) {
                Some(Ok(actor)) => targets.push(actor),
                Some(Err(why)) => {
                    fields.note(
                        &[name, &at.to_string()],
                        "custom",
                        format!("`{name}[{at}]` {why}"),
                    );
                }
                None => {
                    let text = format!("`{name}[{at}]` must be a text such as \"agent:codex\"");
                    fields.note(&[name, &at.to_string()], "invalid_type", text);
                }
            }
        }
        targets.sort();
        let before = targets.len();
        targets.dedup();
        if targets.len() < before {
            fields.note(&[name], "custom", format!("`{name}` names an agent twice"));
        }
        Some(Self::These(targets))
    }
}

/// `POST /api/messages`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PostMessage {
    /// Makes the write idempotent.
    #[serde(skip)]
    pub client_command_id: ClientCommandId,
    /// Whom it wakes.
    pub to: Targets,
    /// The text, stored as it came.
    pub content: String,
    /// What it answers.
    pub reply_to_event_id: Option<EventId>,
}

impl PostMessage {
    /// Parses a body; `characters` is the configured message limit.
    pub fn parse(body: &Value, characters: usize) -> Result<Self, Fault> {
        let mut fields = Fields::open(body)?;
        let client_command_id = fields.command_id();
        let to = Targets::parse(&mut fields, "to");
        let content = content(&mut fields, characters)?;
        let reply_to_event_id = fields.optional("replyToEventId", EventId::parse);
        fields.close()?;
        let (Some(client_command_id), Some(to), Some(content)) = (client_command_id, to, content)
        else {
            return Err(incomplete());
        };
        Ok(Self {
            client_command_id,
            to,
            content,
            reply_to_event_id,
        })
    }
}

/// The MCP tool `publish`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Publish {
    /// Makes the write idempotent.
    #[serde(skip)]
    pub client_command_id: ClientCommandId,
    /// The text.
    pub content: String,
    /// What it answers; the caller's source message where absent.
    pub reply_to_event_id: Option<EventId>,
}

impl Publish {
    /// Parses the tool's arguments; `characters` is the configured message limit.
    pub fn parse(body: &Value, characters: usize) -> Result<Self, Fault> {
        let mut fields = Fields::open(body)?;
        let client_command_id = fields.command_id();
        let content = content(&mut fields, characters)?;
        let reply_to_event_id = fields.optional("replyToEventId", EventId::parse);
        fields.close()?;
        let (Some(client_command_id), Some(content)) = (client_command_id, content) else {
            return Err(incomplete());
        };
        Ok(Self {
            client_command_id,
            content,
            reply_to_event_id,
        })
    }
}

/// The MCP tool `read`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// Which chain; the caller's own where absent.
    pub correlation_id: Option<CorrelationId>,
    /// One event in full, instead of a page (Ours 20).
    pub message_event_id: Option<EventId>,
    /// Events after this one; the newest page where absent (Ours 9).
    pub after_seq: Option<Seq>,
    /// 1 to 500, 100 where absent.
    pub limit: u32,
}

impl Read {
    /// Parses the tool's arguments.
    pub fn parse(body: &Value) -> Result<Self, Fault> {
        let mut fields = Fields::open(body)?;
        let read = Self {
            correlation_id: fields.optional("correlationId", CorrelationId::parse),
            message_event_id: fields.optional("messageEventId", EventId::parse),
            after_seq: fields.cursor("afterSeq"),
            limit: fields.limit("limit").unwrap_or(100),
        };
        fields.close()?;
        Ok(read)
    }
}

/// A body that holds nothing but `clientCommandId`: cancel, restart.
pub fn command_only(body: &Value) -> Result<ClientCommandId, Fault> {
    let mut fields = Fields::open(body)?;
    let id = fields.command_id();
    fields.close()?;
    id.ok_or_else(incomplete)
}

/// `POST /api/runtime/shutdown`: the scope key that the caller read from health.
pub fn shutdown_scope(body: &Value) -> Result<String, Fault> {
    let mut fields = Fields::open(body)?;
    let key = fields.text("runtimeScopeKey");
    if key
        .as_deref()
        .is_some_and(|k| k.len() != 64 || !k.bytes().all(|b| b.is_ascii_hexdigit()))
    {
        fields.note(
            &["runtimeScopeKey"],
            "custom",
            "`runtimeScopeKey` is 64 hex digits".into(),
        );
    }
    fields.close()?;
    key.ok_or_else(incomplete)
}

/// A cursor or limit in a query string: a decimal number, nothing else.
pub fn query_number(name: &str, text: &str) -> Result<u64, Fault> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = digits.then(|| text.parse::<u64>().ok()).flatten();
    number
        .filter(|n| *n <= fields::SAFE_INTEGER)
        .ok_or_else(|| {
            let issue = Issue {
                path: vec![name.to_owned()],
                code: "custom",
            };
            Fault::invalid(
                format!("`{name}` must be a whole number, not `{text}`"),
                &[issue],
            )
        })
}

fn content(fields: &mut Fields<'_>, characters: usize) -> Result<Option<String>, Fault> {
    let Some(content) = fields.text("content") else {
        return Ok(None);
    };
    let length = utf16_len(&content);
    if length > characters {
        let text = format!(
            "The message has {length} characters; at most {characters} are taken. Shorten it or put the text into a file."
        );
        return Err(Fault::new(ErrorCode::MessageTooLarge, text)
            .with(json!({ "characters": length, "limit": characters })));
    }
    if content.trim().is_empty() {
        fields.note(
            &["content"],
            "too_small",
            "`content` must not be blank".into(),
        );
        return Ok(None);
    }
    Ok(Some(content))
}

fn incomplete() -> Fault {
    // Reached only when a field was noted as wrong, and `close` reports those first.
    Fault::new(ErrorCode::InvalidEnvelope, "The request is not complete.")
}

#[cfg(test)]
mod tests;
