//! Control requests: what this driver asks of Claude beside prompts, and the two ends it talks to
//! while it does. Request ids are counters from 1; Claude's own requests have ids of another kind.

use groupx_driver_sdk::{Outbox, json};
use serde_json::{Value, json};

/// A control request that waits for its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    Initialize,
    SetMode,
    Tools,
    Interrupt,
}

/// The open requests.
#[derive(Debug, Default)]
pub(crate) struct Control {
    last: u64,
    open: Vec<(String, Ask)>,
}

impl Control {
    /// What `response` answers and how, if that is open. An error is given in Claude's words.
    pub(crate) fn answered(&mut self, response: &Value) -> Option<(Ask, Result<Value, String>)> {
        let id = response["request_id"].as_str()?;
        let place = self.open.iter().position(|(open, _)| open == id)?;
        let (_, ask) = self.open.remove(place);
        let answer = match response["subtype"].as_str() {
            Some("error") => {
                let words = response["error"].as_str();
                Err(words.unwrap_or("no reason given").to_owned())
            }
            _ => Ok(response["response"].clone()),
        };
        Some((ask, answer))
    }

    /// Whether something that was written is not known to have been read.
    pub(crate) fn any_open(&self) -> bool {
        !self.open.is_empty()
    }
}

/// Claude at one end, the host at the other.
pub(crate) struct Link<'a> {
    pub(crate) control: &'a mut Control,
    pub(crate) out: &'a mut Outbox,
    pub(crate) max_json: u32,
}

impl Link<'_> {
    /// Ask Claude; `request` has its subtype.
    pub(crate) fn ask(&mut self, request: &Value, ask: Ask) {
        self.control.last += 1;
        let id = self.control.last.to_string();
        self.write(&json!({ "type": "control_request", "request_id": id, "request": request }));
        self.control.open.push((id, ask));
    }

    pub(crate) fn write(&mut self, frame: &Value) {
        self.out.write(json::line(frame));
    }
}
