//! The open session: one prompt at a time, and whose an update is.
//!
//! An update counts only while our prompt is in flight and only if it is of our session. What comes
//! between prompts (replayed history, a greeting, the end of something cancelled) is nobody's answer.

use crate::call::{Call, Link};
use crate::facts::Facts;
use crate::notice;
use crate::tool::Servers;
use crate::turn::{Ending, Turn};
use crate::update::{self, Chunk, Update};
use crate::usage::Meter;
use crate::vendor::{self, News};
use groupx_driver_sdk::jsonrpc::RpcError;
use groupx_driver_sdk::{Failure, Level, Output, Prompt};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::VecDeque;

/// How long the tools may keep the first prompt waiting, in milliseconds.
const TOOLS_PATIENCE: u64 = 5_000;
const TOOLS_TIMER: &str = "tools";
/// Tool calls of ended turns that are remembered, so that what still comes of them is known to be late.
const LATE_CALLS: usize = 64;

pub(crate) struct Work {
    session: String,
    facts: Facts,
    servers: Servers,
    turn: Option<Turn>,
    meter: Meter,
    late: VecDeque<String>,
    /// The MCP servers are not there yet.
    tools_awaited: bool,
    /// Numbers timers, so that one that fires late is not taken for its successor.
    timers: u32,
    /// The host was asked for a new process; this one gets no prompt any more.
    spent: bool,
    closing: bool,
}

