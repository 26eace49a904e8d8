//! Recordings of the real Claude, played natively. What each must come to, event by event, is held by
//! the golden files of the whole component; here they have to keep the interface's word, and to serve
//! as the raw material of `hostile_wire`.

use super::*;
use groupx_driver_sdk::{ExitStatus, Input, Output, SessionConfig};
use std::fs;
use std::path::{Path, PathBuf};

/// A recording that was played.
pub(super) struct Played {
    name: String,
    pub(super) config: SessionConfig,
    pub(super) story: Story<Claude>,
    /// Its process ends in it.
    ended: bool,
}

/// All recordings.
pub(super) fn played() -> Vec<Played> {
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
    assert!(files.len() >= 50, "the recordings are missing");
    files.iter().map(|file| play(file)).collect()
}

fn folders() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/wire/claude");
    let named = std::env::var("GROUPX_WIRE_DIR").unwrap_or_default();
    let named = named
        .split(':')
        .map(PathBuf::from)
        .filter(|folder| folder.ends_with("claude"));
    [here]
        .into_iter()
        .chain(named)
        .filter(|folder| folder.is_dir())
        .collect()
}

fn play(file: &Path) -> Played {
    let rows: Vec<Value> = fs::read_to_string(file)
        .unwrap()
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let argv = &rows[0]["line"]["argv"];
    let argv: Vec<_> = argv.as_array().into_iter().flatten().collect();
    let flag = |flag: &str| {
        let place = argv.iter().position(|arg| *arg == flag)?;
        argv.get(place + 1)?.as_str().map(str::to_owned)
    };
    let plain = config();
    let config = SessionConfig {
        new_session_id: flag("--session-id").unwrap_or(plain.new_session_id),
        resume: flag("--resume"),
        workdir: "<cwd>".to_owned(),
        ..config()
    };
    let mut player = Player {
        story: Story::begin(config.clone()),
        heard: 0,
        asked: Vec::new(),
        ours: Vec::new(),
        turns: 0,
    };
    for (at, row) in rows.iter().enumerate() {
        player.stub(&rows[at..]);
        let line = &row["line"];
        match row["dir"].as_str() {
            Some("in") => player.client(line),
            Some("out") => player.agent(line),
            Some("stderr") => drop(player.story.complains(line.as_str().unwrap_or_default())),
            _ if line["event"] == "exit" => player.exits(line),
            _ => {}
        }
    }
    Played {
        name: file.file_stem().unwrap().to_string_lossy().into_owned(),
        config,
        story: player.story,
        ended: rows
            .last()
            .is_some_and(|row| row["line"]["event"] == "exit"),
    }
}

struct Player {
    story: Story<Claude>,
    /// Outputs that were looked at.
    heard: usize,
    /// The recorded client's open requests, and the driver's: id and subtype.
    asked: Vec<(Value, Value)>,
    ours: Vec<(Value, Value)>,
    turns: u32,
}

impl Player {
    fn client(&mut self, frame: &Value) {
        let subtype = &frame["request"]["subtype"];
        match frame["type"].as_str() {
            Some("control_request") => {
                self.asked
                    .push((frame["request_id"].clone(), subtype.clone()));
                if *subtype == "interrupt"
                    && let Some(turn) = self.story.open_turn().map(str::to_owned)
                {
                    self.story.cancel(&turn);
                }
            }
            Some("user") if self.story.takes_prompts() => {
                self.turns += 1;
                let text = frame["message"]["content"][0]["text"].as_str();
                self.story
                    .prompt(&format!("t{}", self.turns), text.unwrap_or_default());
            }
            _ => {}
        }
    }

    fn agent(&mut self, frame: &Value) {
        let mut frame = frame.clone();
        if frame["type"] == "control_response" {
            let id = &frame["response"]["request_id"];
            let Some(asked) = self.asked.iter().position(|(asked, _)| asked == id) else {
                return;
            };
            let (_, subtype) = self.asked.remove(asked);
            self.note_asks();
            let Some(ours) = self.ours.iter().position(|(_, ours)| *ours == subtype) else {
                return;
            };
            frame["response"]["request_id"] = self.ours.remove(ours).0;
        }
        // Some were made in a stricter mode than ours.
        if frame["subtype"] == "init" {
            frame["permissionMode"] = json!("bypassPermissions");
        }
        self.story.prints(frame.to_string());
    }

    /// Answers what the rest of the recording has no answer to.
    fn stub(&mut self, rest: &[Value]) {
        self.note_asks();
        let recorded = |subtype: &Value| {
            let later = rest.iter().filter(|row| row["dir"] == "in");
            let mut later = later.map(|row| &row["line"]["request"]["subtype"]);
            self.asked.iter().any(|(_, asked)| asked == subtype) || later.any(|it| it == subtype)
        };
        let lacking: Vec<_> = self
            .ours
            .extract_if(.., |(_, subtype)| !recorded(subtype))
            .collect();
        for (id, _) in lacking {
            let response = json!({ "subtype": "success", "request_id": id, "response": {} });
            let answer = json!({ "type": "control_response", "response": response });
            self.story.prints(answer.to_string());
        }
    }

    fn note_asks(&mut self) {
        for output in &self.story.heard()[self.heard..] {
            let Output::WriteStdin(line) = output else {
                continue;
            };
            let frame: Value = serde_json::from_slice(line).unwrap();
            if frame["type"] == "control_request" {
                let subtype = frame["request"]["subtype"].clone();
                self.ours.push((frame["request_id"].clone(), subtype));
            }
        }
        self.heard = self.story.heard().len();
    }

    fn exits(&mut self, exit: &Value) {
        let code = exit["code"]
            .as_i64()
            .and_then(|code| i32::try_from(code).ok());
        self.story.input(Input::StdoutEof);
        self.story.input(Input::ProcessExited(ExitStatus {
            code,
            signal: None,
            expected: true,
        }));
    }
}

#[test]
fn drv_02_every_recording_keeps_the_interfaces_word_and_ends_its_turns() {
    for played in played() {
        let Played { name, story, .. } = &played;
        if played.ended {
            assert_eq!(story.open_turn(), None, "{name}");
        }
        if std::env::var_os("GROUPX_TELL").is_some() {
            println!("== {name}");
            let words = story.heard().iter().map(groupx_driver_sdk::story::words);
            words.for_each(|words| println!("{words}"));
        }
    }
}
