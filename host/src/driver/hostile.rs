//! Tests with a driver that misbehaves on request, and with its file damaged in every usual way.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use super::*;

mod streams;

static ROOT: LazyLock<&Path> =
    LazyLock::new(|| Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap());

/// The component of `tests/hostile-driver`, built once for each run of the tests.
static WASM: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let target = ROOT.join("target/drivers");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--quiet"])
        .args(["--target", "wasm32-wasip2", "--target-dir"])
        .arg(&target)
        .current_dir(ROOT.join("tests/hostile-driver"))
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .status()
        .unwrap();
    assert!(built.success(), "tests/hostile-driver does not build");
    std::fs::read(target.join("wasm32-wasip2/release/groupx_hostile_driver.wasm")).unwrap()
});

/// Kept between runs: each test may be a process of its own.
static CACHE: LazyLock<PathBuf> = LazyLock::new(|| ROOT.join("target/drivers/compiled"));

static LOADER: LazyLock<Loader> = LazyLock::new(|| Loader::new(&CACHE).unwrap());

static DRIVER: LazyLock<Arc<Driver>> = LazyLock::new(|| Arc::new(load(&WASM).unwrap()));

fn load(bytes: &[u8]) -> Result<Driver, RefusedDriver> {
    LOADER.load(Source::File("bad.wasm".into()), bytes)
}

/// What the author of `bytes` reads.
fn refusal(bytes: &[u8]) -> String {
    match load(bytes) {
        Ok(_) => panic!("it was loaded"),
        Err(refused) => refused.to_string(),
    }
}

/// The component with every `from` in it replaced by `to`, which has the same length.
fn patched(from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = WASM.clone();
    let mut start = 0;
    while let Some(found) = bytes[start..]
        .windows(from.len())
        .position(|window| window == from.as_bytes())
    {
        start += found;
        bytes[start..start + to.len()].copy_from_slice(to.as_bytes());
    }
    assert!(start > 0, "{from} does not occur");
    bytes
}

fn config(client_name: &str) -> SessionConfig {
    SessionConfig {
        session: "session-1".to_owned(),
        new_session_id: "00000000-0000-4000-8000-000000000001".to_owned(),
        executable: "/bin/true".to_owned(),
        executable_version: String::new(),
        os: "linux".to_owned(),
        workdir: "/".to_owned(),
        mcp: Vec::new(),
        resume: None,
        client_name: client_name.to_owned(),
        client_version: "0".to_owned(),
        limits: default_limits(),
    }
}

fn wish(text: &str) -> Input {
    Input::Prompt(Prompt {
        turn: "turn-1".to_owned(),
        content: vec![Content::Text(text.to_owned())],
    })
}

/// The text that a harmless wish is answered with.
fn told(instance: &mut Instance, text: &str) -> Result<String, DriverFault> {
    let outputs = instance.step(&[wish(text)])?.outputs;
    let texts = outputs.iter().map(|output| match output {
        Output::ContentDelta(delta) => delta.text.as_str(),
        other => panic!("{other:?}"),
    });
    Ok(texts.collect())
}

/// Lets one instance misbehave while another, opened before, must stay well.
fn contained(text: &str) -> DriverFault {
    let mut neighbour = DRIVER.open(&config("")).unwrap();
    let mut instance = DRIVER.open(&config("")).unwrap();
    let before = Instant::now();
    let fault = told(&mut instance, text).unwrap_err();
    let took = before.elapsed();
    assert!(took < Duration::from_secs(5), "{text}: {took:?}");
    assert!(matches!(
        told(&mut instance, "nothing"),
        Err(DriverFault::Spent { .. })
    ));
    assert_eq!(told(&mut neighbour, "nothing").unwrap(), "");
    fault
}

#[test]
fn drv_05_a_driver_that_spins_is_stopped_and_its_sentence_names_it() {
    let fault = contained("spin");
    let DriverFault::Deadline { call, spent, .. } = &fault else {
        panic!("{fault}");
    };
    assert_eq!(*call, Call::Step);
    assert!(*spent < Duration::from_secs(1), "{spent:?}");
    let said = fault.to_string();
    assert!(
        said.starts_with("The driver \"hostile\" did not return from step within"),
        "{said}"
    );
}

