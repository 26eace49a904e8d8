//! The Agent Client Protocol (ACP) over stdio: the state machine under every driver of an ACP agent.
//!
//! It owns the protocol's language: the handshake, loading a session, the unattended mode, what an update
//! means, how a turn is stopped, how questions are refused. What is odd about one agent is data
//! ([`Agent`]); no agent's name stands in the machine. It knows no policy of the room, and it writes a
//! prompt once, whatever happens then.
//!
//! `handshake` leads from the process to a session; `work` is everything after that, with one `turn` at a
//! time made of an `answer` and `tools`; `outcome` says what a turn comes to. A driver is a crate that
//! names its [`Profile`] and exports [`Acp`].

mod agent;
mod answer;
mod call;
mod content;
mod errors;
mod facts;
mod handshake;
pub mod known;
mod last_words;
mod modes;
mod notice;
mod outcome;
mod oversized;
mod profile;
mod requests;
#[cfg(test)]
mod tests;
mod tool;
mod tools;
mod turn;
mod update;
mod usage;
mod vendor;
mod work;

pub use agent::{Agent, Mode, UNATTENDED};
pub use profile::{Agents, Profile};

use call::{Call, Link};
use groupx_driver_sdk::jsonrpc::{Message, Peer, Version};
use groupx_driver_sdk::line::{self, Line, Lines};
use groupx_driver_sdk::{
    Description, Driver, ExitStatus, Failure, Input, LaunchSpec, Level, Outbox, Output, Prompt,
    SessionConfig, TurnFailed,
};
use handshake::{Handshake, Next, Ready};
use last_words::LastWords;
use oversized::Verdict;
use std::marker::PhantomData;
use tool::Servers;
use update::Chunk;
use work::Work;

/// Names the profile of a driver at compile time.
pub trait Cli: 'static {
    /// What the driver is.
    const PROFILE: Profile;
}

/// One session with one agent process.
pub struct Acp<C: Cli> {
    config: SessionConfig,
    peer: Peer<Call>,
    lines: Lines,
    words: LastWords,
    stage: Stage,
    cli: PhantomData<C>,
}

enum Stage {
    Starting(Box<Handshake>),
    Working(Box<Work>),
    /// Failed or ended: nothing that still comes means anything.
    Over,
}

impl<C: Cli> Driver for Acp<C> {
    fn describe() -> Description {
        C::PROFILE.description()
    }

    fn launch(config: &SessionConfig) -> Result<LaunchSpec, Failure> {
        Ok(C::PROFILE.launch(config))
    }

    fn open(config: SessionConfig) -> Result<Self, Failure> {
        let handshake = Handshake::new(&C::PROFILE, &config);
        Ok(Self {
            config,
            peer: Peer::new(Version::Two),
            lines: Lines::default(),
            words: LastWords::default(),
            stage: Stage::Starting(Box::new(handshake)),
            cli: PhantomData,
        })
    }

    fn input(&mut self, input: Input, out: &mut Outbox) {
        match input {
            Input::ProcessStarted => {
                Handshake::begin(&self.config, &mut link(&mut self.peer, out, &self.config));
            }
            Input::Frame(bytes) => match self.lines.sort(&bytes, out) {
                Line::Message(text) => self.message(&text, out),
                Line::NoProtocol(failure) => self.fail(failure, out),
                Line::Noise => self.words.stdout(&bytes, self.is_starting()),
            },
            Input::FrameOversized(frame) => match oversized::judge(&frame) {
                Verdict::Skip(what) => out.diagnostic(Level::Warn, "oversized", &what),
                Verdict::Asked(line) => self.message(&line, out),
                Verdict::Lost(failure) => self.fail(failure, out),
            },
            Input::StderrLine(line) => self.words.stderr(&line, self.is_starting()),
            Input::Prompt(prompt) => self.prompt(prompt, out),
            Input::Cancel(turn) => self.working(out, |work, link| work.cancel(&turn, link)),
            Input::Timer(name) => self.timer(&name, out),
            Input::Close => self.working(out, Work::close),
            Input::ProcessExited(status) => self.exited(&status, out),
            // What it still says until its exit is not needed.
            Input::StdoutEof | Input::Ext(_) => {}
        }
    }

    fn hold(&self) -> bool {
        matches!(&self.stage, Stage::Working(work) if work.hold())
    }
}

