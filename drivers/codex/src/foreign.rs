//! Turns that Codex began by itself: each is stopped once and waited for, no longer than a timer.

use crate::call::{Call, Link};
use groupx_driver_sdk::Level;
use serde_json::json;

/// How long a stopped turn may take to end, in milliseconds.
const PATIENCE: u64 = 8_000;

#[derive(Debug, Default)]
pub(crate) struct Foreign {
    running: Vec<Stopped>,
}

#[derive(Debug)]
struct Stopped {
    native: String,
    timer: String,
}

impl Foreign {
    pub(crate) fn any(&self) -> bool {
        !self.running.is_empty()
    }

    pub(crate) fn has(&self, native: &str) -> bool {
        self.running.iter().any(|turn| turn.native == native)
    }

    pub(crate) fn begins(&mut self, native: &str, number: u32, thread: &str, link: &mut Link) {
        link.out.diagnostic(
            Level::Warn,
            "foreign-turn",
            "Codex began a turn by itself; it is stopped",
        );
        let params = json!({ "threadId": thread, "turnId": native });
        link.call(
            "turn/interrupt",
            &params,
            Call::Interrupt {
                native: native.to_owned(),
            },
        );
        let timer = format!("foreign-{number}");
        link.out.set_timer(&timer, PATIENCE);
        self.running.push(Stopped {
            native: native.to_owned(),
            timer,
        });
    }

    pub(crate) fn ends(&mut self, native: &str, link: &mut Link) {
        if let Some(place) = self.running.iter().position(|turn| turn.native == native) {
            let turn = self.running.remove(place);
            link.out.clear_timer(&turn.timer);
        }
    }

    /// Whether the timer `timer` was armed for one of these; that one is given up.
    pub(crate) fn expires(&mut self, timer: &str) -> bool {
        let before = self.running.len();
        self.running.retain(|turn| turn.timer != timer);
        self.running.len() < before
    }
}
