//! Who a runtime is: keys that a second `groupx` compares before it touches a port.

use serde_json::json;

use super::Config;
use crate::protocol::canonical;

/// Two hashes that correlate runtimes on one machine. They are no secret and no credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeIdentity {
    /// Of the file's canonical path and all that it says: equal means the same room as configured.
    pub runtime_key: String,
    /// Of the path alone: it stays the same when the file is edited.
    pub runtime_scope_key: String,
}

impl RuntimeIdentity {
    /// The identity of a runtime that runs this configuration.
    pub fn of(config: &Config) -> Self {
        // Lossy, because a path need not be UTF-8 and a key is no path.
        let path = config.path.to_string_lossy();
        Self {
            runtime_key: canonical::hash(&json!({ "configPath": path, "config": config })),
            runtime_scope_key: canonical::hash(&json!({ "configPath": path })),
        }
    }
}
