//! Replay: a recorded conversation with a real CLI, given to a driver that has never seen it.
//!
//! The recorded client's prompts, cancels and its end become inputs; its other calls the driver has
//! to make itself, and each gets the recorded answer under its own id. What the recording lacks is
//! answered from a stub, what belongs to no prompt of ours is skipped, and both are said. What a
//! line means is the dialect's to say; this room knows no CLI beyond that data.

mod acp;
mod capture;
mod claude;
mod codex;
mod dialect;
mod event;
mod player;
mod recorded;
mod session;

pub use capture::{Capture, CaptureError};

use super::{Breach, Driver, DriverFault};
use player::Player;

/// What came of a replay.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The normalized events in order, one JSON object each; stdin and timers are left out.
    pub events: Vec<String>,
    /// What was skipped, stubbed or fired, in order.
    pub notes: Vec<String>,
    /// What the driver did wrong; empty is a pass.
    pub failures: Vec<Wrong>,
}

/// Something that a driver did wrong in a replay.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Wrong {
    /// It failed or was stopped.
    #[error(transparent)]
    Fault(#[from] DriverFault),
    /// It broke a promise of the interface.
    #[error(transparent)]
    Breach(#[from] Breach),
    /// It left a turn open.
    #[error("{turn} has no terminal although {because}")]
    NoTerminal {
        /// The turn.
        turn: String,
        /// What should have ended it.
        because: &'static str,
    },
}

/// The recording cannot be replayed, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no client line in it is of a known protocol")]
pub struct UnknownDialect;

/// Replays `capture` through fresh instances of `driver`, one for each process in it.
///
/// # Errors
/// When nobody knows how to read the recording.
pub fn replay(driver: &Driver, capture: &Capture) -> Result<Outcome, UnknownDialect> {
    let dialect = dialect::of(capture).ok_or(UnknownDialect)?;
    let mut outcome = Outcome::default();
    let mut turns = 0;
    for records in &capture.processes {
        turns = Player::play(driver, dialect, records, turns, &mut outcome);
    }
    Ok(outcome)
}
