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

/// Words by which Codex says that it does not know how it was started.
const UNKNOWN_ARGUMENT: [&str; 3] = [
    "unexpected argument",
    "unrecognized subcommand",
    "unknown feature flag",
];
/// What a healthy Codex complains about at every start.
const HARMLESS: [&str; 3] = [
    "could not create path aliases",
    "refusing to create helper binaries",
    "could not find bubblewrap",
];

#[derive(Debug, Default)]
pub(crate) struct Stderr {
    last: String,
    login: Option<String>,
    unknown_argument: Option<String>,
}

impl Stderr {
    pub(crate) fn read(&mut self, line: &str) {
        let line = text::one_line(line, 300);
        let lower = line.to_ascii_lowercase();
        let holds = |words: &[&str]| words.iter().any(|words| lower.contains(words));
        if line.is_empty() || holds(&HARMLESS) {
            return;
        }
        if holds(&LOGIN) {
            self.login = Some(line.clone());
        }
        if holds(&UNKNOWN_ARGUMENT) {
            self.unknown_argument = Some(line.clone());
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

    /// `failure`, or what explains it better: a missing login, a Codex of another time.
    pub(crate) fn explain(&self, failure: Failure) -> Failure {
        let (code, message) = match (&self.login, &self.unknown_argument) {
            (Some(line), _) if matches!(failure.code.as_str(), "internal" | "process-exited") => (
                "not-authenticated",
                format!("Codex is not logged in: {line}"),
            ),
            (_, Some(line)) if failure.code == "process-exited" => {
                let message = format!("this version of Codex cannot be used, it says: {line}");
                ("executable-unsupported", message)
            }
            _ => return failure,
        };
        Failure {
            code: code.into(),
            message,
            retryable: false,
            ..failure
        }
    }
}