#[test]
fn drv_05_a_driver_that_allocates_without_bound_is_stopped() {
    let said = contained("allocate").to_string();
    assert!(
        said.contains("a session's driver may have 64 MiB"),
        "{said}"
    );
}

#[test]
fn drv_05_a_driver_that_recurses_too_deeply_is_stopped() {
    let said = contained("recurse").to_string();
    assert!(said.contains("recurs"), "{said}");
}

#[test]
fn drv_05_a_panic_is_told_with_its_text_and_place() {
    let said = contained("panic").to_string();
    assert!(said.contains("crashed in step"), "{said}");
    assert!(said.contains("no such thing as a second line"), "{said}");
    assert!(said.contains("src/lib.rs:"), "{said}");
}

#[test]
fn drv_05_a_driver_that_exits_loses_only_its_session() {
    let said = contained("exit").to_string();
    assert!(said.contains("it called exit"), "{said}");
}

#[test]
fn drv_05_output_is_bounded_in_bytes_and_in_number() {
    let fault = contained("one huge output");
    assert!(
        matches!(fault, DriverFault::OutputTooLarge { .. }),
        "{fault}"
    );
    // Its own memory is too small for as many as would be too many for ours.
    let fault = contained("many outputs");
    assert!(matches!(fault, DriverFault::Memory { .. }), "{fault}");
}

#[test]
fn drv_05_log_lines_are_bounded_in_bytes_and_in_number() {
    assert!(matches!(
        contained("huge log"),
        DriverFault::OutputTooLarge { .. }
    ));
    assert!(matches!(
        contained("endless log"),
        DriverFault::Deadline { .. }
    ));
}

#[test]
fn drv_05_json_that_is_none_ends_the_session() {
    let said = contained("broken json").to_string();
    assert!(said.contains("ext.value"), "{said}");
}

#[test]
fn drv_05_a_driver_sees_no_environment_and_a_closed_stdin() {
    let mut instance = DRIVER.open(&config("")).unwrap();
    assert_eq!(told(&mut instance, "look around").unwrap(), "0 0");
    assert_eq!(told(&mut instance, "read stdin").unwrap(), "Ok(0) \"\"");
}

#[test]
fn drv_05_launch_and_open_are_bounded_too() {
    let Err(LaunchRefused::Fault(DriverFault::Deadline { call, .. })) =
        DRIVER.launch(&config("spin"))
    else {
        panic!("launch was not stopped");
    };
    assert_eq!(call, Call::Launch);
    let Err(DriverFault::Trapped { call, .. }) = DRIVER.open(&config("panic")) else {
        panic!("open was not stopped");
    };
    assert_eq!(call, Call::Open);
}

#[test]
fn a_driver_that_refuses_the_session_is_quoted() {
    let Err(fault) = DRIVER.open(&config("refuse")) else {
        panic!("it opened");
    };
    assert_eq!(
        fault.to_string(),
        "The driver \"hostile\" refused the session: not today"
    );
}

#[test]
fn drv_06_another_version_of_the_interface_is_named() {
    assert_eq!(
        refusal(&patched(
            "groupx:driver/driver@0.1.0",
            "groupx:driver/driver@0.2.0"
        )),
        "The driver bad.wasm was built for GroupX driver API 0.2.0; this GroupX speaks 0.1.x. Build it against this version's wit/driver.wit."
    );
}

#[test]
fn drv_06_a_later_patch_version_is_accepted() {
    load(&patched("@0.1.0", "@0.1.7")).unwrap();
}

#[test]
fn drv_05_a_forbidden_import_is_named_before_anything_runs() {
    let said = refusal(&patched(
        "wasi:cli/environment@0.2.6",
        "wasi:sockets/network@0.2.6",
    ));
    assert!(
        said.contains("imports wasi:sockets/network@0.2.6, which drivers do not get"),
        "{said}"
    );
}

#[test]
fn drv_06_what_is_no_driver_is_told_what_it_is() {
    for (bytes, sentence) in [
        (&b""[..], "is not WebAssembly"),
        (b"#!/bin/sh\n", "is not WebAssembly"),
        (b"\0asm\x01\0\0\0", "is a core module"),
        (b"\0asm\x0d\0\x01\0", "does not export groupx:driver/driver"),
        (&WASM[..WASM.len() / 2], "is damaged or cut off"),
        (
            &patched("groupx:driver/driver@", "groupx:driver/drover@"),
            "does not export",
        ),
        (
            &patched("hostile0.2.0", "HOSTILE0.2.0"),
            "its id \"HOSTILE\" is not",
        ),
    ] {
        let said = refusal(bytes);
        assert!(said.contains(sentence), "{sentence}: {said}");
    }
}

