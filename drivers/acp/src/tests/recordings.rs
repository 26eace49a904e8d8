//! Recordings of real agents, played natively. What each must come to, event by event, is held by the
//! golden files of the whole components; here they have to keep the interface's word, and to serve as the
//! raw material of `hostile_wire`.

use super::*;
use groupx_driver_sdk::story::recording::{Protocol, play};
use std::fs;
use std::path::{Path, PathBuf};

const PROTOCOL: Protocol = Protocol {
    prompt: "session/prompt",
    text: |params| params.pointer("/prompt/0/text")?.as_str(),
    cancel: "session/cancel",
    stub: |method| match method {
        "session/new" => Some(json!({ "sessionId": "s1" })),
        "session/set_mode" | "session/set_config_option" | "session/close" => Some(json!({})),
        _ => None,
    },
    mend: |_, _| {},
};

/// The recorded agents; a driver of their own plays the first three as components.
const FOLDERS: [&str; 4] = ["kimi", "hermes", "grok", "opencode"];

/// All recordings: name and played session.
pub(super) fn played() -> Vec<(String, Story<Driver>)> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/wire")
            .join(folder);
        files.extend(recordings_in(&folder));
    }
    files.sort();
    assert!(files.len() >= 100, "the recordings are missing");
    files.iter().flat_map(|file| sessions_of(file)).collect()
}

fn recordings_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| {
        let name = file.to_string_lossy();
        name.ends_with(".jsonl") && !name.ends_with(".events.jsonl")
    });
    files
}

/// One session for each process in the file.
fn sessions_of(file: &Path) -> Vec<(String, Story<Driver>)> {
    let text = fs::read_to_string(file).unwrap();
    let mut processes = vec![String::new()];
    for row in text.lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let ends = row["dir"] == "exit";
        let process = processes.last_mut().unwrap();
        process.push_str(&as_played(row).to_string());
        process.push('\n');
        if ends {
            processes.push(String::new());
        }
    }
    processes.retain(|process| process.contains(r#""dir":"in""#));
    let name = file.file_stem().unwrap().to_string_lossy();
    let told = processes.iter().map(|process| {
        let loads = process.contains(r#""method":"session/load""#);
        let resume = loads.then(|| loaded(process));
        let executable = match file.parent().and_then(Path::file_name) {
            Some(folder) => format!("/bin/{}", folder.to_string_lossy()),
            None => "/bin/agent".to_owned(),
        };
        let config = SessionConfig {
            resume,
            executable,
            ..config()
        };
        (name.to_string(), play(process, &PROTOCOL, config))
    });
    told.collect()
}

fn loaded(process: &str) -> String {
    let lines = process
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut loads = lines.filter(|line| line["line"]["method"] == "session/load");
    loads.next().unwrap()["line"]["params"]["sessionId"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// A row in the words that the player knows.
fn as_played(row: Value) -> Value {
    match (row["dir"].as_str().unwrap(), row["raw"].as_str()) {
        ("exit", _) => json!({ "dir": "meta", "line": { "event": "exit", "code": row["code"] } }),
        ("err", Some(raw)) => json!({ "dir": "stderr", "line": raw }),
        (dir @ ("in" | "out"), Some(raw)) => json!({ "dir": dir, "line": { "__raw": raw } }),
        _ => row,
    }
}

#[test]
fn drv_02_every_recording_keeps_the_interfaces_word_and_ends_its_turns() {
    for (name, story) in played() {
        assert_eq!(story.open_turn(), None, "{name}");
        if std::env::var_os("GROUPX_TELL").is_some() {
            println!("== {name}");
            story
                .heard()
                .iter()
                .for_each(|output| println!("{}", groupx_driver_sdk::story::words(output)));
        }
    }
}
