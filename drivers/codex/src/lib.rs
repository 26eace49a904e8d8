//! The driver for OpenAI's Codex CLI, spoken to as `codex app-server` over stdio.
//!
//! It owns Codex's language: the handshake, the unrestricted mode, what a notification means, how a
//! turn is stopped, how questions are refused. It knows no policy of the room, and it writes a prompt
//! once, whatever happens then.
//!
//! `handshake` leads from the process to a thread; `work` is everything after that, with one `turn` at
//! a time made of an `answer`, `thoughts` and `tools`.

mod answer;
mod call;
mod delta;
mod diff;
mod errors;
mod foreign;
mod handshake;
mod launch;
mod notice;
mod oversized;
mod requests;
mod stderr;
#[cfg(test)]
mod tests;
mod thoughts;
mod tool;
mod tools;
mod turn;
mod usage;
mod work;

use call::{Call, Link};
use delta::Delta;
use groupx_driver_sdk::jsonrpc::{Message, Peer, Version};
use groupx_driver_sdk::line::{self, Line, Lines};
use groupx_driver_sdk::{
    Description, Driver, ExitStatus, Failure, Input, LaunchSpec, Level, Outbox, Output, Prompt,
    SessionConfig, TurnFailed, export_driver,
};
use handshake::{Handshake, Next};
use oversized::Verdict;
use stderr::Stderr;
use work::Work;

export_driver!(Codex);

/// One session with one Codex process.
pub struct Codex {
    config: SessionConfig,
    peer: Peer<Call>,
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

impl Driver for Codex {
    fn describe() -> Description {
        launch::description()
    }

    fn launch(_: &SessionConfig) -> Result<LaunchSpec, Failure> {
        Ok(launch::spec())
    }

    fn open(config: SessionConfig) -> Result<Self, Failure> {
        Ok(Self {
            config,
            peer: Peer::new(Version::Omitted),
            lines: Lines::default(),
            stderr: Stderr::default(),
            stage: Stage::Starting(Handshake::default()),
        })
    }

    fn input(&mut self, input: Input, out: &mut Outbox) {
        match input {
            Input::ProcessStarted => {
                handshake::begin(&self.config, &mut link(&mut self.peer, out, &self.config))
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
            Input::Timer(name) => self.working(out, |work, link| work.timer(&name, link)),
            Input::ProcessExited(status) => self.exited(&status, out),
            // Codex ends when its stdin does; what it still says until its exit is not needed.
            Input::StdoutEof | Input::Close | Input::Ext(_) => {}
        }
    }

    fn hold(&self) -> bool {
        matches!(&self.stage, Stage::Working(work) if work.hold())
    }
}

impl Codex {
    fn working(&mut self, out: &mut Outbox, act: impl FnOnce(&mut Work, &mut Link)) {
        if let Stage::Working(work) = &mut self.stage {
            act(work, &mut link(&mut self.peer, out, &self.config));
        }
    }

    fn message(&mut self, text: &str, out: &mut Outbox) {
        if let Stage::Working(work) = &mut self.stage
            && let Some(delta) = Delta::of_line(text)
        {
            return work.streamed(delta, text, &mut link(&mut self.peer, out, &self.config));
        }
        let message = match self.peer.read(text) {
            Ok(message) => message,
            Err(broken) => return self.fail(line::lost_framing(text, &broken.0), out),
        };
        let mut link = link(&mut self.peer, out, &self.config);
        match (message, &mut self.stage) {
            (Message::Stray(why), _) => out.diagnostic(Level::Info, "stray-response", &why),
            (Message::Alien(why), _) => out.diagnostic(Level::Info, "bad-json", &why),
            (_, Stage::Over) => {}
            (Message::Response { call, answer }, Stage::Starting(handshake)) => {
                match handshake.answered(call, answer, &self.config, &mut link) {
                    Next::Wait => {}
                    Next::Ready(ready, work) => {
                        out.push(Output::SessionReady(ready));
                        self.stage = Stage::Working(work);
                    }
                    Next::Failed(failure) => self.fail(failure, out),
                }
            }
            (Message::Response { call, answer }, Stage::Working(work)) => {
                for early in work.answered(call, answer, &mut link) {
                    self.message(&early, out);
                }
            }
            (Message::Request { id, method, params }, Stage::Working(work)) => {
                requests::refuse(work, &id, &method, params, &mut link);
            }
            (Message::Request { id, method, .. }, Stage::Starting(_)) => {
                requests::unsupported(&id, &method, &mut link);
            }
            (Message::Notification { method, params }, Stage::Working(work)) => {
                work.notified(&method, params, text, &mut link);
            }
            (Message::Notification { method, params }, Stage::Starting(_)) => {
                notice::outside_turns(&method, params, &mut link);
            }
        }
    }

    fn prompt(&mut self, prompt: Prompt, out: &mut Outbox) {
        self.lines.turn_begins(out);
        if let Stage::Working(_) = self.stage {
            return self.working(out, |work, link| work.prompt(prompt, link));
        }
        out.push(Output::TurnFailed(TurnFailed {
            turn: prompt.turn,
            failure: errors::failure("internal", "Codex is not ready for a prompt"),
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

fn link<'a>(peer: &'a mut Peer<Call>, out: &'a mut Outbox, config: &SessionConfig) -> Link<'a> {
    Link {
        peer,
        out,
        max_json: config.limits.max_json,
    }
}
