//! The open thread: whose turn a message belongs to, and what happens between turns.
//!
//! A native turn is ours only when the answer to our `turn/start` named it. What comes before that
//! answer waits for it; what belongs to another thread (a subagent) or to a turn that ended is
//! dropped; a turn that nobody here asked for is stopped.

use crate::call::{Call, Link};
use crate::delta::{Delta, Voice};
use crate::foreign::Foreign;
use crate::turn::{Ending, Native, Turn, Why};
use crate::usage::Meter;
use crate::{errors, notice};
use groupx_driver_sdk::jsonrpc::RpcError;
use groupx_driver_sdk::{Failure, Level, Output, Prompt};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::VecDeque;

/// Ended turns that are remembered, so that what still comes of them is known to be late.
const ENDED: usize = 16;
/// What may wait for the answer to `turn/start`.
const EARLY_BYTES: usize = 8 << 20;

pub(crate) struct Work {
    thread: String,
    turn: Option<Turn>,
    foreign: Foreign,
    ended: VecDeque<String>,
    meter: Meter,
    /// Numbers timers, so that one that fires late is not taken for its successor.
    timers: u32,
    /// The host was asked for a new process; this one gets no prompt any more.
    spent: bool,
}

/// Whose turn a message speaks of.
#[derive(Debug, PartialEq)]
enum Whose {
    Ours,
    /// Perhaps ours: our `turn/start` has no answer yet.
    Early,
    Foreign,
    /// Of a turn that has ended.
    Late,
    OtherThread,
}

impl Work {
    pub(crate) fn new(thread: &str, resumed: bool) -> Self {
        Self {
            thread: thread.to_owned(),
            turn: None,
            foreign: Foreign::default(),
            ended: VecDeque::new(),
            meter: Meter::new(resumed),
            timers: 0,
            spent: false,
        }
    }

    pub(crate) fn hold(&self) -> bool {
        self.spent || self.foreign.any()
    }

    pub(crate) fn prompt(&mut self, prompt: Prompt, link: &mut Link) {
        let params = json!({
            "threadId": self.thread,
            "input": [{ "type": "text", "text": prompt.text() }],
        });
        let call = Call::TurnStart {
            turn: prompt.turn.clone(),
        };
        link.call("turn/start", &params, call);
        self.turn = Some(Turn::new(prompt.turn));
    }

    pub(crate) fn cancel(&mut self, id: &str, link: &mut Link) {
        match &self.turn {
            Some(turn) if turn.id == id => self.stop(Why::Cancelled, link),
            // It ended while the cancel was on its way.
            _ => link
                .out
                .diagnostic(Level::Debug, "late-cancel", "the turn had already ended"),
        }
    }

    /// Stop our turn, if there is one.
    pub(crate) fn stop(&mut self, why: Why, link: &mut Link) {
        let Some(turn) = &mut self.turn else { return };
        self.timers += 1;
        turn.stop(why, self.timers, &self.thread, link);
    }

    /// Our turn, if `native` may be its native id: a foreign or an ended turn's is not.
    pub(crate) fn turn_asking(&self, native: Option<&str>) -> Option<&str> {
        let turn = self.turn.as_ref()?;
        let other = native.is_some_and(|native| {
            self.foreign.has(native) || self.ended.iter().any(|id| id == native)
        });
        (!other).then_some(&turn.id)
    }

    pub(crate) fn timer(&mut self, name: &str, link: &mut Link) {
        if self.turn.as_ref().is_some_and(|turn| turn.waits_for(name)) {
            link.out.diagnostic(
                Level::Warn,
                "interrupt-unanswered",
                "Codex did not stop the turn in time",
            );
            self.end(Ending::Unanswered, link);
            self.restart("Codex did not stop a turn when it was asked to", link);
        } else if self.foreign.expires(name) {
            self.restart("Codex does not end a turn that it began by itself", link);
        }
    }

    /// The process or its framing is gone.
    pub(crate) fn lost(&mut self, failure: Failure, link: &mut Link) {
        self.end(Ending::Lost(failure), link);
        self.spent = true;
    }

