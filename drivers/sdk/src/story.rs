//! Driver tests, told as short stories: what the agent prints, what the host wants, and then what the
//! driver writes and tells. Native only; a component carries none of it.
//!
//! Every story has a [`referee`](Referee) that holds the driver to the interface's word while it runs:
//! one `session-ready` or `session-failed`, events only of the turn that runs, one terminal a prompt.

pub mod recording;
mod referee;
mod rpc;
mod words;

pub use referee::Referee;
pub use words::words;

use crate::{
    Content, Diagnostic, Driver, ExitStatus, Input, Limits, Output, Prompt, SessionConfig, Step,
    Timer,
};
use std::collections::VecDeque;

/// A session of `D` whose agent and host are played by the test.
#[derive(Debug)]
pub struct Story<D: Driver> {
    driver: D,
    referee: Referee,
    hold: bool,
    written: VecDeque<String>,
    calls: Vec<(String, serde_json::Value)>,
    told: Vec<String>,
    notes: Vec<Diagnostic>,
    timers: Vec<Timer>,
    heard: Vec<Output>,
    given: Vec<Input>,
}

/// A plain session: Linux, `/room`, no MCP server, nothing to resume, the default limits.
pub fn config() -> SessionConfig {
    SessionConfig {
        session: "session-1".into(),
        new_session_id: "00000000-0000-4000-8000-000000000001".into(),
        executable: "/bin/agent".into(),
        executable_version: String::new(),
        os: "linux".into(),
        workdir: "/room".into(),
        mcp: Vec::new(),
        resume: None,
        client_name: "groupx".into(),
        client_version: "0.2.0".into(),
        limits: Limits {
            max_frame: 16 << 20,
            max_output: 24 << 20,
            max_json: 64 << 10,
        },
    }
}

impl<D: Driver> Story<D> {
    /// Opens a session and starts its process.
    pub fn begin(config: SessionConfig) -> Self {
        let driver = match D::open(config) {
            Ok(driver) => driver,
            Err(failure) => panic!("the driver does not open: {failure:?}"),
        };
        let mut story = Self {
            driver,
            referee: Referee::default(),
            hold: false,
            written: VecDeque::new(),
            calls: Vec::new(),
            told: Vec::new(),
            notes: Vec::new(),
            timers: Vec::new(),
            heard: Vec::new(),
            given: Vec::new(),
        };
        story.input(Input::ProcessStarted);
        story
    }

    /// Any input.
    pub fn input(&mut self, input: Input) -> &mut Self {
        self.referee.input(&input);
        self.given.push(input.clone());
        if let Input::Timer(name) = &input {
            self.timers.retain(|timer| timer.name != *name);
        }
        let Step { outputs, hold } = Step::take(&mut self.driver, [input]);
        self.hold = hold;
        for output in outputs {
            self.referee.output(&output);
            self.heard.push(output.clone());
            match output {
                Output::WriteStdin(bytes) => self.keep_lines(bytes),
                Output::Diagnostic(note) => self.notes.push(note),
                Output::ClearTimer(name) => self.timers.retain(|timer| timer.name != name),
                Output::SetTimer(timer) => {
                    self.timers.retain(|armed| armed.name != timer.name);
                    self.timers.push(timer);
                }
                event => self.told.push(words(&event)),
            }
        }
        self
    }

    fn keep_lines(&mut self, bytes: Vec<u8>) {
        let Ok(text) = String::from_utf8(bytes) else {
            panic!("the driver wrote bytes that are not UTF-8");
        };
        assert!(
            text.ends_with('\n'),
            "what the driver writes ends its line: {text:?}"
        );
        self.written.extend(text.lines().map(str::to_owned));
    }

    /// The agent prints this line.
    pub fn prints(&mut self, line: impl Into<Vec<u8>>) -> &mut Self {
        self.input(Input::Frame(line.into()))
    }