impl<C: Cli> Acp<C> {
    fn is_starting(&self) -> bool {
        matches!(self.stage, Stage::Starting(_))
    }

    fn working(&mut self, out: &mut Outbox, act: impl FnOnce(&mut Work, &mut Link)) {
        if let Stage::Working(work) = &mut self.stage {
            act(work, &mut link(&mut self.peer, out, &self.config));
        }
    }

    fn message(&mut self, text: &str, out: &mut Outbox) {
        if let Stage::Working(work) = &mut self.stage
            && let Some(chunk) = Chunk::of_line(text)
        {
            return work.streamed(chunk, &mut link(&mut self.peer, out, &self.config));
        }
        let message = match self.peer.read(text) {
            Ok(message) => message,
            Err(broken) => return self.fail(line::lost_framing(text, &broken.0), out),
        };
        self.words.spoke = true;
        let mut link = link(&mut self.peer, out, &self.config);
        match (message, &mut self.stage) {
            (Message::Stray(why), _) => out.diagnostic(Level::Info, "stray-response", &why),
            (Message::Alien(why), _) => out.diagnostic(Level::Info, "bad-json", &why),
            (_, Stage::Over) => {}
            (Message::Response { call, answer }, Stage::Starting(handshake)) => {
                let next = handshake.answered(call, answer, &C::PROFILE, &self.config, &mut link);
                match next {
                    Next::Wait => {}
                    Next::Ready(ready) => self.ready(ready, out),
                    Next::Failed(failure) => self.fail(failure, out),
                }
            }
            (Message::Response { call, answer }, Stage::Working(work)) => {
                work.answered(call, answer, &mut link);
            }
            (Message::Request { id, method, params }, Stage::Working(work)) => {
                requests::refuse(Some(work), &id, &method, params, &mut link);
            }
            (Message::Request { id, method, params }, Stage::Starting(_)) => {
                requests::refuse(None, &id, &method, params, &mut link);
            }
            (Message::Notification { method, params }, Stage::Working(work)) => {
                work.notified(&method, params, &mut link);
            }
            (Message::Notification { method, params }, Stage::Starting(handshake)) => {
                handshake.notified(&method, params);
            }
        }
    }

    fn ready(&mut self, ready: Ready, out: &mut Outbox) {
        let names = self.config.mcp.iter().map(|server| server.name.clone());
        let waits = ready.facts.agent.tools_sign.is_some()
            && !ready.tools_there
            && !self.config.mcp.is_empty();
        let resumed = ready.news.resumed;
        let mut work = Work::new(ready.session, ready.facts, Servers::new(names), resumed);
        out.push(Output::SessionReady(ready.news));
        if waits {
            work.await_tools(&mut link(&mut self.peer, out, &self.config));
        }
        self.stage = Stage::Working(Box::new(work));
    }

    fn prompt(&mut self, prompt: Prompt, out: &mut Outbox) {
        self.lines.turn_begins(out);
        if let Stage::Working(_) = self.stage {
            return self.working(out, |work, link| work.prompt(prompt, link));
        }
        out.push(Output::TurnFailed(TurnFailed {
            turn: prompt.turn,
            failure: errors::failure("internal", "the agent is not ready for a prompt"),
        }));
    }

    fn timer(&mut self, name: &str, out: &mut Outbox) {
        let mut link = link(&mut self.peer, out, &self.config);
        match &mut self.stage {
            Stage::Starting(handshake) => handshake.timer(name, &self.config, &mut link),
            Stage::Working(work) => work.timer(name, &mut link),
            Stage::Over => {}
        }
    }

    /// The session is unusable, and so is a turn that runs in it.
    fn fail(&mut self, failure: Failure, out: &mut Outbox) {
        let turn = failure.clone();
        self.working(out, |work, link| work.lost(turn, link));
        if !matches!(self.stage, Stage::Over) {
            out.session_failed(failure);
        }
        self.stage = Stage::Over;
    }

    fn exited(&mut self, status: &ExitStatus, out: &mut Outbox) {
        match &self.stage {
            Stage::Starting(handshake) => {
                out.session_failed(self.words.exit(status, true, &handshake.facts));
            }
            Stage::Working(work) => {
                let failure = self.words.exit(status, false, work.facts());
                self.working(out, |work, link| work.lost(failure, link));
            }
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