    /// The answer to a call. What had waited for it is given back, to be read again.
    pub(crate) fn answered(
        &mut self,
        call: Call,
        answer: Result<&RawValue, RpcError>,
        link: &mut Link,
    ) -> Vec<String> {
        match (call, answer) {
            (Call::TurnStart { turn }, answer) => {
                let Some(ours) = self.turn.as_mut().filter(|ours| ours.id == turn) else {
                    return Vec::new();
                };
                let early = ours.take_early();
                let native = answer.map(|result| {
                    let result: Value = serde_json::from_str(result.get()).unwrap_or(Value::Null);
                    result["turn"]["id"].as_str().map(str::to_owned)
                });
                match native {
                    Ok(Some(native)) => ours.native = Native::Named(native),
                    Ok(None) => {
                        let failure =
                            errors::failure("protocol-error", "Codex began a turn without an id");
                        self.end(Ending::Refused(failure), link);
                        self.restart("Codex began a turn without an id", link);
                    }
                    Err(error) => self.not_begun(&error, link),
                }
                return early;
            }
            (Call::Interrupt { native }, answer) => {
                if let Some(turn) = self.turn.as_mut().filter(|turn| turn.native.is(&native)) {
                    turn.interrupt_answered(answer.is_err(), &self.thread, link);
                }
            }
            (Call::CleanTerminals, Err(error)) => {
                let message =
                    format!("a command may still run after its turn was stopped: {error}");
                link.out
                    .diagnostic(Level::Warn, "command-left-running", &message);
            }
            _ => {}
        }
        Vec::new()
    }

    fn not_begun(&mut self, error: &RpcError, link: &mut Link) {
        let failure = errors::of_call("did not begin the turn", error, link.max_json);
        self.end(Ending::Refused(failure), link);
        if error.message.contains("thread not found") {
            self.restart("Codex no longer has the thread loaded", link);
        }
    }

    /// A piece of text; `line` is the message that it came in.
    pub(crate) fn streamed(&mut self, delta: Delta, line: &str, link: &mut Link) {
        let Delta { voice, params } = delta;
        match self.whose(&params.thread_id, &params.turn_id) {
            Whose::Ours => {}
            Whose::Early => return self.keep(line, link),
            Whose::Foreign | Whose::Late | Whose::OtherThread => return,
        }
        let Some(turn) = &mut self.turn else { return };
        turn.runs(&self.thread, link);
        let (item, text) = (&*params.item_id, params.delta.0);
        match voice {
            Voice::Answer => turn.answer.delta(&turn.id, item, text, link.out),
            Voice::Summary => {
                turn.thoughts
                    .summary(&turn.id, item, params.summary_index, text, link.out)
            }
            Voice::RawThought => {
                turn.thoughts
                    .raw(&turn.id, item, params.content_index, text, link.out)
            }
        }
    }

    pub(crate) fn notified(
        &mut self,
        method: &str,
        params: Option<&RawValue>,
        line: &str,
        link: &mut Link,
    ) {
        if let Some(delta) = Delta::of_params(method, params) {
            return self.streamed(delta, line, link);
        }
        if !notice::of_a_turn(method) {
            return match method {
                "thread/closed" | "thread/deleted" | "thread/archived" => {
                    self.closed(method, params, link)
                }
                _ => notice::outside_turns(method, params, link),
            };
        }
        let Ok(params) = serde_json::from_str::<Value>(params.map_or("null", RawValue::get)) else {
            return link.out.diagnostic(Level::Info, "bad-json", method);
        };
        let thread = params["threadId"].as_str().unwrap_or_default();
        let native = params["turnId"]
            .as_str()
            .or(params["turn"]["id"].as_str())
            .unwrap_or_default();
        match self.whose(thread, native) {
            Whose::Ours => self.ours(method, &params, link),
            Whose::Early => self.keep(line, link),
            Whose::Foreign => self.foreign(method, native, &params, link),
            Whose::Late if method == "thread/tokenUsage/updated" => self.usage(None, &params, link),
            Whose::Late | Whose::OtherThread => {}
        }
    }

