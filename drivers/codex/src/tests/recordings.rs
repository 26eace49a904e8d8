//! Recordings of the real Codex, played natively. What each must come to, event by event, is held by the
//! golden files of the whole component; here they have to keep the interface's word, and to serve as
//! the raw material of `hostile_wire`.

use super::*;
use groupx_driver_sdk::SessionConfig;
use groupx_driver_sdk::story::recording::{Protocol, play};
use std::fs;
use std::path::{Path, PathBuf};

const PROTOCOL: Protocol = Protocol {
    prompt: "turn/start",
    text: |params| params.pointer("/input/0/text")?.as_str(),
    cancel: "turn/interrupt",
    stub: |method| match method {
        "configRequirements/read" => Some(json!({ "requirements": null })),
        "thread/start" => Some(opened("thread-1")),
        "turn/interrupt" | "thread/backgroundTerminals/clean" => Some(json!({})),
        _ => None,
    },
    // Some were made with a stricter policy than ours, and in another folder.
    mend: |method, result| {
        if method == "thread/start" || method == "thread/resume" {
            result["approvalPolicy"] = json!("never");
            result["sandbox"] = json!({ "type": "dangerFullAccess" });
            result["cwd"] = json!("/room");
        }
    },
};

/// All recordings: name and played session.
pub(super) fn played() -> Vec<(String, Story<Codex>)> {
    let mut files: Vec<PathBuf> = folders()
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|file| file.unwrap().path())
        .collect();
    files.retain(|file| {
        let name = file.to_string_lossy();
        name.ends_with(".jsonl") && !name.ends_with(".events.jsonl")
    });
    files.sort();
    assert!(files.len() >= 30, "the recordings are missing");
    files
        .iter()
        .map(|file| {
            let text = fs::read_to_string(file).unwrap();
            let resume = text
                .lines()
                .find(|line| line.contains("\"method\": \"thread/resume\""))
                .map(|_| "thread-0".to_owned());
            let config = SessionConfig { resume, ..config() };
            (
                file.file_stem().unwrap().to_string_lossy().into_owned(),
                play(&text, &PROTOCOL, config),
            )
        })
        .collect()
}

fn folders() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/wire/codex");
    let named = std::env::var("GROUPX_WIRE_DIR").unwrap_or_default();
    let named = named
        .split(':')
        .map(PathBuf::from)
        .filter(|folder| folder.ends_with("codex"));
    [here]
        .into_iter()
        .chain(named)
        .filter(|folder| folder.is_dir())
        .collect()
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
