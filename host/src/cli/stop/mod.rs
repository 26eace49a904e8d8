//! `groupx stop`: ends the room of this configuration, and no other (protocol 10.8, LIFE-03).

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::arguments::ConfigOptions;
use super::exit::Exit;
use super::language::Sentence;
use super::loopback::{self, Answer};
use super::neighbour::{Kinship, Neighbour, kinship};
use super::voice::Voice;
use crate::config::{Config, RuntimeIdentity};

/// Pause between two looks at the port.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// So many looks in a row must find nobody.
const MISSES: u32 = 3;
/// How long the request itself may take.
const REQUEST: Duration = Duration::from_secs(5);

/// How long a room may need to end: each agent has its two waits of `closeMs`, and a third is for
/// the rest.
pub(super) fn patience(config: &Config) -> Duration {
    (3 * config.timeouts.close + Duration::from_secs(1)).max(Duration::from_secs(15))
}

/// Asks the room to end and waits until it is gone.
pub(super) fn run(options: &ConfigOptions, voice: Voice) -> Exit {
    match Config::load(&options.config) {
        Ok(config) => {
            let voice = voice.in_language(config.ui_language);
            end(config.port, &config.identity(), patience(&config), voice)
        }
        Err(error) => {
            voice.complain(&Sentence::BadConfiguration(&error));
            Exit::Failed
        }
    }
}

fn end(port: u16, ours: &RuntimeIdentity, patience: Duration, voice: Voice) -> Exit {
    let refuse = |complaint| {
        voice.complain(&complaint);
        Exit::Failed
    };
    match Neighbour::on(port) {
        Neighbour::Nobody => {
            voice.say(&Sentence::NotRunning { port });
            return Exit::Done;
        }
        Neighbour::Mute | Neighbour::Stranger => return refuse(Sentence::OtherProgram { port }),
        Neighbour::Groupx { identity, .. } if kinship(&identity, ours) == Kinship::Other => {
            return refuse(Sentence::NotOurs { port });
        }
        Neighbour::Groupx { closing: true, .. } => {}
        Neighbour::Groupx { closing: false, .. } => {
            let body = json!({ "runtimeScopeKey": ours.runtime_scope_key });
            match loopback::post(port, "/api/runtime/shutdown", &body, REQUEST) {
                // 503: somebody else asked in between. No answer: it may have ended already.
                Answer::Http(202 | 503, _) | Answer::Nobody | Answer::Mute => {}
                Answer::Http(status, _) => return refuse(Sentence::StopRefused { status }),
            }
        }
    }
    voice.say(&Sentence::Stopping);
    match watch_it_go(port, ours, Instant::now() + patience) {
        Ending::Gone => {
            voice.say(&Sentence::Stopped);
            Exit::Done
        }
        Ending::Replaced => refuse(Sentence::OtherProgram { port }),
        Ending::TooSlow => refuse(Sentence::StopTooSlow {
            seconds: patience.as_secs(),
        }),
    }
}

/// How the wait for an end came out.
enum Ending {
    Gone,
    Replaced,
    TooSlow,
}

fn watch_it_go(port: u16, ours: &RuntimeIdentity, until: Instant) -> Ending {
    let mut misses = 0;
    while Instant::now() < until {
        match Neighbour::on(port) {
            Neighbour::Nobody => misses += 1,
            Neighbour::Groupx { identity, .. } if kinship(&identity, ours) != Kinship::Other => {
                misses = 0;
            }
            // A room that ends on a busy machine may be too slow to say who it is.
            Neighbour::Mute => misses = 0,
            Neighbour::Groupx { .. } | Neighbour::Stranger => return Ending::Replaced,
        }
        if misses == MISSES {
            return Ending::Gone;
        }
        thread::sleep(LOOK_AGAIN);
    }
    Ending::TooSlow
}

#[cfg(test)]
mod tests;
