//! Reads a strict JSON object field by field and collects all that is wrong with it.

use serde_json::{Map, Value, json};

use crate::protocol::error::{ErrorCode, Fault, Issue};
use crate::protocol::id::{BadId, ClientCommandId, Seq};

/// The largest whole number that every client can hold.
pub(super) const SAFE_INTEGER: u64 = (1 << 53) - 1;

const SENDER_FIELDS: [&str; 4] = ["from", "actor", "eventId", "provenance"];

/// An open object: ask for fields, then `close` it, which refuses what nobody asked for.
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    known: Vec<String>,
    issues: Vec<Issue>,
    words: Vec<String>,
}

impl<'a> Fields<'a> {
    /// Opens an object; a sender field ends it at once (ID-01).
    pub fn open(body: &'a Value) -> Result<Self, Fault> {
        let Some(object) = body.as_object() else {
            let issue = Issue {
                path: vec![],
                code: "invalid_type",
            };
            return Err(Fault::invalid(
                "The request must be a JSON object.",
                &[issue],
            ));
        };
        let forbidden: Vec<_> = SENDER_FIELDS
            .iter()
            .filter(|f| object.contains_key(**f))
            .collect();
        if !forbidden.is_empty() {
            let text = "A request cannot say who sends it: the sender is known from the channel. Leave the field out.";
            return Err(Fault::new(ErrorCode::SenderFieldForbidden, text)
                .with(json!({ "forbiddenFields": forbidden })));
        }
        Ok(Self {
            object,
            known: vec![],
            issues: vec![],
            words: vec![],
        })
    }

    /// Notes that something is wrong.
    pub fn note(&mut self, path: &[&str], code: &'static str, words: String) {
        let path = path.iter().map(|p| (*p).to_owned()).collect();
        self.issues.push(Issue { path, code });
        self.words.push(words);
    }

    fn get(&mut self, name: &str) -> Option<&'a Value> {
        self.known.push(name.to_owned());
        self.object.get(name).filter(|value| !value.is_null())
    }

    /// A required text.
    pub fn text(&mut self, name: &str) -> Option<String> {
        match self.get(name) {
            Some(Value::String(text)) => Some(text.clone()),
            Some(_) => {
                self.note(&[name], "invalid_type", format!("`{name}` must be a text"));
                None
            }
            None => {
                self.note(&[name], "invalid_type", format!("`{name}` is missing"));
                None
            }
        }
    }

    /// A required list.
    pub fn list(&mut self, name: &str) -> Option<&'a [Value]> {
        match self.get(name) {
            Some(Value::Array(list)) => Some(list),
            found => {
                let state = if found.is_some() {
                    "must be a list"
                } else {
                    "is missing"
                };
                self.note(&[name], "invalid_type", format!("`{name}` {state}"));
                None
            }
        }
    }

    /// An optional id; null counts as absent.
    pub fn optional<T>(&mut self, name: &str, parse: fn(&str) -> Result<T, BadId>) -> Option<T> {
        let value = self.get(name)?;
        match value.as_str().map(parse) {
            Some(Ok(id)) => Some(id),
            Some(Err(why)) => {
                self.note(&[name], "custom", format!("`{name}` {why}"));
                None
            }
            None => {
                self.note(&[name], "invalid_type", format!("`{name}` must be a text"));
                None
            }
        }
    }

    /// The required `clientCommandId`.
    pub fn command_id(&mut self) -> Option<ClientCommandId> {
        let text = self.text("clientCommandId")?;
        match ClientCommandId::parse(&text) {
            Ok(id) => Some(id),
            Err(why) => {
                self.note(
                    &["clientCommandId"],
                    "custom",
                    format!("`clientCommandId` {why}"),
                );
                None
            }
        }
    }

    /// An optional cursor: a non-negative safe integer, or the same as a decimal text.
    pub fn cursor(&mut self, name: &str) -> Option<Seq> {
        let value = self.get(name)?;
        let number = match value {
            Value::Number(number) => number.as_u64(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        };
        match number.filter(|n| *n <= SAFE_INTEGER) {
            Some(number) => Some(Seq(number)),
            None => {
                self.note(
                    &[name],
                    "custom",
                    format!("`{name}` must be a whole number"),
                );
                None
            }
        }
    }

    /// An optional page size: 1 to 500.
    pub fn limit(&mut self, name: &str) -> Option<u32> {
        let value = self.get(name)?;
        let number = value.as_u64().filter(|n| (1..=500).contains(n));
        match number.and_then(|n| u32::try_from(n).ok()) {
            Some(number) => Some(number),
            None => {
                self.note(&[name], "custom", format!("`{name}` must be 1 to 500"));
                None
            }
        }
    }

    /// Refuses the object if anything was noted or a key was never asked for.
    pub fn close(mut self) -> Result<(), Fault> {
        let unknown: Vec<_> = self
            .object
            .keys()
            .filter(|k| !self.known.contains(k))
            .cloned()
            .collect();
        for key in unknown {
            let words = if matches!(key.as_str(), "transport" | "access") {
                format!("`{key}` is fixed for the whole room and cannot be set by a request")
            } else {
                format!("`{key}` is not a field of this request")
            };
            self.note(&[&key], "unrecognized_keys", words);
        }
        if self.issues.is_empty() {
            return Ok(());
        }
        let mut words = self.words.join("; ");
        words.push('.');
        Err(Fault::invalid(words, &self.issues))
    }
}
