//! The driver for Anthropic's Claude Code CLI, spoken to as stream-json over stdio.
//!
//! It owns Claude's language: the handshake, the unrestricted mode, what a frame means, whose turn it
//! belongs to, how a turn is stopped, how questions are refused. It knows no policy of the room, and it
//! writes a prompt once, whatever happens then.
//!
//! `handshake` leads from the process to a session; `work` is everything after that, with one `turn` at
//! a time made of an `answer` and `tools`.

mod answer;
mod control;
mod delta;
mod errors;
mod handshake;
mod launch;
mod notice;
mod oversized;
mod requests;
mod stderr;
mod stop;
#[cfg(test)]
mod tests;
mod tool;
mod tools;
mod turn;
mod usage;
mod work;

use control::{Control, Link};
use delta::Delta;
use groupx_driver_sdk::line::{self, Line, Lines};
use groupx_driver_sdk::{
    Description, Driver, ExitStatus, Failure, Input, LaunchSpec, Level, Outbox, Output, Prompt,
    SessionConfig, TurnFailed, export_driver,
};
use handshake::{Handshake, Next};
use oversized::Verdict;
use serde_json::Value;
use stderr::Stderr;
use work::Work;

export_driver!(Claude);

/// One session with one Claude process.
pub struct Claude {
    config: SessionConfig,
    control: Control,
    lines: Lines,
    stderr: Stderr,
    stage: Stage,
}

enum Stage {
    Starting(Handshake),
    Working(Box<Work>),
    /// Failed or ended: nothing that still comes means anything.
    Over,
}

impl Driver for Claude {
    fn describe() -> Description {
        launch::description()
    }

    fn launch(config: &SessionConfig) -> Result<LaunchSpec, Failure> {
        Ok(launch::spec(config))
    }

    fn open(config: SessionConfig) -> Result<Self, Failure> {
        Ok(Self {
            config,
            control: Control::default(),
            lines: Lines::default(),
            stderr: Stderr::default(),
            stage: Stage::Starting(Handshake::default()),
        })
    }

    fn input(&mut self, input: Input, out: &mut Outbox) {
        match input {
            Input::ProcessStarted => {
                handshake::begin(&mut link(&mut self.control, out, &self.config))
            }
            Input::Frame(bytes) => match self.lines.sort(&bytes, out) {
                Line::Message(text) => self.message(&text, out),
                Line::NoProtocol(failure) => self.fail(failure, out),
                Line::Noise => {}
            },
            Input::FrameOversized(frame) => match oversized::judge(&frame) {
                Verdict::Skip(what) => out.diagnostic(Level::Warn, "oversized", &what),
                Verdict::Ended(line) => self.message(&line, out),
                Verdict::Lost(failure) => self.fail(failure, out),
            },
            Input::StderrLine(line) => self.stderr.read(&line),
            Input::Prompt(prompt) => self.prompt(prompt, out),
            Input::Cancel(turn) => self.working(out, |work, link| work.cancel(&turn, link)),
            Input::Timer(name) => self.timer(&name, out),
            Input::ProcessExited(status) => self.exited(&status, out),
            // Claude ends when its stdin does; what it still says until its exit is not needed.
            Input::StdoutEof | Input::Close | Input::Ext(_) => {}
        }
    }

    fn hold(&self) -> bool {
        matches!(&self.stage, Stage::Working(work) if work.hold(&self.control))
    }
}

impl Claude {
    fn working(&mut self, out: &mut Outbox, act: impl FnOnce(&mut Work, &mut Link)) {
        if let Stage::Working(work) = &mut self.stage {
            act(work, &mut link(&mut self.control, out, &self.config));
        }
    }

