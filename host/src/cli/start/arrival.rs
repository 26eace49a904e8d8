//! What a start finds on its port, and what follows from it. Nothing is killed and no other port
//! is tried.

use std::thread;
use std::time::{Duration, Instant};

use super::open_page;
use crate::cli::exit::Exit;
use crate::cli::language::Sentence;
use crate::cli::neighbour::{Kinship, Neighbour, kinship};
use crate::cli::stop::patience;
use crate::cli::voice::Voice;
use crate::config::{Config, RuntimeIdentity};

/// Pause between two looks at the port.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// How long a room that took the port first may need until it answers.
const SIBLING: Duration = Duration::from_secs(3);

/// What a start finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrival {
    /// Nobody is there.
    Free,
    /// This very room is running.
    Running,
    /// This room is there and about to end.
    Ending,
    /// This room is there, as configured earlier.
    AsItWas,
    /// Another room.
    OtherRoom,
    /// Another program.
    OtherProgram,
}

impl Arrival {
    /// Looks at the port; waits while our own room is ending there.
    pub(super) fn at(config: &Config) -> Self {
        let until = Instant::now() + patience(config);
        let ours = config.identity();
        loop {
            let found = Self::of(&Neighbour::on(config.port), &ours);
            if found != Self::Ending || Instant::now() >= until {
                return found;
            }
            thread::sleep(LOOK_AGAIN);
        }
    }

    /// Looks again after the port or the database turned out to be taken: of two starts at the
    /// same instant, one finds the other here. `None` when nobody shows up on the port in time.
    pub(super) fn of_the_winner(config: &Config) -> Option<Self> {
        let until = Instant::now() + SIBLING;
        let ours = config.identity();
        loop {
            let found = Self::of(&Neighbour::on(config.port), &ours);
            let is_late = Instant::now() >= until;
            match found {
                Self::Free | Self::Ending if is_late => return None,
                // Also what a room looks like that has the port and does not answer yet.
                Self::OtherProgram if is_late => return Some(found),
                Self::Free | Self::Ending | Self::OtherProgram => thread::sleep(LOOK_AGAIN),
                Self::Running | Self::AsItWas | Self::OtherRoom => return Some(found),
            }
        }
    }

    fn of(neighbour: &Neighbour, ours: &RuntimeIdentity) -> Self {
        match neighbour {
            Neighbour::Nobody => Self::Free,
            Neighbour::Mute | Neighbour::Stranger => Self::OtherProgram,
            Neighbour::Groupx { identity, closing } => match (kinship(identity, ours), closing) {
                (Kinship::Other, _) => Self::OtherRoom,
                (_, true) => Self::Ending,
                (Kinship::Same, false) => Self::Running,
                (Kinship::SameFile, false) => Self::AsItWas,
            },
        }
    }

    /// Says what was found and ends the start.
    pub(super) fn conclude(self, port: u16, show_page: bool, voice: Voice) -> Exit {
        let complaint = match self {
            Self::Running => {
                let origin = format!("http://127.0.0.1:{port}");
                voice.say(&Sentence::AlreadyRunning { origin: &origin });
                if show_page {
                    open_page(&origin);
                }
                return Exit::Done;
            }
            Self::Free | Self::Ending => Sentence::StillEnding { port },
            Self::AsItWas => Sentence::RunsAsItWas { port },
            Self::OtherRoom => Sentence::OtherRoom { port },
            Self::OtherProgram => Sentence::OtherProgram { port },
        };
        voice.complain(&complaint);
        Exit::Failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn life_02_only_the_same_room_is_reused_and_only_an_ending_one_is_waited_for() {
        let key = |c: &str| c.repeat(64);
        let identity = |runtime, scope| RuntimeIdentity {
            runtime_key: key(runtime),
            runtime_scope_key: key(scope),
        };
        let ours = identity("a", "b");
        let room = |runtime, scope, closing| Neighbour::Groupx {
            identity: identity(runtime, scope),
            closing,
        };
        let cases = [
            (Neighbour::Nobody, Arrival::Free),
            (Neighbour::Mute, Arrival::OtherProgram),
            (Neighbour::Stranger, Arrival::OtherProgram),
            (room("a", "b", false), Arrival::Running),
            (room("a", "b", true), Arrival::Ending),
            (room("c", "b", false), Arrival::AsItWas),
            (room("c", "b", true), Arrival::Ending),
            (room("c", "d", false), Arrival::OtherRoom),
            (room("c", "d", true), Arrival::OtherRoom),
        ];
        for (neighbour, arrival) in cases {
            assert_eq!(Arrival::of(&neighbour, &ours), arrival, "{neighbour:?}");
        }
    }
}
