//! One prompt and what the agent makes of it, until its one end.

use crate::answer::Answer;
use crate::call::Link;
use crate::facts::Facts;
use crate::outcome::{self, Outcome, Seen, Terminal};
use crate::tool::Servers;
use crate::tools::Tools;
use crate::update::{Chunk, Voice};
use groupx_driver_sdk::jsonrpc::RpcError;
use groupx_driver_sdk::{
    Delta, Failure, HostId, Output, ToolStatus, TurnCompleted, TurnFailed, TurnStarted,
};
use serde_json::{Value, json};

/// How long a stop may take, in milliseconds: below the host's own limit, so that the turn still ends
/// with a true word.
const PATIENCE: u64 = 8_000;

pub(crate) struct Turn {
    pub(crate) id: HostId,
    pub(crate) answer: Answer,
    pub(crate) tools: Tools,
    started: bool,
    stop: Option<Stop>,
    /// The agent asked a question that nobody here answers.
    asked: bool,
}

struct Stop {
    timer: String,
    /// Whether the answer was whole when the stop was sent.
    whole: bool,
}

/// How a turn comes to its end.
pub(crate) enum Ending {
    /// The prompt was answered.
    Answered(Result<Value, RpcError>),
    /// The stop was not answered in time.
    Unanswered,
    /// The process or its framing is gone.
    Lost(Failure),
}

impl Turn {
    pub(crate) fn new(id: HostId) -> Self {
        Self {
            id,
            answer: Answer::default(),
            tools: Tools::default(),
            started: false,
            stop: None,
            asked: false,
        }
    }

    /// Something came that only a working agent sends.
    pub(crate) fn runs(&mut self, link: &mut Link) {
        if !std::mem::replace(&mut self.started, true) {
            link.out.push(Output::TurnStarted(TurnStarted {
                turn: self.id.clone(),
                native_turn_id: None,
            }));
        }
    }

    pub(crate) fn chunk(&mut self, chunk: Chunk, link: &mut Link) {
        self.runs(link);
        match chunk.voice {
            Voice::Answer => self.answer.chunk(&self.id, &chunk, link.out),
            Voice::Thought if chunk.text.is_empty() => {}
            Voice::Thought => link.out.push(Output::ReasoningDelta(Delta {
                turn: self.id.clone(),
                item: self.answer.item(),
                text: chunk.text.into_owned(),
            })),
        }
    }

    /// A `tool_call` or `tool_call_update` of the call `id`.
    pub(crate) fn tool(
        &mut self,
        id: &str,
        update: &Value,
        facts: &Facts,
        servers: &Servers,
        link: &mut Link,
    ) {
        self.runs(link);
        if !self.tools.knows(id) {
            self.answer.tool_begins(&self.id, link.out);
        }
        self.tools
            .update(&self.id, id, update, facts.agent, servers, link);
    }

    /// Begin to stop. The prompt is in flight as long as the turn lives, so the cancel finds it.
    pub(crate) fn stop(&mut self, number: u32, session: &str, link: &mut Link) {
        if self.stop.is_some() {
            return;
        }
        let timer = format!("stop-{number}");
        link.out.set_timer(&timer, PATIENCE);
        link.notify("session/cancel", &json!({ "sessionId": session }));
        self.stop = Some(Stop {
            timer,
            whole: self.answer.is_whole(),
        });
    }

    /// A question was refused: the turn fails, whatever still comes.
    pub(crate) fn asked(&mut self) {
        self.asked = true;
    }

    pub(crate) fn waits_for(&self, timer: &str) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.timer == timer)
    }

    /// The end, with exactly one terminal. Gives the reason for which the session is of no use now.
    pub(crate) fn end(
        mut self,
        ending: Ending,
        facts: &Facts,
        servers: &Servers,
        link: &mut Link,
    ) -> Option<String> {
        let stop = self.stop.take();
        if let Some(stop) = &stop {
            link.out.clear_timer(&stop.timer);
        }
        let title = &facts.title;
        let outcome = match ending {
            Ending::Answered(answer) => {
                let seen = Seen {
                    words: self.answer.has_words(),
                    tools: self.tools.any(),
                    asked: self.asked,
                    stopped: stop.is_some(),
                    whole: stop.is_some_and(|stop| stop.whole),
                    head: self.answer.head(),
                };
                outcome::of(answer.as_ref(), seen, facts.agent, title, link.max_json)
            }
            Ending::Unanswered => Outcome {
                terminal: match self.asked {
                    true => Terminal::Failed(outcome::question(title)),
                    false => Terminal::Cancelled,
                },
                restart: Some(format!("{title} did not stop a turn when it was asked to")),
            },
            Ending::Lost(failure) => Outcome {
                terminal: match stop.is_some() && !self.asked {
                    true => Terminal::Cancelled,
                    false => Terminal::Failed(failure),
                },
                restart: None,
            },
        };
        // An agent that went on and ended its turn had what it wanted of a tool that it never closed.
        let left_open = match outcome.terminal {
            Terminal::Completed { .. } => ToolStatus::Completed,
            Terminal::Failed(_) => ToolStatus::Failed,
            Terminal::Cancelled => ToolStatus::Cancelled,
        };
        self.tools.close(&self.id, left_open, servers, link);
        link.out.push(match outcome.terminal {
            Terminal::Completed { stop_reason } => Output::TurnCompleted(TurnCompleted {
                turn: self.id,
                final_text: None,
                stop_reason,
            }),
            Terminal::Failed(failure) => Output::TurnFailed(TurnFailed {
                turn: self.id,
                failure,
            }),
            Terminal::Cancelled => Output::TurnCancelled(self.id),
        });
        outcome.restart
    }
}
