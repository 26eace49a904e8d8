//! Replays every recorded session through the driver component that it belongs to.
//!
//! Recordings lie in `tests/wire/DRIVER/NAME.jsonl`, each beside the normalized events that a person
//! has read and found right, `NAME.events.jsonl`; `GROUPX_BLESS=1` writes those anew. Folders in
//! `GROUPX_WIRE_DIR` (separated by colons) hold more, without expected events; what lies in a folder
//! whose name is no driver's id is replayed by the driver `acp`. One line each: `ok`, `FAIL` or
//! `skip`, the name, and why. Each is then replayed again with its lines cut, dropped, repeated and
//! swapped, which no driver may answer with a fault or a broken promise.

mod golden;
mod mutation;
mod wanted;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use groupx::driver::replay::{Capture, replay};
use groupx::driver::{Driver, Drivers};
use wanted::Wanted;

/// The driver of recordings whose folder is named after a CLI, not a driver.
const GENERIC: &str = "acp";

/// A recording to replay.
struct Case {
    /// Folder and file, without the ending.
    name: String,
    file: PathBuf,
    /// Where it has expected events.
    golden: Option<PathBuf>,
}

/// What came of one.
enum Verdict {
    Ok(String),
    Fail(String),
    Skip(String),
}

fn main() -> ExitCode {
    let wanted = Wanted::from_arguments(env::args().skip(1));
    let cases = cases().into_iter().filter(|case| wanted.has(&case.name));
    if wanted.list {
        cases.for_each(|case| println!("{}: test", case.name));
        return ExitCode::SUCCESS;
    }
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("drivers");
    let drivers = Drivers::load(&[], &cache, |_| {});
    let mut failed = 0;
    for case in cases {
        let name = &case.name;
        match play(&drivers, &case) {
            Verdict::Ok(remark) => println!("ok   {name}{}", after_a_dash(&remark)),
            Verdict::Skip(reason) => println!("skip {name}{}", after_a_dash(&reason)),
            Verdict::Fail(reason) => {
                failed += 1;
                println!("FAIL {name}{}", after_a_dash(&reason));
            }
        }
    }
    if failed == 0 {
        return ExitCode::SUCCESS;
    }
    println!("{failed} recordings failed");
    ExitCode::FAILURE
}

fn after_a_dash(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!(" — {text}")
}

fn cases() -> Vec<Case> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/wire");
    let mut cases = cases_in(&own, true);
    if let Some(folders) = env::var_os("GROUPX_WIRE_DIR") {
        for folder in env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty()) {
            cases.extend(cases_in(&folder, false));
        }
    }
    cases
}

/// Every recording below `folder`; the folder that it lies in names its driver.
fn cases_in(folder: &Path, with_goldens: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            cases.extend(cases_in(&path, with_goldens));
            continue;
        }
        let name = file_name(&path);
        let Some(stem) = name.strip_suffix(".jsonl") else {
            continue;
        };
        if stem.ends_with(golden::ENDING) {
            continue;
        }
        let golden = folder.join(format!("{stem}{}.jsonl", golden::ENDING));
        cases.push(Case {
            name: format!("{}/{stem}", file_name(folder)),
            golden: with_goldens.then_some(golden),
            file: path,
        });
    }
    cases
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn play(drivers: &Drivers, case: &Case) -> Verdict {
    let folder = case.name.split('/').next().unwrap_or_default();
    let known = drivers.list().iter().any(|entry| entry.id == folder);
    let id = if known { folder } else { GENERIC };
    if !known && !drivers.list().iter().any(|entry| entry.id == GENERIC) {
        return Verdict::Skip(format!("the driver {GENERIC} is not loaded"));
    }
    let driver = match drivers.get(id) {
        Ok(driver) => driver,
        Err(fault) => return Verdict::Fail(fault.to_string()),
    };
    let capture = match Capture::read(&case.file) {
        Ok(capture) => capture,
        Err(error) => return Verdict::Fail(error.to_string()),
    };
    judge(&driver, &capture, case)
}

fn judge(driver: &Driver, capture: &Capture, case: &Case) -> Verdict {
    let (outcome, again) = match (replay(driver, capture), replay(driver, capture)) {
        (Ok(outcome), Ok(again)) => (outcome, again),
        (Err(reason), _) | (_, Err(reason)) => return Verdict::Skip(reason.to_string()),
    };
    if !outcome.failures.is_empty() {
        let failures: Vec<String> = outcome.failures.iter().map(ToString::to_string).collect();
        return Verdict::Fail(failures.join("; "));
    }
    if (&outcome.events, &outcome.notes) != (&again.events, &again.notes) {
        return Verdict::Fail("a second replay told something else".to_owned());
    }
    if let Some(golden) = &case.golden
        && let Err(difference) = golden::compare(golden, &outcome.events)
    {
        return Verdict::Fail(difference);
    }
    match mutation::survives(driver, case) {
        Ok(()) => Verdict::Ok(counted(&outcome.notes)),
        Err(reason) => Verdict::Fail(reason),
    }
}

/// The notes on one line, repeated ones counted.
fn counted(notes: &[String]) -> String {
    let mut distinct: Vec<(&str, usize)> = Vec::new();
    for note in notes {
        match distinct.iter_mut().find(|(known, _)| known == note) {
            Some((_, count)) => *count += 1,
            None => distinct.push((note, 1)),
        }
    }
    let words = distinct.into_iter().map(|(note, count)| match count {
        1 => note.to_owned(),
        _ => format!("{note} ({count} times)"),
    });
    words.collect::<Vec<_>>().join("; ")
}
