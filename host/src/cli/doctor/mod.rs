//! `groupx doctor`: says what was found and the one thing to do about what was not (LIFE-04).

mod look;
mod program;
mod report;
mod show;

use std::io::Write;

use look::Surroundings;
use report::Report;

use super::arguments::DoctorOptions;
use super::exit::Exit;
use super::voice::Voice;
use crate::config::Config;

/// Looks around and tells. It changes nothing.
pub(super) fn run(options: &DoctorOptions, voice: Voice) -> Exit {
    let config = Config::load(&options.file.config);
    let voice = voice.in_language(config.as_ref().ok().and_then(|config| config.ui_language));
    let report = look::around(
        &options.file.config,
        config,
        &Surroundings::of_process(),
        voice,
    );
    if options.json {
        print_json(&report);
    } else {
        show::report(&report, voice);
    }
    if report.finds_a_cli() {
        Exit::Done
    } else {
        Exit::Failed
    }
}

fn print_json(report: &Report) {
    // invariant: a report holds texts, flags and lists alone, which always serialize
    let text = serde_json::to_string_pretty(report).unwrap_or_default();
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}
