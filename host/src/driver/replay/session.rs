//! The session that a recording was made in, as far as the recording tells.

use super::capture::Record;
use super::dialect::{Dialect, Setup};
use super::recorded::Recorded;
use crate::driver::{SessionConfig, default_limits};

fn setup(recorded: &Recorded, records: &[Record], dialect: &Dialect) -> Setup {
    let line = |at: usize| match records.get(at) {
        Some(Record::In(line) | Record::Out(line)) => line.json.as_ref(),
        _ => None,
    };
    let Some(opening) = recorded.opening() else {
        return Setup::default();
    };
    match line(opening.at) {
        Some(call) => (dialect.setup)(call, opening.answer_at.and_then(line)),
        None => Setup::default(),
    }
}

/// The session that the driver is opened for.
pub(super) fn config(recorded: &Recorded, records: &[Record], dialect: &Dialect) -> SessionConfig {
    let argv = records.iter().find_map(|record| match record {
        Record::Spawn(argv) => Some(argv.as_slice()),
        _ => None,
    });
    let argv = argv.unwrap_or_default();
    let started = (dialect.started)(argv);
    let setup = setup(recorded, records, dialect);
    let new_session = "00000000-0000-4000-8000-000000000001".to_owned();
    SessionConfig {
        session: "replay".to_owned(),
        new_session_id: started.session.unwrap_or(new_session),
        executable: argv.first().map_or("agent", String::as_str).to_owned(),
        executable_version: String::new(),
        os: "linux".to_owned(),
        workdir: setup.workdir.unwrap_or_else(|| "/room".to_owned()),
        mcp: [setup.mcp, started.mcp].concat(),
        resume: setup.resume.or(started.resume),
        client_name: "groupx".to_owned(),
        client_version: env!("CARGO_PKG_VERSION").to_owned(),
        limits: default_limits(),
    }
}
