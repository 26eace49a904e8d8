//! Running other programs from the build: what they print is shown when they fail.

use std::io;
use std::process::{Command, Stdio};

/// Runs to the end; `Err` is what happened, without a full stop.
///
/// Its output goes to the build script's stderr, which cargo shows after a failure. On stdout it
/// would be taken for instructions to cargo.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::from(io::stderr()))
        .status()
        .map_err(|error| format!("{name} could not be started ({error})"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{name} ended with {status}"))
    }
}

/// What a program prints, trimmed; `None` when it cannot be run or fails.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
