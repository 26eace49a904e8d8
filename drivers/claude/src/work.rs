//! The open session: whose turn a frame belongs to, and what happens between turns.
//!
//! Frames name no turn, so a turn is known by its beginning, `init`, and its end, `result`. One that
//! begins while our prompt waits to be taken up is ours, unless Claude announced one of its own; a
//! turn that nobody here asked for is stopped. A `result` without a beginning is no end of anything.

use crate::control::{Control, Link};
use crate::delta::Delta;
use crate::handshake;
use crate::launch::UNRESTRICTED;
use crate::stop::{Fired, Why, interrupt};
use crate::turn::{Ending, Turn};
use crate::usage::Meter;
use crate::{errors, notice};
use groupx_driver_sdk::{Failure, Level, Output, Prompt, SessionConfig, folder};
use serde_json::Value;

/// How long a turn of Claude's own may take to end once it is stopped, and an answer to come that
/// the next prompt waits for; in milliseconds.
const PATIENCE: u64 = 8_000;
const UNREAD: &str = "unread";

pub(crate) struct Work {
    session: String,
    config: SessionConfig,
    native: Native,
    turn: Option<Turn>,
    /// A turn of Claude's own begins next.
    announced: bool,
    /// No turn has ended since the session was resumed.
    resumed: bool,
    /// Claude left the session for another one.
    moved: bool,
    model: String,
    meter: Meter,
    /// Numbers timers, so that one that fires late is not taken for its successor.
    timers: u32,
    /// The timer `UNREAD` is armed.
    waits: bool,
    /// The host was asked for a new process; this one gets no prompt any more.
    spent: bool,
}

/// What Claude does now.
#[derive(Debug, PartialEq, Eq)]
enum Native {
    Idle,
    Ours,
    /// A turn that it began by itself, and the timer of our patience with it.
    Foreign(String),
}

impl Work {
    pub(crate) fn new(session: &str, config: &SessionConfig) -> Self {
        Self {
            session: session.to_owned(),
            config: config.clone(),
            native: Native::Idle,
            turn: None,
            announced: false,
            resumed: config.resume.is_some(),
            moved: false,
            model: String::new(),
            meter: Meter::default(),
            timers: 0,
            waits: false,
            spent: false,
        }
    }

    /// A long prompt that follows another line too closely is not read whole: so the next one has to
    /// wait until all that was asked is answered.
    pub(crate) fn hold(&self, control: &Control) -> bool {
        self.spent || matches!(self.native, Native::Foreign(_)) || control.any_open()
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.native != Native::Idle || self.turn.as_ref().is_some_and(Turn::is_sent)
    }

    pub(crate) fn prompt(&mut self, prompt: Prompt, link: &mut Link) {
        let text = prompt.text();
        self.turn = Some(Turn::new(prompt.turn, text));
        if self.spent {
            let message = "Claude is about to be started again";
            return self.end(Ending::Refused(errors::failure("internal", message)), link);
        }
        self.settle(link);
    }

    /// Hand the prompt over as soon as nothing is in its way.
    fn settle(&mut self, link: &mut Link) {
        let free = !self.hold(link.control);
        if let Some(turn) = self.turn.as_mut().filter(|turn| free && turn.is_parked()) {
            turn.send(link);
        }
        // What is open without a turn has no timer of the turn's.
        let waits = link.control.any_open() && self.turn.as_ref().is_none_or(Turn::is_parked);
        match (waits, self.waits) {
            (true, false) => link.out.set_timer(UNREAD, PATIENCE),
            (false, true) => link.out.clear_timer(UNREAD),
            _ => {}
        }
        self.waits = waits;
    }

    pub(crate) fn cancel(&mut self, id: &str, link: &mut Link) {
        match &self.turn {
            Some(turn) if turn.id == id && turn.is_parked() => {
                // Claude never hears of it.
                self.turn = None;
                link.out.push(Output::TurnCancelled(id.to_owned()));
            }
            Some(turn) if turn.id == id => self.stop(Why::Cancelled, link),
            // It ended while the cancel was on its way.
            _ => link
                .out
                .diagnostic(Level::Debug, "late-cancel", "the turn had already ended"),
        }
        self.settle(link);
    }

    /// Stop our turn, if there is one.
    pub(crate) fn stop(&mut self, why: Why, link: &mut Link) {
        let Some(turn) = &mut self.turn else { return };
        self.timers += 1;
        turn.stop(why, self.timers, link);
    }