    fn whose(&self, thread: &str, native: &str) -> Whose {
        if thread != self.thread {
            return Whose::OtherThread;
        }
        match &self.turn {
            Some(turn) if turn.native.is(native) => Whose::Ours,
            _ if self.ended.iter().any(|id| id == native) => Whose::Late,
            Some(turn) if turn.native.is_unnamed() && !self.foreign.has(native) => Whose::Early,
            _ => Whose::Foreign,
        }
    }

    fn ours(&mut self, method: &str, params: &Value, link: &mut Link) {
        let Some(turn) = &mut self.turn else { return };
        turn.runs(&self.thread, link);
        match method {
            "item/started" => turn.item(&params["item"], false, link),
            "item/completed" => turn.item(&params["item"], true, link),
            "error" => turn.error(params, link),
            "turn/completed" => {
                turn.last_words(&params["turn"], link);
                let status = params["turn"]["status"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                self.end(
                    Ending::Native {
                        status,
                        error: params["turn"]["error"].clone(),
                    },
                    link,
                );
            }
            "thread/tokenUsage/updated" => {
                let turn = turn.id.clone();
                self.usage(Some(turn), params, link);
            }
            _ => notice::progress(method, params, &turn.id, link),
        }
    }

    /// A turn that nobody here asked for is stopped as soon as it shows, and waited for.
    fn foreign(&mut self, method: &str, native: &str, params: &Value, link: &mut Link) {
        match method {
            "turn/started" | "item/started" if !self.foreign.has(native) => {
                self.timers += 1;
                self.foreign.begins(native, self.timers, &self.thread, link);
            }
            "turn/completed" => {
                self.foreign.ends(native, link);
                self.remember(native.to_owned());
            }
            "thread/tokenUsage/updated" => self.usage(None, params, link),
            _ => {}
        }
    }

    fn usage(&mut self, turn: Option<String>, params: &Value, link: &mut Link) {
        if let Some(usage) = self.meter.read(turn, &params["tokenUsage"]) {
            link.out.push(Output::Usage(usage));
        }
    }

    fn keep(&mut self, line: &str, link: &mut Link) {
        let Some(turn) = &mut self.turn else { return };
        if !turn.keep_early(line, EARLY_BYTES) {
            let message = "Codex streams a turn that it has not named";
            self.end(
                Ending::Refused(errors::failure("protocol-error", message)),
                link,
            );
            self.restart(message, link);
        }
    }

    fn closed(&mut self, method: &str, params: Option<&RawValue>, link: &mut Link) {
        let params: Value = params
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default();
        if params["threadId"].as_str() != Some(&self.thread) {
            return;
        }
        let message = format!("Codex closed the room's thread ({method})");
        self.end(Ending::Refused(errors::failure("internal", &message)), link);
        self.restart(&message, link);
    }

    /// The one way in which a turn of ours ends.
    fn end(&mut self, ending: Ending, link: &mut Link) {
        let Some(turn) = self.turn.take() else { return };
        if let Some(native) = turn.native.id() {
            self.remember(native.to_owned());
        }
        let command_runs = matches!(ending, Ending::Native { .. }) && turn.tools.command_is_open();
        turn.end(ending, link);
        self.meter.turn_ended();
        if command_runs {
            // Stopping a turn leaves its command running in the background.
            let params = json!({ "threadId": self.thread });
            link.call(
                "thread/backgroundTerminals/clean",
                &params,
                Call::CleanTerminals,
            );
        }
    }

    fn restart(&mut self, why: &str, link: &mut Link) {
        if !self.spent {
            self.spent = true;
            link.out.push(Output::RestartWanted(why.to_owned()));
        }
    }

    fn remember(&mut self, native: String) {
        if self.ended.len() == ENDED {
            self.ended.pop_front();
        }
        self.ended.push_back(native);
    }
}
