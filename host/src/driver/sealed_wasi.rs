//! The little of WASI that a driver may import, with nothing behind it.
//!
//! A Rust or C++ program for wasm32-wasip2 imports streams, the environment and the terminal even
//! if all it does is panic. Here stdin is closed, stdout and stderr are the instance's last words,
//! the environment is empty, and the seed is constant. Nothing blocks: a component that could wait
//! in a host call would escape its deadline. Clocks, real randomness, files and sockets do not
//! exist, and a component that wants them is refused by name before it is linked.

use wasmtime::StoreContextMut;
use wasmtime::component::{ComponentType, Lift, Linker, Lower, Resource, ResourceType};

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

/// Whether a driver may import the interface `name`, which may end in `@version`.
pub(super) fn may_import(name: &str) -> bool {
    let interface = name
        .split_once('@')
        .map_or(name, |(interface, _)| interface);
    ALLOWED.contains(&interface)
}

// None of them has state of its own: all handles of a kind are the same thing.
struct StdinEnd;
struct OutputEnd;
struct Ready;
struct IoError;
struct Terminal;

/// Representation of every handle; it is never looked up.
const ONLY: u32 = 0;

/// What a write may bring at once, as in other hosts.
const WRITE_BYTES: u64 = 4096;

#[derive(ComponentType, Lift, Lower)]
#[component(variant)]
enum StreamError {
    #[component(name = "last-operation-failed")]
    LastOperationFailed(Resource<IoError>),
    #[component(name = "closed")]
    Closed,
}

type Written = (Result<(), StreamError>,);
type Count = (Result<u64, StreamError>,);
type Bytes = (Result<Vec<u8>, StreamError>,);

/// Defines all allowed WASI interfaces. A component asks for them at any 0.2 version.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    io(linker)?;
    streams(linker)?;
    terminals(linker)?;
    surroundings(linker)
}

fn io(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let mut error = linker.instance("wasi:io/error@0.2.12")?;
    error.resource("error", ResourceType::host::<IoError>(), drop_nothing)?;
    error.func_wrap(
        "[method]error.to-debug-string",
        |_: StoreContextMut<'_, State>, _: (Resource<IoError>,)| Ok((String::from("closed"),)),
    )?;

    let mut poll = linker.instance("wasi:io/poll@0.2.12")?;
    poll.resource("pollable", ResourceType::host::<Ready>(), drop_nothing)?;
    poll.func_wrap(
        "[method]pollable.ready",
        |_: StoreContextMut<'_, State>, _: (Resource<Ready>,)| Ok((true,)),
    )?;
    poll.func_wrap(
        "[method]pollable.block",
        |_: StoreContextMut<'_, State>, _: (Resource<Ready>,)| Ok(()),
    )?;
    poll.func_wrap(
        "poll",
        |_: StoreContextMut<'_, State>, (all,): (Vec<Resource<Ready>>,)| {
            Ok(((0u32..)
                .zip(&all)
                .map(|(index, _)| index)
                .collect::<Vec<_>>(),))
        },
    )
}

