//! What Codex complains about on stderr: evidence for why it failed, never more.

use crate::errors;
use groupx_driver_sdk::{ExitStatus, Failure, text};

/// Words by which Codex asks for a login.
const LOGIN: [&str; 6] = [
    "codex login",
    "not logged in",
    "please log in",
    "please login",
    "login required",
    "log in again",
];

#[derive(Debug, Default)]
pub(crate) struct Stderr {
    last: String,
    login: Option<String>,
}

impl Stderr {
    pub(crate) fn read(&mut self, line: &str) {
        let line = text::one_line(line, 300);
        if line.is_empty() {
            return;
        }
        let lower = line.to_ascii_lowercase();
        if LOGIN.iter().any(|words| lower.contains(words)) {
            self.login = Some(line.clone());
        }
        self.last = line;
    }

    /// The failure of a process that ended unasked.
    pub(crate) fn exit(&self, status: &ExitStatus) -> Failure {
        let how = match (status.code, status.signal) {
            (_, Some(signal)) => format!("was ended by signal {signal}"),
            (Some(code), None) => format!("ended with exit code {code}"),
            (None, None) => "ended".to_owned(),
        };
        let last = match self.last.as_str() {
            "" => String::new(),
            last => format!(", its last words: {last}"),
        };
        Failure {
            retryable: true,
            ..errors::failure("process-exited", &format!("Codex {how}{last}"))
        }
    }

    /// `failure`, or the missing login that explains it.
    pub(crate) fn explain(&self, failure: Failure) -> Failure {
        match &self.login {
            Some(line) if matches!(failure.code.as_str(), "internal" | "process-exited") => {
                Failure {
                    code: "not-authenticated".into(),
                    message: format!("Codex is not logged in: {line}"),
                    retryable: false,
                    ..failure
                }
            }
            _ => failure,
        }
    }
}
