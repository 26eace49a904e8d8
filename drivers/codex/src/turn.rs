//! One prompt and what Codex makes of it, until its one end.

use crate::answer::Answer;
use crate::call::{Call, Link};
use crate::errors;
use crate::thoughts::Thoughts;
use crate::tools::Tools;
use groupx_driver_sdk::{
    Failure, HostId, Note, Output, ToolStatus, TurnCompleted, TurnFailed, TurnStarted, text,
};
use serde_json::{Value, json};

/// How long a stop may take, in milliseconds: below the host's own limit, so that the turn still ends
/// with a true word.
const PATIENCE: u64 = 8_000;
/// A stop is asked for once more when Codex says that there was nothing to stop yet.
const ATTEMPTS: u8 = 2;

pub(crate) struct Turn {
    pub(crate) id: HostId,
    pub(crate) native: Native,
    pub(crate) answer: Answer,
    pub(crate) thoughts: Thoughts,
    pub(crate) tools: Tools,
    stop: Option<Stop>,
    error: Value,
}

/// What is known of the native turn.
pub(crate) enum Native {
    /// `turn/start` has no answer yet; what may be of this turn waits for it.
    Unnamed(Early),
    /// Named by the answer, not seen at work. It cannot be interrupted yet.
    Named(String),
    /// Seen at work.
    Running(String),
}

impl Native {
    pub(crate) fn id(&self) -> Option<&str> {
        match self {
            Self::Unnamed(_) => None,
            Self::Named(id) | Self::Running(id) => Some(id),
        }
    }

    pub(crate) fn is(&self, native: &str) -> bool {
        self.id() == Some(native)
    }

    pub(crate) fn is_unnamed(&self) -> bool {
        matches!(self, Self::Unnamed(_))
    }
}

/// Lines, and the bytes of them together.
#[derive(Default)]
pub(crate) struct Early {
    lines: Vec<String>,
    bytes: usize,
}

/// Why a turn is to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    Cancelled,
    /// Codex asked a question that nobody here answers.
    Interaction,
}

struct Stop {
    why: Why,
    timer: String,
    attempts: u8,
    in_flight: bool,
}

/// How a turn comes to its end.
pub(crate) enum Ending {
    /// `turn/completed`.
    Native { status: String, error: Value },
    /// It never began, or the thread under it is gone.
    Refused(Failure),
    /// The stop was not answered in time.
    Unanswered,
    /// The process or its framing is gone.
    Lost(Failure),
}

impl Turn {
    pub(crate) fn new(id: HostId) -> Self {
        Self {
            id,
            native: Native::Unnamed(Early::default()),
            answer: Answer::default(),
            thoughts: Thoughts::default(),
            tools: Tools::default(),
            stop: None,
            error: Value::Null,
        }
    }

    /// Keep a line until the turn has a name; false when there is no room for it.
    pub(crate) fn keep_early(&mut self, line: &str, max: usize) -> bool {
        let Native::Unnamed(early) = &mut self.native else {
            return true;
        };
        early.bytes += line.len();
        early.lines.push(line.to_owned());
        early.bytes <= max
    }

    pub(crate) fn take_early(&mut self) -> Vec<String> {
        match &mut self.native {
            Native::Unnamed(early) => std::mem::take(early).lines,
            Native::Named(_) | Native::Running(_) => Vec::new(),
        }
    }

    /// Something came that only a running turn sends.
    pub(crate) fn runs(&mut self, thread: &str, link: &mut Link) {
        let Native::Named(native) = &mut self.native else {
            return;
        };
        let native = std::mem::take(native);
        link.out.push(Output::TurnStarted(TurnStarted {
            turn: self.id.clone(),
            native_turn_id: Some(native.clone()),
        }));
        self.native = Native::Running(native);
        self.interrupt(thread, link);
    }

    /// Begin to stop: at once if it runs, else as soon as it does.
    pub(crate) fn stop(&mut self, why: Why, number: u32, thread: &str, link: &mut Link) {
        match &mut self.stop {
            // A question fails the turn, whoever else wanted it stopped.
            Some(stop) if why == Why::Interaction => stop.why = why,
            Some(_) => {}
            None => {
                let timer = format!("stop-{number}");
                link.out.set_timer(&timer, PATIENCE);
                self.stop = Some(Stop {
                    why,
                    timer,
                    attempts: 0,
                    in_flight: false,
                });
                self.interrupt(thread, link);
            }
        }
    }

    fn interrupt(&mut self, thread: &str, link: &mut Link) {
        let (Some(stop), Native::Running(native)) = (&mut self.stop, &self.native) else {
            return;
        };
        if stop.in_flight || stop.attempts == ATTEMPTS {
            return;
        }
        stop.attempts += 1;
        stop.in_flight = true;
        let params = json!({ "threadId": thread, "turnId": native });
        link.call(
            "turn/interrupt",
            &params,
            Call::Interrupt {
                native: native.clone(),
            },
        );
    }

