//! The program `groupx`: the command line and nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    groupx::cli::run()
}