    fn message(&mut self, text: &str, out: &mut Outbox) {
        if let Stage::Working(work) = &mut self.stage
            && let Some(delta) = Delta::of_line(text)
        {
            return work.streamed(delta, &mut link(&mut self.control, out, &self.config));
        }
        let frame: Value = match serde_json::from_str(text) {
            Ok(frame) => frame,
            Err(broken) => return self.fail(line::lost_framing(text, &broken.to_string()), out),
        };
        let mut link = link(&mut self.control, out, &self.config);
        let kind = frame["type"].as_str().unwrap_or_default().to_owned();
        match (kind.as_str(), &mut self.stage) {
            (_, Stage::Over) => {}
            ("control_response", _) => self.answered(&frame["response"], out),
            ("control_request", Stage::Working(work)) => requests::refuse(work, &frame, &mut link),
            ("control_request", Stage::Starting(_)) => requests::unsupported(&frame, &mut link),
            // A question withdrawn: nobody here was going to answer it.
            ("control_cancel_request" | "keep_alive", _) => {}
            (_, Stage::Working(work)) => {
                if let Err(failure) = work.frame(&kind, frame, text, &mut link) {
                    self.fail(failure, out);
                }
            }
            ("result", Stage::Starting(_)) => {
                let failure = errors::of_start(&frame, self.config.limits.max_json);
                self.fail(failure, out);
            }
            (_, Stage::Starting(_)) => notice::carry(&kind, &frame, text, &mut link),
        }
    }

    /// The answer to something that was asked of Claude.
    fn answered(&mut self, response: &Value, out: &mut Outbox) {
        let Some((ask, answer)) = self.control.answered(response) else {
            let message = format!(
                "an answer to nothing that is open: {}",
                response["request_id"]
            );
            return out.diagnostic(Level::Info, "stray-response", &message);
        };
        let mut link = link(&mut self.control, out, &self.config);
        match &mut self.stage {
            Stage::Starting(handshake) => {
                let next = handshake.answered(ask, answer, &self.config, &mut link);
                self.follow(next, out);
            }
            Stage::Working(work) => work.acknowledged(&mut link),
            Stage::Over => {}
        }
    }

    fn follow(&mut self, next: Next, out: &mut Outbox) {
        match next {
            Next::Wait => {}
            Next::Ready(ready, work) => {
                out.push(Output::SessionReady(ready));
                self.stage = Stage::Working(work);
            }
            Next::Failed(failure) => self.fail(failure, out),
        }
    }

    fn timer(&mut self, name: &str, out: &mut Outbox) {
        let mut link = link(&mut self.control, out, &self.config);
        match &mut self.stage {
            Stage::Starting(handshake) => handshake.timer(name, &mut link),
            Stage::Working(work) => work.timer(name, &mut link),
            Stage::Over => {}
        }
    }

    fn prompt(&mut self, prompt: Prompt, out: &mut Outbox) {
        self.lines.turn_begins(out);
        if let Stage::Working(_) = self.stage {
            return self.working(out, |work, link| work.prompt(prompt, link));
        }
        out.push(Output::TurnFailed(TurnFailed {
            turn: prompt.turn,
            failure: errors::failure("internal", "Claude is not ready for a prompt"),
        }));
    }

    /// The session is unusable, and so is a turn that runs in it.
    fn fail(&mut self, failure: Failure, out: &mut Outbox) {
        let failure = self.stderr.explain(failure);
        let turn = failure.clone();
        self.working(out, |work, link| work.lost(turn, link));
        if !matches!(self.stage, Stage::Over) {
            out.session_failed(failure);
        }
        self.stage = Stage::Over;
    }

    fn exited(&mut self, status: &ExitStatus, out: &mut Outbox) {
        let failure = self.stderr.explain(self.stderr.exit(status));
        match self.stage {
            Stage::Starting(_) => out.session_failed(failure),
            Stage::Working(_) => self.working(out, |work, link| work.lost(failure, link)),
            Stage::Over => {}
        }
        self.stage = Stage::Over;
    }
}

fn link<'a>(control: &'a mut Control, out: &'a mut Outbox, config: &SessionConfig) -> Link<'a> {
    Link {
        control,
        out,
        max_json: config.limits.max_json,
    }
}