    pub(crate) fn interrupt_answered(&mut self, refused: bool, thread: &str, link: &mut Link) {
        let Some(stop) = &mut self.stop else { return };
        stop.in_flight = false;
        if refused {
            self.interrupt(thread, link);
        }
    }

    pub(crate) fn waits_for(&self, timer: &str) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.timer == timer)
    }

    /// An item has begun or ended.
    pub(crate) fn item(&mut self, item: &Value, completed: bool, link: &mut Link) {
        let kind = item["type"].as_str().unwrap_or_default();
        if !completed && kind != "userMessage" {
            self.answer.model_begins(&self.id, link.out);
        }
        match (kind, completed) {
            ("userMessage" | "hookPrompt", _) => {}
            ("agentMessage", false) => self.answer.started(item),
            ("agentMessage", true) => self.answer.completed(&self.id, item, link.out),
            ("reasoning", false) => {}
            ("reasoning", true) => self.thoughts.completed(&self.id, item, link.out),
            _ => self.tools.item(&self.id, item, completed, link),
        }
    }

    /// An `error` notification: a retry is progress, anything else is kept as the likely reason.
    pub(crate) fn error(&mut self, params: &Value, link: &mut Link) {
        let error = &params["error"];
        if params["willRetry"] != true {
            self.error = error.clone();
            return;
        }
        self.answer.stream_cut();
        let message = error["message"].as_str().unwrap_or("Codex tries again");
        let details = error["additionalDetails"]
            .as_str()
            .map(|details| format!(" ({details})"));
        link.out.push(Output::TurnProgress(Note {
            turn: self.id.clone(),
            item: "retry".into(),
            text: text::one_line(&format!("{message}{}", details.unwrap_or_default()), 300),
        }));
    }

    /// `turn/completed` repeats the last message: it serves if nothing else brought it.
    pub(crate) fn last_words(&mut self, turn: &Value, link: &mut Link) {
        for item in turn["items"].as_array().into_iter().flatten() {
            if item["type"] == "agentMessage" && self.answer.is_new(item) {
                self.answer.completed(&self.id, item, link.out);
            }
        }
    }

    /// The end, with exactly one terminal.
    pub(crate) fn end(mut self, ending: Ending, link: &mut Link) {
        let why = self.stop.take().map(|stop| {
            link.out.clear_timer(&stop.timer);
            stop.why
        });
        let interrupted =
            matches!(&ending, Ending::Native { status, .. } if status == "interrupted");
        let left_open = match interrupted || why.is_some() {
            true => ToolStatus::Cancelled,
            false => ToolStatus::Failed,
        };
        self.tools.close(&self.id, left_open, link);
        let terminal = match (ending, why) {
            (
                Ending::Native { .. } | Ending::Refused(_) | Ending::Unanswered,
                Some(Why::Interaction),
            ) => self.failed(errors::failure(
                "refused",
                "Codex asked a question, and none is answered here",
            )),
            (Ending::Native { status, error }, why) => {
                self.native_end(&status, error, why, link.max_json)
            }
            (Ending::Refused(_) | Ending::Unanswered, Some(Why::Cancelled)) => {
                Output::TurnCancelled(self.id)
            }
            (Ending::Unanswered, None) => {
                self.failed(errors::failure("timeout", "Codex did not stop the turn"))
            }
            (Ending::Lost(_), Some(Why::Cancelled)) => Output::TurnCancelled(self.id),
            (Ending::Refused(failure) | Ending::Lost(failure), _) => self.failed(failure),
        };
        link.out.push(terminal);
    }

    fn native_end(self, status: &str, error: Value, why: Option<Why>, max_json: u32) -> Output {
        let error = if error.is_null() {
            self.error.clone()
        } else {
            error
        };
        match status {
            "interrupted" if why.is_some() => Output::TurnCancelled(self.id),
            "interrupted" => self.failed(errors::failure(
                "internal",
                "Codex stopped the turn by itself",
            )),
            "failed" => self.failed(errors::of_turn(&error, max_json)),
            // A status of a later Codex: the turn has ended, and what it brought tells how.
            _ if self.answer.is_empty() && !self.tools.any() => {
                let failure = match error {
                    Value::Null => {
                        errors::failure("empty-answer", "Codex ended the turn without an answer")
                    }
                    error => errors::of_turn(&error, max_json),
                };
                self.failed(failure)
            }
            _ => Output::TurnCompleted(TurnCompleted {
                turn: self.id,
                final_text: self.answer.final_text(),
                stop_reason: Some(text::one_line(status, 64)),
            }),
        }
    }

    fn failed(self, failure: Failure) -> Output {
        Output::TurnFailed(TurnFailed {
            turn: self.id,
            failure,
        })
    }
}