#[test]
fn drv_06_native_code_is_not_taken_from_outside() {
    let native = LOADER.engine.wasm().precompile_component(&WASM).unwrap();
    let said = refusal(&native);
    assert!(said.contains("is precompiled native code"), "{said}");
}

#[test]
fn drv_04_a_file_in_the_drivers_folder_is_found_and_a_bad_one_beside_it_is_told() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("drivers");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a.wasm"), &*WASM).unwrap();
    std::fs::write(folder.join("b.wasm"), &*WASM).unwrap();
    std::fs::write(folder.join("c.wasm"), b"no").unwrap();
    std::fs::write(folder.join("README"), b"no").unwrap();
    let folders = [home.path().join("missing"), folder.clone()];

    let drivers = Drivers::load(&folders, &CACHE, |_| {});

    let entry = drivers
        .list()
        .into_iter()
        .find(|entry| entry.id == "hostile")
        .unwrap();
    assert_eq!(entry.source, Source::File(folder.join("a.wasm")));
    assert_eq!(
        drivers.get("hostile").unwrap().description().display_name,
        "Hostile"
    );
    let refused: Vec<String> = drivers.refused().iter().map(ToString::to_string).collect();
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert!(
        refused[0].contains("b.wasm has the id \"hostile\""),
        "{refused:?}"
    );
    assert!(
        refused[1].contains("c.wasm is not WebAssembly"),
        "{refused:?}"
    );
}

#[test]
fn an_unknown_driver_is_told_with_the_known_ones() {
    let drivers = Drivers::load(&[], &CACHE, |_| {});
    let Err(fault) = drivers.get("nobody") else {
        panic!("there is one");
    };
    assert!(
        fault
            .to_string()
            .starts_with("There is no driver \"nobody\". Known: "),
        "{fault}"
    );
}

#[test]
fn drv_04_the_users_file_wins_over_the_bundled_driver_of_its_id_and_that_is_told() {
    let &(id, wasm) = bundled::BUNDLED.first().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.wasm");
    std::fs::write(&file, wasm).unwrap();
    let (told, news) = std::sync::mpsc::channel();

    let drivers = Drivers::load(&[folder.path().to_owned()], &CACHE, move |news| {
        told.send(news).unwrap();
    });

    let source = Source::File(file.clone());
    assert_eq!(*drivers.get(id).unwrap().source(), source);
    let entries = drivers.list();
    let entry = entries.iter().find(|entry| entry.id == id).unwrap();
    assert!(entry.replaces_bundled);
    drop(drivers);
    assert_eq!(
        news.iter().collect::<Vec<_>>(),
        [
            DriverNews::Loading(source.clone()),
            DriverNews::Ready {
                id: id.to_owned(),
                source,
            },
            DriverNews::ReplacesBundled {
                id: id.to_owned(),
                by: file,
            },
        ]
    );
}

#[test]
fn every_bundled_driver_loads_when_it_is_asked_for_and_not_before() {
    let drivers = Drivers::load(&[], &CACHE, |_| {});
    assert!(drivers.list().iter().all(|entry| entry.loaded.is_none()));
    for &(id, _) in bundled::BUNDLED {
        assert_eq!(drivers.get(id).unwrap().description().id, id);
    }
    assert!(drivers.list().iter().all(|entry| entry.loaded.is_some()));
}

#[test]
fn two_sessions_step_on_threads_of_their_own_while_a_third_spins() {
    let step_on_its_own_thread = |text: &'static str| {
        let mut instance = DRIVER.open(&config("")).unwrap();
        std::thread::spawn(move || told(&mut instance, text))
    };
    let spinning = step_on_its_own_thread("spin");
    let others = ["look around", "read stdin"].map(step_on_its_own_thread);
    for other in others {
        assert!(other.join().unwrap().is_ok());
    }
    assert!(matches!(
        spinning.join().unwrap(),
        Err(DriverFault::Deadline { .. })
    ));
}
