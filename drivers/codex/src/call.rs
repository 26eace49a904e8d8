//! What this driver asks of Codex, and the two ends that it talks to while it does.

use groupx_driver_sdk::jsonrpc::Peer;
use groupx_driver_sdk::{HostId, Outbox};
use serde_json::Value;

/// A call that waits for its answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Call {
    Initialize,
    Requirements,
    /// With the reason why the old thread is lost, where there was one.
    ThreadStart {
        lost: Option<String>,
    },
    ThreadResume,
    TurnStart {
        turn: HostId,
    },
    Interrupt {
        native: String,
    },
    CleanTerminals,
}

/// Codex at one end, the host at the other.
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
}
