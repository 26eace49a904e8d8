//! Stopping a turn: asked for at once, asked for again when it did nothing, given up in time.
//!
//! Claude acknowledges every interrupt, whether there was something to stop or not. One that it read
//! before it took up the prompt may be lost, so text that streams after such an acknowledgement is
//! the sign to ask again, and so is a while in which nothing happens.

use crate::control::{Ask, Link};
use serde_json::json;

/// How long a stop may take, in milliseconds: below the host's own limit, so that the turn still ends
/// with a true word.
const PATIENCE: u64 = 8_000;
/// How long an acknowledged interrupt may take to show, in milliseconds.
const EFFECT: u64 = 2_000;
const ATTEMPTS: u8 = 3;

/// Why a turn is to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    Cancelled,
    /// Claude asked a question that nobody here answers.
    Interaction,
}

#[derive(Debug)]
pub(crate) struct Stop {
    pub(crate) why: Why,
    patience: String,
    again: String,
    attempts: u8,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Asked, not acknowledged.
    Asked,
    /// Acknowledged before Claude took up the prompt.
    Early,
    Acknowledged,
}

/// What a timer that fired means.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fired {
    NotOurs,
    AskedAgain,
    /// Claude does not stop.
    OutOfPatience,
}

impl Stop {
    /// Ask now; `number` tells this stop's timers from those of others.
    pub(crate) fn begin(why: Why, number: u32, link: &mut Link) -> Self {
        let mut stop = Self {
            why,
            patience: format!("stop-{number}"),
            again: format!("again-{number}"),
            attempts: 0,
            state: State::Asked,
        };
        link.out.set_timer(&stop.patience, PATIENCE);
        stop.ask(link);
        stop
    }

    fn ask(&mut self, link: &mut Link) {
        self.state = State::Asked;
        self.attempts += 1;
        interrupt(link);
    }

    fn ask_again(&mut self, link: &mut Link) {
        if self.state != State::Asked && self.attempts < ATTEMPTS {
            link.out.clear_timer(&self.again);
            self.ask(link);
        }
    }

    /// The interrupt was read; `running`: Claude had taken up the prompt by then.
    pub(crate) fn acknowledged(&mut self, running: bool, link: &mut Link) {
        if self.state == State::Asked {
            self.state = if running {
                State::Acknowledged
            } else {
                State::Early
            };
            link.out.set_timer(&self.again, EFFECT);
        }
    }

    /// The model works on.
    pub(crate) fn goes_on(&mut self, link: &mut Link) {
        if self.state == State::Early {
            self.ask_again(link);
        }
    }

    pub(crate) fn fired(&mut self, timer: &str, link: &mut Link) -> Fired {
        if timer == self.patience {
            return Fired::OutOfPatience;
        }
        if timer != self.again {
            return Fired::NotOurs;
        }
        self.ask_again(link);
        Fired::AskedAgain
    }

    /// The turn has ended.
    pub(crate) fn over(self, link: &mut Link) -> Why {
        link.out.clear_timer(&self.patience);
        link.out.clear_timer(&self.again);
        self.why
    }
}

pub(crate) fn interrupt(link: &mut Link) {
    link.ask(&json!({ "subtype": "interrupt" }), Ask::Interrupt);
}
