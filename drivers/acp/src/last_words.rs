//! What an agent prints beside its protocol: evidence for why it ended, never more. Agents log the room's
//! own words there, so nothing is read into it once a session is open.

use crate::errors;
use crate::facts::Facts;
use groupx_driver_sdk::{ExitStatus, Failure, text};

const LINE_BYTES: usize = 300;

/// Words by which programs ask for a login.
const LOGIN: [&str; 7] = [
    "not logged in",
    "please log in",
    "please login",
    "login required",
    "log in again",
    "authentication required",
    "not authenticated",
];

/// Marks of log lines that are no complaint.
const CHATTER: [&str; 4] = ["[INFO]", "[DEBUG]", " INFO ", " DEBUG "];

#[derive(Debug, Default)]
pub(crate) struct LastWords {
    stderr: String,
    /// Lines on stdout that were no messages.
    stdout: String,
    login: Option<String>,
    /// Whether it has spoken the protocol at all.
    pub(crate) spoke: bool,
}

impl LastWords {
    pub(crate) fn stderr(&mut self, line: &str, starting: bool) {
        let line = text::one_line(line, LINE_BYTES);
        if starting {
            self.look_for_login(&line);
        }
        if says_something(&line) {
            self.stderr = line;
        }
    }

    pub(crate) fn stdout(&mut self, line: &[u8], starting: bool) {
        let line = &line[..line.len().min(4 * LINE_BYTES)];
        let line = text::one_line(&String::from_utf8_lossy(line), LINE_BYTES);
        if starting {
            self.look_for_login(&line);
        }
        if says_something(&line) {
            self.stdout = line;
        }
    }

    fn look_for_login(&mut self, line: &str) {
        let lower = line.to_ascii_lowercase();
        if LOGIN.iter().any(|words| lower.contains(words)) {
            self.login = Some(line.to_owned());
        }
    }

    /// The failure of a process that ended unasked; `starting`: before its session was open.
    pub(crate) fn exit(&self, status: &ExitStatus, starting: bool, facts: &Facts) -> Failure {
        let title = &facts.title;
        let how = match (status.code, status.signal) {
            (_, Some(signal)) => format!("was ended by signal {signal}"),
            (Some(code), None) => format!("ended with exit code {code}"),
            (None, None) => "ended".to_owned(),
        };
        let said = match (self.stderr.as_str(), self.stdout.as_str()) {
            ("", "") => String::new(),
            ("", words) | (words, _) => format!(", its last words: {words}"),
        };
        if let Some(line) = self.login.as_ref().filter(|_| starting) {
            let message = format!("{title} is not logged in: {line}. {}", facts.login());
            return errors::failure("not-authenticated", &message);
        }
        // Programs of another kind print their help, or one sentence, and are content.
        if starting && !self.spoke && matches!(status.code, Some(0 | 2)) {
            let advice = match facts.agent.without_mode {
                "" => "it does not speak the Agent Client Protocol when it is started like this"
                    .to_owned(),
                advice => format!("perhaps {advice}"),
            };
            let message = format!("{title} {how} before it said anything; {advice}{said}");
            return errors::failure("executable-unsupported", &message);
        }
        Failure {
            retryable: true,
            ..errors::failure("process-exited", &format!("{title} {how}{said}"))
        }
    }
}

fn says_something(line: &str) -> bool {
    line.contains(char::is_alphabetic) && !CHATTER.iter().any(|mark| line.contains(mark))
}