impl Work {
    pub(crate) fn new(session: String, facts: Facts, servers: Servers, resumed: bool) -> Self {
        Self {
            session,
            facts,
            servers,
            turn: None,
            meter: Meter::new(resumed),
            late: VecDeque::new(),
            tools_awaited: false,
            timers: 0,
            spent: false,
            closing: false,
        }
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Take no prompt until the agent has its tools, if it says so at all.
    pub(crate) fn await_tools(&mut self, link: &mut Link) {
        self.tools_awaited = true;
        link.out.set_timer(TOOLS_TIMER, TOOLS_PATIENCE);
    }

    pub(crate) fn hold(&self) -> bool {
        self.spent || self.tools_awaited
    }

    pub(crate) fn prompt(&mut self, prompt: Prompt, link: &mut Link) {
        let text = prompt.text();
        let params = json!({
            "sessionId": self.session,
            "prompt": [{ "type": "text", "text": no_command(&text) }],
        });
        let call = Call::Prompt {
            turn: prompt.turn.clone(),
        };
        link.call("session/prompt", &params, call);
        self.meter.turn_begins();
        self.turn = Some(Turn::new(prompt.turn));
    }

    pub(crate) fn cancel(&mut self, id: &str, link: &mut Link) {
        match &self.turn {
            Some(turn) if turn.id == id => self.stop(link),
            // It ended while the cancel was on its way; some agents apply one that finds no prompt to the next.
            _ => link
                .out
                .diagnostic(Level::Debug, "late-cancel", "the turn had already ended"),
        }
    }

    /// The agent asks what nobody answers: our turn, if there is one, is to stop and to fail.
    pub(crate) fn asked(&mut self, link: &mut Link) -> Option<&str> {
        self.turn.as_mut()?.asked();
        self.stop(link);
        self.turn.as_ref().map(|turn| turn.id.as_str())
    }

    /// The name of a tool call that our turn knows.
    pub(crate) fn tool_name(&self, call: &str) -> Option<&str> {
        self.turn.as_ref()?.tools.name(call)
    }

    pub(crate) fn timer(&mut self, name: &str, link: &mut Link) {
        if name == TOOLS_TIMER {
            self.tools_awaited = false;
        } else if self.turn.as_ref().is_some_and(|turn| turn.waits_for(name)) {
            let note = format!("{} did not stop the turn in time", self.facts.title);
            link.out.diagnostic(Level::Warn, "cancel-unanswered", &note);
            self.end(Ending::Unanswered, link);
        }
    }

    /// End politely.
    pub(crate) fn close(&mut self, link: &mut Link) {
        if std::mem::replace(&mut self.closing, true) {
            return;
        }
        if self.facts.closes {
            let params = json!({ "sessionId": self.session });
            link.call("session/close", &params, Call::Close);
        } else {
            self.stop(link);
        }
    }

    /// The process or its framing is gone.
    pub(crate) fn lost(&mut self, failure: Failure, link: &mut Link) {
        self.end(Ending::Lost(failure), link);
        self.spent = true;
    }

    pub(crate) fn answered(
        &mut self,
        call: Call,
        answer: Result<&RawValue, RpcError>,
        link: &mut Link,
    ) {
        let Call::Prompt { turn } = call else { return };
        if self.turn.as_ref().is_none_or(|ours| ours.id != turn) {
            return;
        }
        let answer = answer.map(|result| serde_json::from_str(result.get()).unwrap_or(Value::Null));
        if let Ok(answer) = &answer
            && let Some(usage) = self.meter.of_answer(&turn, answer, self.facts.agent)
        {
            link.out.push(Output::Usage(usage));
        }
        self.end(Ending::Answered(answer), link);
    }

    /// A piece of text.
    pub(crate) fn streamed(&mut self, chunk: Chunk, link: &mut Link) {
        if *chunk.session == *self.session
            && let Some(turn) = &mut self.turn
        {
            turn.chunk(chunk, link);
        }
    }

    pub(crate) fn notified(&mut self, method: &str, params: Option<&RawValue>, link: &mut Link) {
        let agent = self.facts.agent;
        if Some(method) == agent.tools_sign {
            if std::mem::take(&mut self.tools_awaited) {
                link.out.clear_timer(TOOLS_TIMER);
            }
        } else if Some(method) == agent.vendor_news {
            if let Some(turn) = &mut self.turn
                && let Some(news) = vendor::read(params, &self.session)
            {
                match news {
                    News::Retry(words) => {
                        turn.answer.stream_cut();
                        notice::progress(&turn.id, "retry", &words, link);
                    }
                    News::Counted => turn.answer.counted(),
                }
            }
        } else if method == update::METHOD {
            match Update::of_params(params) {
                Some(update) => self.updated(&update, link),
                None => notice::unknown(method, params, link),
            }
        } else if !method.starts_with('_') {
            notice::unknown(method, params, link);
        }
    }

    fn updated(&mut self, update: &Update, link: &mut Link) {
        if *update.session != *self.session || notice::is_silent(&update.kind) {
            return;
        }
        if let Some(chunk) = Chunk::of_update(update) {
            return self.streamed(chunk, link);
        }
        let kind = &*update.kind;
        let known = matches!(
            kind,
            "usage_update" | "tool_call" | "tool_call_update" | "plan"
        );
        if !known {
            return notice::unknown(kind, Some(update.raw), link);
        }
        let Ok(update) = serde_json::from_str::<Value>(update.raw.get()) else {
            return;
        };
        if kind == "usage_update" {
            return self.counted(&update, link);
        }
        let Some(turn) = &mut self.turn else { return };
        if kind == "plan" {
            turn.runs(link);
            return notice::plan(&turn.id, &update, link);
        }
        let Some(id) = update["toolCallId"].as_str() else {
            return notice::unknown(kind, None, link);
        };
        if !self.late.iter().any(|late| late == id) {
            turn.tool(id, &update, &self.facts, &self.servers, link);
        }
    }

    fn counted(&mut self, update: &Value, link: &mut Link) {
        let turn = self.turn.as_mut().map(|turn| {
            turn.answer.counted();
            turn.id.as_str()
        });
        for usage in self.meter.of_update(turn, update) {
            link.out.push(Output::Usage(usage));
        }
    }

    fn stop(&mut self, link: &mut Link) {
        if let Some(turn) = &mut self.turn {
            self.timers += 1;
            turn.stop(self.timers, &self.session, link);
        }
    }

    /// The one way in which a turn of ours ends.
    fn end(&mut self, ending: Ending, link: &mut Link) {
        let Some(turn) = self.turn.take() else { return };
        for id in turn.tools.ids() {
            if self.late.len() == LATE_CALLS {
                self.late.pop_front();
            }
            self.late.push_back(id.to_owned());
        }
        let restart = turn.end(ending, &self.facts, &self.servers, link);
        if let Some(why) = restart
            && !self.spent
        {
            self.spent = true;
            link.out.push(Output::RestartWanted(why));
        }
    }
}

/// Agents take a text that begins with a slash for a command of their own.
fn no_command(text: &str) -> Cow<'_, str> {
    match text.trim_start().starts_with('/') {
        true => Cow::Owned(format!("Message:\n{text}")),
        false => Cow::Borrowed(text),
    }
}
