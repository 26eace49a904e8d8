//! What Claude complains about on stderr: evidence for why it failed, never more.

use crate::errors;
use groupx_driver_sdk::{ExitStatus, Failure, text};

/// What a line on stderr explains better than the exit does.
const SIGNS: [(&str, Sign); 8] = [
    ("cannot be used with root", Sign::Root),
    ("no conversation found with session id", Sign::SessionGone),
    ("please run /login", Sign::Login),
    ("not logged in", Sign::Login),
    ("invalid api key", Sign::Login),
    ("claude auth login", Sign::Login),
    ("unknown option", Sign::UnknownArgument),
    ("unknown command", Sign::UnknownArgument),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Root,
    SessionGone,
    Login,
    UnknownArgument,
}

#[derive(Debug, Default)]
pub(crate) struct Stderr {
    last: String,
    sign: Option<(Sign, String)>,
}

impl Stderr {
    pub(crate) fn read(&mut self, line: &str) {
        let line = text::one_line(line, 300);
        if line.is_empty() {
            return;
        }
        let lower = line.to_ascii_lowercase();
        if let Some((_, sign)) = SIGNS.iter().find(|(words, _)| lower.contains(words)) {
            self.sign = Some((*sign, line.clone()));
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
            ..errors::failure("process-exited", &format!("Claude {how}{last}"))
        }
    }

    /// `failure`, or what explains it better: a refusal to run as root, a session that is gone, a
    /// missing login, a Claude of another time.
    pub(crate) fn explain(&self, failure: Failure) -> Failure {
        let Some((sign, line)) = &self.sign else {
            return failure;
        };
        if !matches!(failure.code.as_str(), "internal" | "process-exited") {
            return failure;
        }
        let (code, message) = match sign {
            Sign::Root => (
                "policy-blocked",
                "Claude refuses to work without questions as root. Run GroupX as another user; in a \
                 container that is a sandbox anyway, set IS_SANDBOX=1 in the environment of GroupX"
                    .to_owned(),
            ),
            Sign::SessionGone => (
                "resume-not-found",
                "Claude no longer has this session for this folder".to_owned(),
            ),
            Sign::Login => ("not-authenticated", format!("Claude is not logged in: {line}")),
            Sign::UnknownArgument => (
                "executable-unsupported",
                format!("this version of Claude cannot be used, it says: {line}"),
            ),
        };
        Failure {
            code: code.into(),
            message,
            retryable: false,
            ..failure
        }
    }
}