    /// Our turn, if it is the one in which Claude asks something.
    pub(crate) fn turn_asking(&self) -> Option<&str> {
        let turn = self.turn.as_ref().filter(|_| self.native == Native::Ours)?;
        Some(&turn.id)
    }

    pub(crate) fn timer(&mut self, name: &str, link: &mut Link) {
        if matches!(&self.native, Native::Foreign(timer) if timer == name) {
            self.restart("Claude does not end a turn that it began by itself", link);
        } else if name == UNREAD && self.waits {
            self.waits = false;
            self.restart("Claude does not answer", link);
        } else if let Some(turn) = &mut self.turn
            && turn.fired(name, link) == Fired::OutOfPatience
        {
            let message = "Claude did not stop the turn in time";
            link.out
                .diagnostic(Level::Warn, "interrupt-unanswered", message);
            self.end(Ending::Unanswered, link);
            self.restart("Claude did not stop a turn when it was asked to", link);
        }
    }

    /// Something that was asked is answered.
    pub(crate) fn acknowledged(&mut self, link: &mut Link) {
        if let Some(turn) = &mut self.turn {
            turn.acknowledged(link);
        }
        self.settle(link);
    }

    /// The process or its framing is gone.
    pub(crate) fn lost(&mut self, failure: Failure, link: &mut Link) {
        self.end(Ending::Lost(failure), link);
        self.spent = true;
    }

    /// A piece of text in its usual spelling.
    pub(crate) fn streamed(&mut self, delta: Delta, link: &mut Link) {
        if let Some(turn) = self.turn.as_mut()
            && self.native == Native::Ours
            && !delta.child
        {
            turn.streamed(delta, link);
        }
    }

    /// Any other frame; `line` is how it stood on the wire.
    ///
    /// # Errors
    /// The session cannot go on.
    pub(crate) fn frame(
        &mut self,
        kind: &str,
        mut frame: Value,
        line: &str,
        link: &mut Link,
    ) -> Result<(), Failure> {
        // A subagent's words are for the agent that called it.
        if !frame["parent_tool_use_id"].is_null() {
            return Ok(());
        }
        match kind {
            "system" if frame["subtype"] == "init" => self.init(&frame, link)?,
            "system" => self.system(&frame, line, link),
            "result" => self.result(frame, link),
            "stream_event" => {
                let event = &frame["event"];
                if event["type"] == "message_start" {
                    self.begins(link);
                }
                self.figures(event, link);
                self.ours(|turn| turn.event(event, link));
            }
            "assistant" => {
                if self.turn.as_ref().is_some_and(Turn::is_sent) {
                    self.begins(link);
                }
                self.ours(|turn| turn.message(&mut frame, link));
            }
            // What it repeats of a prompt is no result of a tool.
            "user" if frame["isReplay"] == true => {}
            "user" => self.ours(|turn| turn.results(&frame, link)),
            _ => notice::carry(kind, &frame, line, link),
        }
        self.settle(link);
        Ok(())
    }

    fn ours(&mut self, act: impl FnOnce(&mut Turn)) {
        if let Some(turn) = self.turn.as_mut().filter(|_| self.native == Native::Ours) {
            act(turn);
        }
    }

    /// A native turn begins, if none runs.
    fn begins(&mut self, link: &mut Link) {
        if self.native != Native::Idle {
            return;
        }
        let announced = std::mem::take(&mut self.announced);
        match &mut self.turn {
            Some(turn) if turn.is_sent() && !announced => {
                self.native = Native::Ours;
                self.meter.turn_begins();
                turn.begins(link);
            }
            _ => {
                let message = "Claude began a turn by itself; it is stopped";
                link.out.diagnostic(Level::Warn, "foreign-turn", message);
                self.timers += 1;
                let timer = format!("foreign-{}", self.timers);
                link.out.set_timer(&timer, PATIENCE);
                self.native = Native::Foreign(timer);
                interrupt(link);
            }
        }
    }

