//! The little of WASI that a driver may import, with nothing behind it.
//!
//! A Rust or C++ program for wasm32-wasip2 imports streams, the environment and the terminal even
//! if all it does is panic. `wasmtime-wasi` serves them from an empty context: stdin is closed,
//! stdout and stderr are the instance's last words, the environment is empty, the seed is constant.
//! Clocks, real randomness, files and sockets are not linked, and a component that wants them is
//! refused by name before it is linked.
//!
//! A component that could wait in a host call would escape its deadline. None can: both kinds of
//! stream there are, the closed one and the last words, are ready whenever they are asked, so
//! `poll`, `block` and everything that begins with `blocking-` go on at once. What one call may
//! bring is bounded by the store: bytes by its fuel for host calls, streams and pollables by its
//! limit of handles.
//!
//! Those calls run under the tokio runtime of the calling thread, or under one that
//! `wasmtime-wasi` keeps for threads without; on a worker of a runtime they panic.

use wasmtime::component::{HasData, Linker, ResourceTable};
use wasmtime_wasi::cli::{WasiCli, WasiCliView as _};
use wasmtime_wasi::p2::bindings::sync::io::{poll, streams};
use wasmtime_wasi::p2::bindings::{cli, io, random};
use wasmtime_wasi::random::{WasiRandom, WasiRandomView as _};
use wasmtime_wasi::{WasiCtx, WasiView as _};

use super::last_words::LastWords;
use super::state::State;

/// Every interface that a driver may import, without its version.
const ALLOWED: &[&str] = &[
    "groupx:driver/types",
    "groupx:driver/log",
    "wasi:io/error",
    "wasi:io/poll",
    "wasi:io/streams",
    "wasi:cli/environment",
    "wasi:cli/exit",
    "wasi:cli/stdin",
    "wasi:cli/stdout",
    "wasi:cli/stderr",
    "wasi:cli/terminal-input",
    "wasi:cli/terminal-output",
    "wasi:cli/terminal-stdin",
    "wasi:cli/terminal-stdout",
    "wasi:cli/terminal-stderr",
    "wasi:random/insecure-seed",
];

/// Constant, so that two runs of one session give the same bytes.
const SEED: u128 = 0x6472_6976_6572_0001_6772_6f75_7058_0001;

/// Whether a driver may import the interface `name`, which may end in `@version`.
pub(super) fn may_import(name: &str) -> bool {
    let interface = name
        .split_once('@')
        .map_or(name, |(interface, _)| interface);
    ALLOWED.contains(&interface)
}

/// Defines all allowed WASI interfaces and no other. A component asks for them at any 0.2 version.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    io::error::add_to_linker::<State, Handles>(linker, |state| state.ctx().table)?;
    poll::add_to_linker::<State, Handles>(linker, |state| state.ctx().table)?;
    streams::add_to_linker::<State, Handles>(linker, |state| state.ctx().table)?;
    cli::environment::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::exit::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::stdin::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::stdout::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::stderr::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_input::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_output::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stdin::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stdout::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stderr::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    random::insecure_seed::add_to_linker::<State, WasiRandom>(linker, State::random)
}

/// What an instance finds around itself: nothing, and someone who listens.
pub(super) fn surroundings(words: &LastWords) -> WasiCtx {
    WasiCtx::builder()
        .stdout(words.clone())
        .stderr(words.clone())
        .insecure_random_seed(SEED)
        .build()
}

/// The streams and pollables that the instance holds.
struct Handles;

impl HasData for Handles {
    type Data<'a> = &'a mut ResourceTable;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drv_05_clocks_files_sockets_and_randomness_cannot_be_imported() {
        for name in [
            "wasi:clocks/monotonic-clock@0.2.6",
            "wasi:clocks/wall-clock@0.2.6",
            "wasi:filesystem/types@0.2.6",
            "wasi:sockets/tcp@0.2.6",
            "wasi:random/random@0.2.6",
            "wasi:io/streams-extra@0.2.6",
            "someone:else/thing",
        ] {
            assert!(!may_import(name), "{name}");
        }
        assert!(may_import("wasi:io/streams@0.2.6"));
        assert!(may_import("groupx:driver/log@0.1.3"));
    }
}
