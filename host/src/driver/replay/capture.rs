//! A recorded conversation with a real CLI, line by line, as it lies in a file.
//!
//! One JSON object a line. `dir` says whose line it is: `in` (client to CLI), `out`, `stderr` or
//! `err`, and `meta`, `note` or `exit` for what happened to the process. The line itself is in
//! `line` as JSON, or, where it was none, in `raw` or as `{"__raw": TEXT}`.

use std::path::Path;
use std::{fs, io};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// One recording: one or more processes, one after the other.
#[derive(Debug)]
pub struct Capture {
    /// The file's name without its ending.
    pub name: String,
    pub(super) processes: Vec<Vec<Record>>,
}

/// Why a file is no recording.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// A line of it is not what recordings are made of.
    #[error("{name} line {line}: {reason}")]
    BadLine {
        /// The recording.
        name: String,
        /// Counted from one.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

#[derive(Debug)]
pub(super) enum Record {
    /// The client wrote it.
    In(Line),
    /// The CLI printed it.
    Out(Line),
    /// The CLI printed it on stderr.
    Stderr(String),
    /// The process was started with these arguments.
    Spawn(Vec<String>),
    /// The client closed the CLI's stdin.
    StdinClosed,
    /// The process ended.
    Exit {
        code: Option<i32>,
        signal: Option<i32>,
    },
}

/// A line as it was on the wire, and what it says if it is JSON.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) json: Option<Value>,
}

#[derive(Deserialize)]
struct Row<'a> {
    dir: &'a str,
    #[serde(borrow)]
    line: Option<&'a RawValue>,
    raw: Option<String>,
    code: Option<i32>,
    signal: Option<Value>,
}

impl Capture {
    /// Reads a recording.
    ///
    /// # Errors
    /// When it cannot be read, or a line of it is not understood.
    pub fn read(path: &Path) -> Result<Self, CaptureError> {
        let text = fs::read_to_string(path).map_err(|error| CaptureError::Unreadable {
            path: path.display().to_string(),
            error,
        })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::parse(&name, &text)
    }

    /// Reads a recording from its text.
    ///
    /// # Errors
    /// When a line of it is not understood.
    pub fn parse(name: &str, text: &str) -> Result<Self, CaptureError> {
        let mut processes = vec![Vec::new()];
        for (index, row) in text.lines().enumerate().filter(|(_, row)| !row.is_empty()) {
            let records = records(row).map_err(|reason| CaptureError::BadLine {
                name: name.to_owned(),
                line: index + 1,
                reason,
            })?;
            for record in records {
                let ended = matches!(record, Record::Exit { .. });
                if let Some(process) = processes.last_mut() {
                    process.push(record);
                }
                if ended {
                    processes.push(Vec::new());
                }
            }
        }
        processes.retain(|process| {
            process
                .iter()
                .any(|record| matches!(record, Record::In(_) | Record::Out(_)))
        });
        Ok(Capture {
            name: name.to_owned(),
            processes,
        })
    }
}

fn records(row: &str) -> Result<Vec<Record>, String> {
    let row: Row = serde_json::from_str(row).map_err(|error| error.to_string())?;
    Ok(match row.dir {
        "in" => vec![Record::In(line(&row)?)],
        "out" => vec![Record::Out(line(&row)?)],
        "stderr" | "err" => stderr(&row)?,
        "exit" => vec![exit(row.code, row.signal.as_ref())],
        "note" => note(row.raw.as_deref().unwrap_or_default()),
        "meta" => meta(row.line)?,
        other => return Err(format!("the direction {other:?} is unknown")),
    })
}

fn line(row: &Row) -> Result<Line, String> {
    if let Some(text) = &row.raw {
        return Ok(Line::new(text.clone()));
    }
    let raw = row.line.ok_or("it has neither line nor raw")?;
    #[derive(Deserialize)]
    struct NotJson {
        __raw: String,
    }
    Ok(match serde_json::from_str::<NotJson>(raw.get()) {
        Ok(NotJson { __raw }) => Line::new(__raw),
        Err(_) => Line::new(raw.get().to_owned()),
    })
}

