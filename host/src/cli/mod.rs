//! The command line: what a person types, and what they read back.
//!
//! Owns verbs, flags, exit codes, and every sentence that GroupX says in a terminal, in English and
//! Chinese. It knows all rooms and decides nothing that a room decides: each verb is thin.

mod arguments;
mod demo_agent;
mod doctor;
mod exit;
mod language;
mod log;
mod loopback;
mod neighbour;
mod start;
mod stop;
mod voice;

use std::process::ExitCode;

use arguments::Verb;
use exit::Exit;
use language::Locale;
use voice::Voice;

/// Runs the program with the arguments and the environment of this process.
pub fn run() -> ExitCode {
    let voice = Voice::new(Locale::from_env().language());
    let verb = match arguments::parse(std::env::args_os(), voice.language()) {
        Ok(verb) => verb,
        Err(answer) => return answer.print().code(),
    };
    // The demo agent's stderr is kept by the room as evidence: it stays empty.
    if !matches!(verb, Verb::DemoAgent) {
        log::begin();
    }
    let exit = match verb {
        Verb::Start(options) => start::run(&options, voice),
        Verb::Stop(options) => stop::run(&options, voice),
        Verb::Doctor(options) => doctor::run(&options, voice),
        Verb::DemoAgent => demo_agent::run(),
        Verb::Help => {
            arguments::print_help(voice.language());
            Exit::Done
        }
        Verb::Version => {
            arguments::print_version();
            Exit::Done
        }
    };
    exit.code()
}
