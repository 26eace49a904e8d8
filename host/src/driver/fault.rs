//! What can go wrong with a driver that was loaded: one sentence each, naming it and the fix.

use std::fmt;
use std::time::Duration;

use super::refusal::RefusedDriver;
use super::{Failure, limits};

/// The export of a driver that was running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Creating the instance: its memory, its start function.
    Start,
    /// `describe`
    Describe,
    /// `launch`
    Launch,
    /// `open`
    Open,
    /// `step`
    Step,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Call::Start => "start",
            Call::Describe => "describe",
            Call::Launch => "launch",
            Call::Open => "open",
            Call::Step => "step",
        })
    }
}

/// Why a driver cannot be used (any more). After any of them the instance is spent.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DriverFault {
    /// The wasm engine does not work on this machine.
    #[error("Drivers cannot run on this machine: {0}.")]
    Engine(String),
    /// No driver of that id is bundled or was found in a folder.
    #[error("There is no driver \"{id}\". Known: {}. Put its .wasm into a drivers folder, or choose another.", listed(.known))]
    Unknown {
        /// The id that was asked for.
        id: String,
        /// The ids that exist.
        known: Vec<String>,
    },
    /// The component of that id could not be loaded.
    #[error(transparent)]
    Refused(#[from] RefusedDriver),
    /// The driver refused the session in its own words.
    #[error("The driver \"{driver}\" refused the session: {}", .failure.message)]
    Open {
        /// Id of the driver.
        driver: String,
        /// What it said.
        failure: Failure,
    },
    /// The component trapped: a panic, a bad memory access, too deep a recursion.
    #[error(
        "The driver \"{driver}\" crashed in {call}: {reason}. Its session is lost, others are not; report it to the driver's author or replace the .wasm."
    )]
    Trapped {
        /// Id of the driver.
        driver: String,
        /// Where it was.
        call: Call,
        /// The panic text if there was one, else the trap, on one line.
        reason: String,
    },
    /// It computed for too long without answering.
    #[error("The driver \"{driver}\" did not return from {call} within {} ms of computing and was stopped. Its session is lost, others are not; report it to the driver's author or replace the .wasm.", .spent.as_millis())]
    Deadline {
        /// Id of the driver.
        driver: String,
        /// Where it was.
        call: Call,
        /// What it had used when it was stopped.
        spent: Duration,
    },
    /// It wanted more memory than an instance may have.
    #[error("The driver \"{driver}\" wanted {} MiB of memory in {call}; a session's driver may have {} MiB. Report it to the driver's author or replace the .wasm.", .wanted.div_ceil(1 << 20), limits::MEMORY >> 20)]
    Memory {
        /// Id of the driver.
        driver: String,
        /// Where it was.
        call: Call,
        /// Bytes it would have had.
        wanted: usize,
    },
    /// It answered one call with more than `limits.max-output`.
    #[error(
        "The driver \"{driver}\" answered {call} with more than {limit} bytes. Report it to the driver's author or replace the .wasm."
    )]
    OutputTooLarge {
        /// Id of the driver.
        driver: String,
        /// Where it was.
        call: Call,
        /// The bound, in bytes.
        limit: usize,
    },
    /// A `json` value was over `limits.max-json`, or was none.
    #[error(
        "The driver \"{driver}\" gave a bad JSON value as {field}: {reason}. Report it to the driver's author or replace the .wasm."
    )]
    Json {
        /// Id of the driver.
        driver: String,
        /// The field, in the words of `driver.wit`.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The instance was called again after it had failed.
    #[error(
        "The driver \"{driver}\" has failed before in this session; the session must be started again."
    )]
    Spent {
        /// Id of the driver.
        driver: String,
    },
}

/// Why there is nothing to run.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LaunchRefused {
    /// The driver will not run this executable or this configuration.
    #[error("The driver \"{driver}\" cannot start it: {}", .failure.message)]
    Failure {
        /// Id of the driver.
        driver: String,
        /// What it said.
        failure: Failure,
    },
    /// The driver itself failed.
    #[error(transparent)]
    Fault(#[from] DriverFault),
}

fn listed(ids: &[String]) -> String {
    if ids.is_empty() {
        return "none".to_owned();
    }
    ids.join(", ")
}