fn streams(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let mut streams = linker.instance("wasi:io/streams@0.2.12")?;
    streams.resource(
        "input-stream",
        ResourceType::host::<StdinEnd>(),
        drop_nothing,
    )?;
    streams.resource(
        "output-stream",
        ResourceType::host::<OutputEnd>(),
        drop_nothing,
    )?;
    for name in ["read", "blocking-read"] {
        streams.func_wrap(
            &format!("[method]input-stream.{name}"),
            |_: StoreContextMut<'_, State>,
             _: (Resource<StdinEnd>, u64)|
             -> wasmtime::Result<Bytes> { Ok((Err(StreamError::Closed),)) },
        )?;
    }
    for name in ["skip", "blocking-skip"] {
        streams.func_wrap(
            &format!("[method]input-stream.{name}"),
            |_: StoreContextMut<'_, State>,
             _: (Resource<StdinEnd>, u64)|
             -> wasmtime::Result<Count> { Ok((Err(StreamError::Closed),)) },
        )?;
    }
    streams.func_wrap(
        "[method]input-stream.subscribe",
        |_: StoreContextMut<'_, State>, _: (Resource<StdinEnd>,)| {
            Ok((Resource::<Ready>::new_own(ONLY),))
        },
    )?;
    streams.func_wrap(
        "[method]output-stream.subscribe",
        |_: StoreContextMut<'_, State>, _: (Resource<OutputEnd>,)| {
            Ok((Resource::<Ready>::new_own(ONLY),))
        },
    )?;
    streams.func_wrap(
        "[method]output-stream.check-write",
        |_: StoreContextMut<'_, State>, _: (Resource<OutputEnd>,)| -> wasmtime::Result<Count> {
            Ok((Ok(WRITE_BYTES),))
        },
    )?;
    for name in ["write", "blocking-write-and-flush"] {
        streams.func_wrap(
            &format!("[method]output-stream.{name}"),
            |mut store: StoreContextMut<'_, State>,
             (_, bytes): (Resource<OutputEnd>, Vec<u8>)|
             -> wasmtime::Result<Written> {
                store.data_mut().hear(&bytes);
                Ok((Ok(()),))
            },
        )?;
    }
    for name in ["flush", "blocking-flush"] {
        streams.func_wrap(
            &format!("[method]output-stream.{name}"),
            |_: StoreContextMut<'_, State>,
             _: (Resource<OutputEnd>,)|
             -> wasmtime::Result<Written> { Ok((Ok(()),)) },
        )?;
    }
    for name in ["write-zeroes", "blocking-write-zeroes-and-flush"] {
        streams.func_wrap(
            &format!("[method]output-stream.{name}"),
            |_: StoreContextMut<'_, State>,
             _: (Resource<OutputEnd>, u64)|
             -> wasmtime::Result<Written> { Ok((Ok(()),)) },
        )?;
    }
    for name in ["splice", "blocking-splice"] {
        streams.func_wrap(
            &format!("[method]output-stream.{name}"),
            |_: StoreContextMut<'_, State>,
             _: (Resource<OutputEnd>, Resource<StdinEnd>, u64)|
             -> wasmtime::Result<Count> { Ok((Err(StreamError::Closed),)) },
        )?;
    }
    Ok(())
}

fn terminals(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    for kind in ["input", "output"] {
        linker
            .instance(&format!("wasi:cli/terminal-{kind}@0.2.12"))?
            .resource(
                &format!("terminal-{kind}"),
                ResourceType::host::<Terminal>(),
                drop_nothing,
            )?;
    }
    for stream in ["stdin", "stdout", "stderr"] {
        linker
            .instance(&format!("wasi:cli/terminal-{stream}@0.2.12"))?
            .func_wrap(
                &format!("get-terminal-{stream}"),
                |_: StoreContextMut<'_, State>, (): ()| Ok((None::<Resource<Terminal>>,)),
            )?;
    }
    Ok(())
}

fn surroundings(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    linker
        .instance("wasi:cli/stdin@0.2.12")?
        .func_wrap("get-stdin", |_: StoreContextMut<'_, State>, (): ()| {
            Ok((Resource::<StdinEnd>::new_own(ONLY),))
        })?;
    for stream in ["stdout", "stderr"] {
        linker
            .instance(&format!("wasi:cli/{stream}@0.2.12"))?
            .func_wrap(
                &format!("get-{stream}"),
                |_: StoreContextMut<'_, State>, (): ()| Ok((Resource::<OutputEnd>::new_own(ONLY),)),
            )?;
    }
    let mut environment = linker.instance("wasi:cli/environment@0.2.12")?;
    environment.func_wrap(
        "get-environment",
        |_: StoreContextMut<'_, State>, (): ()| Ok((Vec::<(String, String)>::new(),)),
    )?;
    environment.func_wrap("get-arguments", |_: StoreContextMut<'_, State>, (): ()| {
        Ok((Vec::<String>::new(),))
    })?;
    environment.func_wrap("initial-cwd", |_: StoreContextMut<'_, State>, (): ()| {
        Ok((None::<String>,))
    })?;
    let mut exit = linker.instance("wasi:cli/exit@0.2.12")?;
    exit.func_wrap(
        "exit",
        |_: StoreContextMut<'_, State>, _: (Result<(), ()>,)| -> wasmtime::Result<()> {
            Err(wasmtime::Error::msg("it called exit"))
        },
    )?;
    exit.func_wrap(
        "exit-with-code",
        |_: StoreContextMut<'_, State>, _: (u8,)| -> wasmtime::Result<()> {
            Err(wasmtime::Error::msg("it called exit"))
        },
    )?;
    linker
        .instance("wasi:random/insecure-seed@0.2.12")?
        .func_wrap("insecure-seed", |_: StoreContextMut<'_, State>, (): ()| {
            // Constant, so that two runs of one session give the same bytes.
            Ok(((0x6772_6f75_7058_0001_u64, 0x6472_6976_6572_0001_u64),))
        })
}

fn drop_nothing(_: StoreContextMut<'_, State>, _: u32) -> wasmtime::Result<()> {
    Ok(())
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
