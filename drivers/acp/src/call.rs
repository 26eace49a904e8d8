//! What this driver asks of an agent, and the two ends that it talks to while it does.

use groupx_driver_sdk::jsonrpc::Peer;
use groupx_driver_sdk::{HostId, Outbox};
use serde_json::Value;

/// A call that waits for its answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Call {
    Initialize,
    Load,
    /// With the reason why the old session is lost, where there was one.
    New {
        lost: Option<String>,
    },
    /// The mode of that name; `must`: without it the session is of no use.
    Mode {
        must: bool,
    },
    /// The same mode as a config option.
    ModeOption {
        mode: String,
    },
    Prompt {
        turn: HostId,
    },
    Close,
}

/// The agent at one end, the host at the other.
pub(crate) struct Link<'a> {
    pub(crate) peer: &'a mut Peer<Call>,
    pub(crate) out: &'a mut Outbox,
    pub(crate) max_json: u32,
}

impl Link<'_> {
    pub(crate) fn call(&mut self, method: &str, params: &Value, call: Call) {
        let line = self.peer.call(method, params, call);
        self.out.write(line);
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        let line = self.peer.notify(method, params);
        self.out.write(line);
    }
}