impl Line {
    fn new(text: String) -> Self {
        let json = serde_json::from_str(&text).ok();
        Line { text, json }
    }
}

fn stderr(row: &Row) -> Result<Vec<Record>, String> {
    let text = match (&row.raw, row.line) {
        (Some(text), _) => text.clone(),
        (None, Some(line)) => {
            serde_json::from_str(line.get()).map_err(|error| error.to_string())?
        }
        (None, None) => return Err("it has neither line nor raw".to_owned()),
    };
    Ok(text
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| Record::Stderr(line.to_owned()))
        .collect())
}

fn note(text: &str) -> Vec<Record> {
    match text {
        "stdin closed" => vec![Record::StdinClosed],
        _ => Vec::new(),
    }
}

fn meta(line: Option<&RawValue>) -> Result<Vec<Record>, String> {
    #[derive(Deserialize)]
    struct Meta {
        event: String,
        #[serde(default)]
        argv: Vec<String>,
        code: Option<i32>,
        signal: Option<Value>,
    }
    let line = line.ok_or("it has no line")?;
    let meta: Meta = serde_json::from_str(line.get()).map_err(|error| error.to_string())?;
    Ok(match meta.event.as_str() {
        "spawn" => vec![Record::Spawn(meta.argv)],
        "exit" => vec![exit(meta.code, meta.signal.as_ref())],
        _ => Vec::new(),
    })
}

fn exit(code: Option<i32>, signal: Option<&Value>) -> Record {
    let signal = match signal {
        Some(Value::Number(number)) => number.as_i64().and_then(|n| i32::try_from(n).ok()),
        Some(Value::String(name)) => match name.as_str() {
            "SIGHUP" => Some(1),
            "SIGINT" => Some(2),
            "SIGQUIT" => Some(3),
            "SIGABRT" => Some(6),
            "SIGKILL" => Some(9),
            "SIGSEGV" => Some(11),
            "SIGTERM" => Some(15),
            _ => None,
        },
        _ => None,
    };
    Record::Exit { code, signal }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_recordings_are_read() {
        let capture = Capture::parse(
            "x",
            r#"{"t":0,"dir":"meta","line":{"event":"spawn","argv":["a","b"]}}
{"t":1,"dir":"in","line":{"id": 1,"method":"m"}}
{"t":1,"dir":"in","line":{"__raw":"{not json"}}
{"t":2,"dir":"stderr","line":"one\ntwo\n"}
{"t":3,"dir":"meta","line":{"event":"exit","code":null,"signal":"SIGKILL"}}
{"dir":"note","raw":"started again"}
{"t":4,"dir":"in","raw":"not json"}
{"t":5,"dir":"err","raw":"three"}
{"t":6,"dir":"note","raw":"stdin closed"}
{"t":7,"dir":"exit","code":0,"signal":null}
"#,
        )
        .unwrap();
        let told: Vec<Vec<String>> = capture
            .processes
            .iter()
            .map(|process| {
                process
                    .iter()
                    .map(|record| match record {
                        Record::In(line) => format!("in {} {}", line.text, line.json.is_some()),
                        other => format!("{other:?}"),
                    })
                    .collect()
            })
            .collect();
        assert_eq!(
            told,
            [
                vec![
                    r#"Spawn(["a", "b"])"#.to_owned(),
                    r#"in {"id": 1,"method":"m"} true"#.to_owned(),
                    "in {not json false".to_owned(),
                    r#"Stderr("one")"#.to_owned(),
                    r#"Stderr("two")"#.to_owned(),
                    "Exit { code: None, signal: Some(9) }".to_owned(),
                ],
                vec![
                    "in not json false".to_owned(),
                    r#"Stderr("three")"#.to_owned(),
                    "StdinClosed".to_owned(),
                    "Exit { code: Some(0), signal: None }".to_owned(),
                ],
            ]
        );
    }

    #[test]
    fn a_line_that_is_not_understood_is_named() {
        let error = Capture::parse("x", "{\"dir\":\"up\",\"line\":1}\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "x line 1: the direction \"up\" is unknown"
        );
    }
}