    /// The beginning of a turn, in which Claude says how it works.
    fn init(&mut self, init: &Value, link: &mut Link) -> Result<(), Failure> {
        self.begins(link);
        if let Some(failure) = self.differs(init) {
            // It is at work already, in a way that nobody asked for.
            interrupt(link);
            return Err(failure);
        }
        if let Some(model) = init["model"].as_str() {
            model.clone_into(&mut self.model);
        }
        if init["session_id"]
            .as_str()
            .is_some_and(|id| id != self.session)
        {
            self.moved = true;
            let message = "Claude works in another session than it was started with";
            link.out.diagnostic(Level::Warn, "session-changed", message);
        }
        let servers = init["mcp_servers"].as_array().into_iter().flatten();
        let ours = servers.filter(|server| handshake::is_ours(server, &self.config));
        for server in ours.filter(|server| server["status"] != "connected") {
            handshake::missing(server, link);
        }
        Ok(())
    }

    /// How Claude works, where that differs from what was asked. Absent is not different.
    fn differs(&self, init: &Value) -> Option<Failure> {
        if let Some(mode) = init["permissionMode"].as_str()
            && mode != UNRESTRICTED
        {
            return Some(errors::wrong_mode(mode));
        }
        let cwd = init["cwd"].as_str()?;
        (!folder::same(cwd, &self.config.workdir, &self.config.os)).then(|| {
            let message = format!("Claude works in {cwd} instead of {}", self.config.workdir);
            errors::failure("protocol-error", &message)
        })
    }

    fn system(&mut self, frame: &Value, line: &str, link: &mut Link) {
        let subtype = frame["subtype"].as_str().unwrap_or_default();
        if subtype == "task_notification" && self.native == Native::Idle {
            self.announced = true;
        }
        if let Some(turn) = self.turn.as_mut().filter(|_| self.native == Native::Ours) {
            turn.worked |= subtype == "api_retry";
            if let Some((item, words)) = notice::progress(frame) {
                return notice::tell(&turn.id, item, &words, link);
            }
        }
        notice::carry("system", frame, line, link);
    }

    /// What the model's messages say of tokens.
    fn figures(&mut self, event: &Value, link: &mut Link) {
        let Some(turn) = self.turn.as_ref().filter(|_| self.native == Native::Ours) else {
            return;
        };
        match event["type"].as_str() {
            Some("message_start") => self.meter.message_begins(&event["message"]["usage"]),
            Some("message_delta") => {
                let usage = self.meter.message_grows(&turn.id, &event["usage"]);
                usage
                    .into_iter()
                    .for_each(|usage| link.out.push(Output::Usage(usage)));
            }
            _ => {}
        }
    }

    fn result(&mut self, result: Value, link: &mut Link) {
        match std::mem::replace(&mut self.native, Native::Idle) {
            Native::Idle => {
                let message = "a result of no turn that had begun";
                link.out.diagnostic(Level::Info, "stray-result", message);
            }
            Native::Foreign(timer) => {
                link.out.clear_timer(&timer);
                self.meter.other_turn_ends(&result);
            }
            Native::Ours if self.is_anothers(&result) => {
                let message = "that was another turn's; ours is still to come";
                link.out.diagnostic(Level::Info, "stray-result", message);
                self.meter.other_turn_ends(&result);
                if let Some(turn) = &mut self.turn {
                    turn.was_another(link);
                }
            }
            Native::Ours => self.ended(result, link),
        }
    }

    /// Whether the result that seems to be ours is not: Claude says whose it is, or it repeats the end
    /// of a turn from before the session was resumed.
    fn is_anothers(&self, result: &Value) -> bool {
        let origin = result["origin"]["kind"].as_str();
        let unworked = self.turn.as_ref().is_some_and(|turn| !turn.worked);
        origin.is_some_and(|origin| origin != "human") || (self.resumed && unworked)
    }

    fn ended(&mut self, result: Value, link: &mut Link) {
        let Some(turn) = &self.turn else { return };
        if let Some(usage) = self.meter.turn_ends(&turn.id, &result, &self.model) {
            link.out.push(Output::Usage(usage));
        }
        self.resumed = false;
        self.end(Ending::Native(result), link);
        if self.moved {
            self.restart("Claude left the room's session for another one", link);
        }
    }

    /// The one way in which a turn of ours ends.
    fn end(&mut self, ending: Ending, link: &mut Link) {
        let Some(turn) = self.turn.take() else { return };
        turn.end(ending, link);
    }

    fn restart(&mut self, why: &str, link: &mut Link) {
        if self.spent {
            return;
        }
        self.spent = true;
        // A prompt that still waits will not be written any more.
        self.end(Ending::Refused(errors::failure("internal", why)), link);
        link.out.push(Output::RestartWanted(why.to_owned()));
    }
}
