//! The scripted model behind a real CLI: a process of its own whose request log shows what the CLI
//! knows.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::plan::tool;

/// A running mock model; ends with the story.
pub(crate) struct MockModel {
    child: Child,
    port: u16,
    log: PathBuf,
    _folder: tempfile::TempDir,
}

impl MockModel {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let log = folder.path().join("requests.jsonl");
        let mut child = Command::new("node")
            .arg(tool("mock-model/server.mjs"))
            .args([
                "--log-bodies",
                "--exit-with-stdin",
                "--marker",
                "\n[current_message]\n",
                "--log",
            ])
            .arg(&log)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node runs the mock model");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a piped stdout");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("the mock model's first line");
        let hello: Value = serde_json::from_str(&line).expect("the mock model's first line");
        let port = hello["port"].as_u64().and_then(|port| port.try_into().ok());
        Self {
            child,
            port: port.expect("a port"),
            log,
            _folder: folder,
        }
    }

    /// Where its APIs begin.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// The bodies of all model requests so far.
    pub(crate) fn requests(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        text.lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|entry| entry["at"] == "request" && entry["method"] == "POST")
            .map(|mut entry| entry["body"].take())
            .collect()
    }
}

impl Drop for MockModel {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
