//! The rules of the house that a machine can hold: who may know whom, and how long a file may be.

use std::path::{Path, PathBuf};

/// Each room and the rooms it may know; `ARCHITECTURE.md` says why.
const LAW: &[(&str, &[&str])] = &[
    ("protocol", &[]),
    ("config", &["protocol"]),
    ("store", &["protocol"]),
    ("driver", &["protocol"]),
    ("context", &["protocol", "store"]),
    ("session", &["protocol", "config", "driver"]),
    ("broker", &["protocol", "store", "context", "session"]),
    ("mcp", &["protocol", "broker"]),
    ("http", &["protocol", "config", "broker", "mcp"]),
    (
        "runtime",
        &[
            "protocol", "config", "store", "driver", "session", "broker", "http",
        ],
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Files below a folder with one of these endings, without what is installed, built or generated.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let skipped = [
        "target",
        "node_modules",
        "dist",
        "generated",
        "artifacts",
        ".git",
    ];
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && !skipped.contains(&name.as_str()) {
            found.extend(files(&path, endings));
        } else if endings.iter().any(|ending| name.ends_with(ending)) && name != "bindings.rs" {
            found.push(path);
        }
    }
    found
}

/// The part of a source file that is built into the program.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)
}

#[test]
fn no_room_knows_a_room_above_it() {
    let mut broken = Vec::new();
    for (room, may_know) in LAW {
        for file in files(&root().join("host/src").join(room), &[".rs"]) {
            let shown = file.display().to_string();
            if shown.contains("/tests") || shown.ends_with("hostile.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            for part in without_tests(&text).split("crate::").skip(1) {
                let known: String = part
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                let is_room = known == "cli" || LAW.iter().any(|(other, _)| *other == known);
                if is_room && known != *room && !may_know.contains(&known.as_str()) {
                    broken.push(format!("{shown} knows {known}"));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn files_stay_short_enough_to_be_read() {
    let mut lengths: Vec<(usize, PathBuf)> = files(&root(), &[".rs", ".ts", ".tsx", ".mjs"])
        .into_iter()
        .map(|file| {
            (
                std::fs::read_to_string(&file).unwrap().lines().count(),
                file,
            )
        })
        .collect();
    lengths.sort();
    let (longest, file) = lengths.last().unwrap();
    assert!(*longest <= 800, "{} has {longest} lines", file.display());
    assert!(lengths[lengths.len() * 9 / 10].0 <= 500);
    assert!(lengths[lengths.len() / 2].0 <= 150);
}

#[test]
fn only_the_store_writes_sql_and_no_driver_word_is_in_the_host() {
    let sql = ["SELECT ", "INSERT INTO", "UPDATE turns", "DELETE FROM"];
    // The replay of recordings speaks the CLIs' protocols by its purpose, in one file each.
    let wire = [
        "turn/start",
        "thread/start",
        "session/prompt",
        "control_request",
        "session/set_mode",
    ];
    for file in files(&root().join("host/src"), &[".rs"]) {
        let shown = file.display().to_string();
        if shown.contains("/tests") || shown.ends_with("tidy.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let text = without_tests(&text);
        if !shown.contains("/src/store/") {
            assert!(
                !sql.iter().any(|word| text.contains(word)),
                "SQL in {shown}"
            );
        }
        if !shown.contains("/driver/replay/") {
            assert!(
                !wire.iter().any(|word| text.contains(word)),
                "a CLI's word in {shown}"
            );
        }
    }
}