    /// The agent prints this line on stderr.
    pub fn complains(&mut self, line: &str) -> &mut Self {
        self.input(Input::StderrLine(line.to_owned()))
    }

    /// The host hands over a prompt.
    pub fn prompt(&mut self, turn: &str, text: &str) -> &mut Self {
        assert!(!self.hold, "the driver holds: the host sends no prompt");
        self.input(Input::Prompt(Prompt {
            turn: turn.to_owned(),
            content: vec![Content::Text(text.to_owned())],
        }))
    }

    /// The host wants the turn cancelled.
    pub fn cancel(&mut self, turn: &str) -> &mut Self {
        self.input(Input::Cancel(turn.to_owned()))
    }

    /// The armed timer whose name begins with `name` fires.
    pub fn fires(&mut self, name: &str) -> &mut Self {
        let Some(timer) = self
            .timers
            .iter()
            .find(|timer| timer.name.starts_with(name))
        else {
            panic!("no timer {name} is armed: {:?}", self.timers);
        };
        self.input(Input::Timer(timer.name.clone()))
    }

    /// The agent's process ends unasked: stdout closes, then the exit comes.
    pub fn exits(&mut self, code: i32) -> &mut Self {
        self.input(Input::StdoutEof);
        self.input(Input::ProcessExited(ExitStatus {
            code: Some(code),
            signal: None,
            expected: false,
        }))
    }

    /// The driver wrote exactly this line next.
    #[track_caller]
    pub fn wrote(&mut self, line: &str) -> &mut Self {
        assert_eq!(self.written.pop_front().as_deref(), Some(line));
        self
    }

    /// The driver's next line is this JSON, in whatever order its keys stand.
    #[track_caller]
    pub fn wrote_json(&mut self, expected: serde_json::Value) -> &mut Self {
        let Some(line) = self.written.pop_front() else {
            panic!("{expected} was not written, nothing was");
        };
        assert_eq!(rpc::parse(&line), expected);
        self
    }

    /// The driver wrote nothing more.
    #[track_caller]
    pub fn wrote_nothing(&mut self) -> &mut Self {
        assert_eq!(self.written, [] as [String; 0], "written but not expected");
        self
    }

    /// Exactly these events came since the last time, in [`words`].
    #[track_caller]
    pub fn told(&mut self, events: &[&str]) -> &mut Self {
        assert_eq!(std::mem::take(&mut self.told), events);
        self
    }

    /// Exactly these codes of diagnostics came since the last time.
    #[track_caller]
    pub fn noted(&mut self, codes: &[&str]) -> &mut Self {
        let notes = std::mem::take(&mut self.notes);
        let noted: Vec<_> = notes.iter().map(|note| note.code.as_str()).collect();
        assert_eq!(noted, codes, "{notes:?}");
        self
    }

    /// Whatever was written, told and noted until here is not of interest.
    pub fn skip(&mut self) -> &mut Self {
        self.written.clear();
        self.told.clear();
        self.notes.clear();
        self
    }

    /// Whether the driver wants no prompt now.
    #[track_caller]
    pub fn holds(&mut self, expected: bool) -> &mut Self {
        assert_eq!(self.hold, expected, "hold");
        self
    }

    /// The names of the timers that are armed.
    pub fn armed(&self) -> Vec<&str> {
        self.timers
            .iter()
            .map(|timer| timer.name.as_str())
            .collect()
    }

    /// Whether the host would hand over a prompt now.
    pub fn takes_prompts(&self) -> bool {
        !self.hold && self.referee.takes_prompts()
    }

    /// The turn that has been prompted and has not ended.
    pub fn open_turn(&self) -> Option<&str> {
        self.referee.open_turn()
    }

    /// All inputs since the beginning.
    pub fn given(&self) -> &[Input] {
        &self.given
    }

    /// All outputs since the beginning, for what words leave out.
    pub fn heard(&self) -> &[Output] {
        &self.heard
    }
}
