//! Who has the port: nobody, a GroupX that can be told apart, or a stranger (protocol 10.6).

use std::time::Duration;

use serde_json::Value;

use super::loopback::{self, Answer};
use crate::config::RuntimeIdentity;

/// Long enough for a busy machine, short enough for a person.
const PROBE: Duration = Duration::from_millis(500);

/// What was found on a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Neighbour {
    /// The port is free.
    Nobody,
    /// A GroupX.
    Groupx {
        /// Which.
        identity: RuntimeIdentity,
        /// Whether it is ending.
        closing: bool,
    },
    /// Something that takes connections and does not answer in time.
    Mute,
    /// Another program, or a GroupX of before these keys.
    Stranger,
}

/// How a found GroupX relates to a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kinship {
    /// It runs exactly this.
    Same,
    /// It runs this file as it was before it changed, or as another version reads it.
    SameFile,
    /// It runs another file.
    Other,
}

impl Neighbour {
    /// Asks the port for its health.
    pub(super) fn on(port: u16) -> Self {
        match loopback::get(port, "/api/health", PROBE) {
            Answer::Nobody => Self::Nobody,
            Answer::Mute => Self::Mute,
            Answer::Http(_, None) => Self::Stranger,
            Answer::Http(_, Some(health)) => Self::of(&health).unwrap_or(Self::Stranger),
        }
    }

    fn of(health: &Value) -> Option<Self> {
        let text = |key: &str| health.get(key).and_then(Value::as_str);
        let key = |name: &str| text(name).filter(|key| is_key(key)).map(str::to_owned);
        if text("service") != Some("groupx") || text("protocol") != Some("groupx.runtime/1") {
            return None;
        }
        Some(Self::Groupx {
            identity: RuntimeIdentity {
                runtime_key: key("runtimeKey")?,
                runtime_scope_key: key("runtimeScopeKey")?,
            },
            closing: text("status") == Some("closing"),
        })
    }
}

/// Compares a found identity with ours.
pub(super) fn kinship(found: &RuntimeIdentity, ours: &RuntimeIdentity) -> Kinship {
    if found.runtime_key == ours.runtime_key {
        Kinship::Same
    } else if found.runtime_scope_key == ours.runtime_scope_key {
        Kinship::SameFile
    } else {
        Kinship::Other
    }
}

fn is_key(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn identity(runtime: char, scope: char) -> RuntimeIdentity {
        let key = |c: char| c.to_string().repeat(64);
        RuntimeIdentity {
            runtime_key: key(runtime),
            runtime_scope_key: key(scope),
        }
    }

    #[test]
    fn life_02_only_a_health_answer_with_its_keys_is_a_groupx() {
        let whole = json!({
            "service": "groupx", "protocol": "groupx.runtime/1", "status": "closing",
            "runtimeKey": "a".repeat(64), "runtimeScopeKey": "b".repeat(64),
        });
        let found = Neighbour::Groupx {
            identity: identity('a', 'b'),
            closing: true,
        };
        assert_eq!(Neighbour::of(&whole), Some(found));
        for key in ["service", "protocol", "runtimeKey", "runtimeScopeKey"] {
            let mut without = whole.clone();
            without[key] = json!("x");
            assert_eq!(Neighbour::of(&without), None, "{key}");
        }
        assert_eq!(Neighbour::of(&json!([])), None);
    }

    #[test]
    fn life_02_a_changed_file_is_told_apart_from_another_one() {
        let ours = identity('a', 'b');
        assert_eq!(kinship(&identity('a', 'b'), &ours), Kinship::Same);
        assert_eq!(kinship(&identity('c', 'b'), &ours), Kinship::SameFile);
        assert_eq!(kinship(&identity('c', 'd'), &ours), Kinship::Other);
    }
}
