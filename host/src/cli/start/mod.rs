//! `groupx start`: opens a room, unless it is open already (LIFE-02).

mod arrival;
mod demo_room;
mod life;
mod signals;

use arrival::Arrival;

use super::arguments::StartOptions;
use super::exit::Exit;
use super::language::Sentence;
use super::voice::Voice;
use crate::config::{Config, ConfigError};

/// What a first `groupx.json` can look like.
const EXAMPLE: &str = r#"{
  "agents": {
    "codex": { "command": "codex", "cwd": "." }
  }
}"#;

/// Runs until the room ends, or until it is clear that it will not begin.
pub(super) fn run(options: &StartOptions, voice: Voice) -> Exit {
    if options.demo {
        return demo_room::run(!options.no_open, voice);
    }
    let config = match Config::load(&options.file.config) {
        Ok(config) => config,
        Err(ConfigError::Absent { path }) => {
            voice.complain(&Sentence::NoConfiguration {
                path: &path,
                example: EXAMPLE,
            });
            return Exit::Failed;
        }
        Err(error) => {
            voice.complain(&Sentence::BadConfiguration(&error));
            return Exit::Failed;
        }
    };
    let voice = voice.in_language(config.ui_language);
    match Arrival::at(&config) {
        Arrival::Free => life::run(config, !options.no_open, voice),
        taken => taken.conclude(config.port, !options.no_open, voice),
    }
}

/// Shows the page in the user's browser. A machine without one has the address on its screen.
fn open_page(origin: &str) {
    if let Err(error) = open::that_detached(origin) {
        tracing::info!(%error, "no browser was opened");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_a_configuration() {
        let config = Config::parse(EXAMPLE, "/room/groupx.json".into(), None).unwrap();
        assert_eq!(config.agents.len(), 1);
    }
}
