//! A report as a person reads it.

use super::report::{Found, Report, RoomState};
use crate::cli::language::Sentence;
use crate::cli::voice::Voice;

/// Prints the whole report.
pub(super) fn report(report: &Report, voice: Voice) {
    voice.say(&Sentence::Doctor {
        version: report.version,
        system: &report.system,
    });
    let file = &report.configuration;
    match &file.problem {
        None => voice.say(&Sentence::FoundConfiguration { path: &file.path }),
        Some(problem) => voice.say(&Sentence::Problem { text: problem }),
    }
    if let Some(database) = &report.database {
        match &database.problem {
            None => voice.say(&Sentence::FoundDatabase {
                path: &database.path,
                exists: database.exists,
            }),
            Some(problem) => voice.say(&Sentence::Problem { text: problem }),
        }
    }
    if let Some(room) = &report.room {
        voice.say(&match room.state {
            RoomState::Running => Sentence::RoomRuns { port: room.port },
            RoomState::Stopped => Sentence::PortIsFree { port: room.port },
            RoomState::Taken => Sentence::PortIsTaken { port: room.port },
        });
    }
    voice.say(&Sentence::Drivers);
    for row in &report.drivers {
        let version = row.driver_version.as_deref().unwrap_or("–");
        let driver = format!("{} {version}", row.id);
        voice.say(&Sentence::Row {
            name: &driver,
            found: &found(&row.cli),
        });
    }
    if !report.agents.is_empty() {
        voice.say(&Sentence::Agents);
    }
    for row in &report.agents {
        let agent = format!("{} ({}, {})", row.name, row.id, row.driver);
        if row.enabled {
            voice.say(&Sentence::Row {
                name: &agent,
                found: &found(&row.cli),
            });
        } else {
            voice.say(&Sentence::DisabledRow { name: &agent });
        }
    }
}

fn found(cli: &Found) -> String {
    let parts = [&cli.executable, &cli.version, &cli.problem];
    parts
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" · ")
}
