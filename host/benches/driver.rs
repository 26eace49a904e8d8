//! What the driver boundary costs: `cargo bench -p groupx --bench driver`.
//!
//! Times are of whole calls of the bundled Codex component, as a session makes them: inputs lowered,
//! lines parsed, outputs lifted and checked. The smallest of many rounds is printed beside the
//! median, because a busy machine disturbs only upwards. Rows T11 and T12 of `docs/benchmarks.md`.

// A bench that cannot run says why and ends.
#![allow(clippy::expect_used)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use groupx::driver::{
    Content, Driver, Drivers, Input, Instance, Output, Prompt, SessionConfig, default_limits,
};
use serde_json::{Value, json};

const THREAD: &str = "01a22f8c-b18a-7581-a123-04bc1f9f9b08";
const NATIVE_TURN: &str = "01a22f8c-b221-76e3-b671-06be8888dc0d";

/// Deltas in one round, whatever the batch.
const DELTAS: usize = 4096;
const ROUNDS: usize = 41;

fn main() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let shelf = || Drivers::load(&[], cache.path(), |_| {});
    let empty: Vec<Duration> = (0..ROUNDS).map(|_| timed(|| drop(shelf()))).collect();
    print("T1 all drivers known, none compiled", &empty, 1);
    let load = || {
        let drivers = shelf();
        drivers.get("codex").expect("the codex driver is bundled")
    };
    print(
        "T12 load, compiled for the first time",
        &[timed(|| drop(load()))],
        1,
    );
    let cached: Vec<Duration> = (0..ROUNDS).map(|_| timed(|| drop(load()))).collect();
    print("T12 load, from the cache", &cached, 1);

    let driver = load();
    let opened: Vec<Duration> = (0..ROUNDS).map(|_| timed(|| drop(open(&driver)))).collect();
    print("open an instance", &opened, 1);

    let mut instance = in_a_turn(&driver);
    let nothing: Vec<Duration> = (0..ROUNDS)
        .map(|_| timed(|| (0..DELTAS).for_each(|_| drop(step(&mut instance, &[])))))
        .collect();
    print("an empty step", &nothing, DELTAS);
    for batch in [1, 16, 256] {
        let inputs = vec![Input::Frame(delta_line(200)); batch];
        let rounds = rounds(&mut instance, &inputs, DELTAS / batch);
        print(
            &format!("T11 200-byte delta, batches of {batch}"),
            &rounds,
            DELTAS,
        );
    }
    let long = [Input::Frame(delta_line(64 << 10))];
    let long = rounds(&mut instance, &long, 16);
    print("a 64 KiB delta", &long, 16);
    let frame = [Input::Frame(delta_line(16 << 20))];
    print("a 16 MiB delta", &rounds(&mut instance, &frame, 1), 1);
}

fn rounds(instance: &mut Instance, inputs: &[Input], calls: usize) -> Vec<Duration> {
    let round = |_| timed(|| (0..calls).for_each(|_| drop(black_box(step(instance, inputs)))));
    (0..ROUNDS).map(round).collect()
}

fn step(instance: &mut Instance, inputs: &[Input]) -> Vec<Output> {
    instance.step(inputs).expect("the driver works").outputs
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn print(what: &str, rounds: &[Duration], each: usize) {
    let mut each: Vec<f64> = rounds
        .iter()
        .map(|round| round.as_secs_f64() * 1e6 / each as f64)
        .collect();
    each.sort_by(f64::total_cmp);
    let (least, median) = (each[0], each[each.len() / 2]);
    println!("{what:<44} {least:>12.2} µs least {median:>12.2} µs median");
}

fn open(driver: &Driver) -> Instance {
    let config = SessionConfig {
        session: "bench".to_owned(),
        new_session_id: "00000000-0000-4000-8000-000000000001".to_owned(),
        executable: "codex".to_owned(),
        executable_version: String::new(),
        os: "linux".to_owned(),
        workdir: "/room".to_owned(),
        mcp: Vec::new(),
        resume: None,
        client_name: "groupx".to_owned(),
        client_version: "0".to_owned(),
        limits: default_limits(),
    };
    driver.open(&config).expect("the driver opens")
}

/// An instance that has shaken hands and works on a prompt.
fn in_a_turn(driver: &Driver) -> Instance {
    let mut instance = open(driver);
    converse(&mut instance, Input::ProcessStarted);
    let prompt = Prompt {
        turn: "turn-1".to_owned(),
        content: vec![Content::Text("go".to_owned())],
    };
    converse(&mut instance, Input::Prompt(prompt));
    let started = json!({"method": "turn/started",
        "params": {"threadId": THREAD, "turn": {"id": NATIVE_TURN, "status": "inProgress"}}});
    converse(
        &mut instance,
        Input::Frame(started.to_string().into_bytes()),
    );
    let deltas = step(&mut instance, &[Input::Frame(delta_line(200))]);
    assert!(
        matches!(&deltas[..], [Output::ContentDelta(_)]),
        "a delta line becomes a delta: {deltas:?}"
    );
    instance
}

/// Gives one input and answers every call that follows from it.
fn converse(instance: &mut Instance, input: Input) {
    let mut next = vec![input];
    while let Some(input) = next.pop() {
        for output in step(instance, &[input]) {
            let Output::WriteStdin(bytes) = output else {
                continue;
            };
            let lines = bytes
                .split(|&byte| byte == b'\n')
                .filter(|line| !line.is_empty());
            for line in lines {
                let call: Value = serde_json::from_slice(line).expect("the driver writes JSON");
                if call.get("id").is_some() {
                    next.push(Input::Frame(answer(&call).to_string().into_bytes()));
                }
            }
        }
    }
}

fn answer(call: &Value) -> Value {
    let result = match call["method"].as_str() {
        Some("thread/start") => json!({"thread": {"id": THREAD}, "approvalPolicy": "never",
            "sandbox": {"type": "dangerFullAccess"}, "cwd": "/room", "model": "m"}),
        Some("turn/start") => json!({"turn": {"id": NATIVE_TURN, "status": "inProgress"}}),
        _ => json!({"userAgent": "bench/0", "requirements": null}),
    };
    json!({"id": call["id"], "result": result})
}

/// A line as Codex prints it, of about `bytes` bytes.
fn delta_line(bytes: usize) -> Vec<u8> {
    let line = |text: &str| {
        json!({"method": "item/agentMessage/delta", "params": {
            "threadId": THREAD, "turnId": NATIVE_TURN, "itemId": "msg_1", "delta": text}})
        .to_string()
    };
    let frame = line("").len();
    line(&"x".repeat(bytes.saturating_sub(frame))).into_bytes()
}
