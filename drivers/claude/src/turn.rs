//! One prompt and what Claude makes of it, until its one end.

use crate::answer::Answer;
use crate::control::Link;
use crate::delta::Delta;
use crate::errors::{self, Said};
use crate::stop::{Fired, Stop, Why};
use crate::tools::Tools;
use groupx_driver_sdk::{
    Failure, HostId, Output, ToolStatus, TurnCompleted, TurnFailed, TurnStarted, text,
};
use serde_json::{Value, json};

/// What a frame of the model's own words cannot be: Claude says it in the model's place.
const SYNTHETIC: &str = "<synthetic>";

pub(crate) struct Turn {
    pub(crate) id: HostId,
    phase: Phase,
    /// Its beginning was told.
    started: bool,
    /// The model, a tool or an error spoke in it.
    pub(crate) worked: bool,
    answer: Answer,
    tools: Tools,
    said: Said,
    stop: Option<Stop>,
}

enum Phase {
    /// The prompt waits here: Claude has not read, or not ended, what came before.
    Parked(String),
    /// Written; Claude has not taken it up.
    Sent,
    Running,
}

/// How a turn comes to its end.
pub(crate) enum Ending {
    /// Its `result`.
    Native(Value),
    /// The session cannot go on with it.
    Refused(Failure),
    /// The stop was not obeyed in time.
    Unanswered,
    /// The process or its framing is gone.
    Lost(Failure),
}

impl Turn {
    pub(crate) fn new(id: HostId, text: String) -> Self {
        Self {
            id,
            phase: Phase::Parked(text),
            started: false,
            worked: false,
            answer: Answer::default(),
            tools: Tools::default(),
            said: Said::default(),
            stop: None,
        }
    }

    /// Hand the prompt over, if that was not done yet.
    pub(crate) fn send(&mut self, link: &mut Link) {
        if let Phase::Parked(text) = &mut self.phase {
            let text = guarded(std::mem::take(text));
            self.phase = Phase::Sent;
            let content = json!([{ "type": "text", "text": text }]);
            link.write(
                &json!({ "type": "user", "message": { "role": "user", "content": content } }),
            );
        }
    }

    pub(crate) fn is_parked(&self) -> bool {
        matches!(self.phase, Phase::Parked(_))
    }

    pub(crate) fn is_sent(&self) -> bool {
        matches!(self.phase, Phase::Sent)
    }

    /// Claude takes the prompt up.
    pub(crate) fn begins(&mut self, link: &mut Link) {
        self.phase = Phase::Running;
        if !std::mem::replace(&mut self.started, true) {
            link.out.push(Output::TurnStarted(TurnStarted {
                turn: self.id.clone(),
                native_turn_id: None,
            }));
        }
    }

    /// What was taken for its beginning was another turn's: it is still to come.
    pub(crate) fn was_another(&mut self, link: &mut Link) {
        self.answer.take_back_all(&self.id, link.out);
        self.tools.close(&self.id, ToolStatus::Cancelled, link);
        self.answer = Answer::default();
        self.said = Said::default();
        self.worked = false;
        self.phase = Phase::Sent;
    }

    pub(crate) fn streamed(&mut self, delta: Delta, link: &mut Link) {
        self.goes_on(link);
        if let Some((voice, text)) = delta.text {
            self.answer
                .delta(&self.id, delta.index, voice, text, link.out);
        }
    }

    /// A `stream_event` that is no delta of the usual spelling.
    pub(crate) fn event(&mut self, event: &Value, link: &mut Link) {
        self.goes_on(link);
        match event["type"].as_str() {
            Some("message_start") => {
                self.renew(link);
                let id = event["message"]["id"].as_str().unwrap_or("message");
                self.answer.begins(id);
            }
            Some("content_block_start") => {
                let index = event["index"].as_u64().unwrap_or(0);
                let block = &event["content_block"];
                self.tools.pending(&self.id, block, link);
                self.answer.block_begins(&self.id, index, block, link.out);
            }
            Some("content_block_delta") => {
                if let Some(delta) = Delta::of_event(event) {
                    self.streamed(delta, link);
                }
            }
            Some("message_stop") => self.answer.ends(),
            _ => {}
        }
    }

    /// One or more whole blocks of a message.
    pub(crate) fn message(&mut self, frame: &mut Value, link: &mut Link) {
        self.worked = true;
        let error = frame["error"].as_str().unwrap_or_default().to_owned();
        let message = &mut frame["message"];
        if !error.is_empty() || message["model"] == SYNTHETIC {
            self.said = Said {
                error,
                text: texts(&message["content"]),
            };
            return;
        }
        let id = message["id"].as_str().unwrap_or("message").to_owned();
        if !self.answer.knows(&id) {
            self.renew(link);
        }
        let message = &mut frame["message"];
        for block in message["content"].as_array().into_iter().flatten() {
            self.tools.block(&self.id, block, self.stop.is_some(), link);
        }
        let content = &mut message["content"];
        self.answer.whole(&self.id, &id, content, link.out);
    }

    /// What came of tools.
    pub(crate) fn results(&mut self, frame: &Value, link: &mut Link) {
        self.worked = true;
        let blocks = frame["message"]["content"].as_array();
        for block in blocks.into_iter().flatten() {
            self.tools.block(&self.id, block, self.stop.is_some(), link);
        }
    }

    /// A new message comes: what broke off before it is void.
    fn renew(&mut self, link: &mut Link) {
        if self.answer.take_back_unfinished(&self.id, link.out) {
            self.tools.drop_pending(&self.id, link);
        }
    }

    fn goes_on(&mut self, link: &mut Link) {
        self.worked = true;
        if let Some(stop) = &mut self.stop {
            stop.goes_on(link);
        }
    }

    /// Begin to stop.
    pub(crate) fn stop(&mut self, why: Why, number: u32, link: &mut Link) {
        match &mut self.stop {
            // A question fails the turn, whoever else wanted it stopped.
            Some(stop) if why == Why::Interaction => stop.why = why,
            Some(_) => {}
            None => self.stop = Some(Stop::begin(why, number, link)),
        }
    }

    pub(crate) fn acknowledged(&mut self, link: &mut Link) {
        let running = matches!(self.phase, Phase::Running);
        if let Some(stop) = &mut self.stop {
            stop.acknowledged(running, link);
        }
    }

    pub(crate) fn fired(&mut self, timer: &str, link: &mut Link) -> Fired {
        match &mut self.stop {
            Some(stop) => stop.fired(timer, link),
            None => Fired::NotOurs,
        }
    }

    /// The end, with exactly one terminal.
    pub(crate) fn end(mut self, ending: Ending, link: &mut Link) {
        let why = self.stop.take().map(|stop| stop.over(link));
        let aborted = matches!(&ending, Ending::Native(result) if is_aborted(result));
        let left_open = match aborted || why.is_some() {
            true => ToolStatus::Cancelled,
            false => ToolStatus::Failed,
        };
        self.tools.close(&self.id, left_open, link);
        let terminal = match (ending, why) {
            (
                Ending::Native(_) | Ending::Refused(_) | Ending::Unanswered,
                Some(Why::Interaction),
            ) => self.failed(errors::failure(
                "refused",
                "Claude asked a question, and none is answered here",
            )),
            (Ending::Native(result), why) => self.native_end(&result, why, link.max_json),
            (Ending::Refused(_) | Ending::Unanswered | Ending::Lost(_), Some(Why::Cancelled)) => {
                Output::TurnCancelled(self.id)
            }
            (Ending::Unanswered, None) => {
                self.failed(errors::failure("timeout", "Claude did not stop the turn"))
            }
            (Ending::Refused(failure) | Ending::Lost(failure), _) => self.failed(failure),
        };
        link.out.push(terminal);
    }

    fn native_end(self, result: &Value, why: Option<Why>, max_json: u32) -> Output {
        if is_aborted(result) {
            return match why {
                Some(_) => Output::TurnCancelled(self.id),
                None => self.failed(errors::failure(
                    "internal",
                    "Claude stopped the turn by itself",
                )),
            };
        }
        if result["is_error"] == true || result["subtype"].as_str().is_some_and(is_error) {
            let failure = errors::of_turn(result, &self.said, max_json);
            return self.failed(failure);
        }
        let own = result["result"].as_str().unwrap_or_default();
        let final_text = match (self.answer.is_empty(), own.trim().is_empty()) {
            (false, _) => None,
            (true, false) => Some(own.to_owned()),
            (true, true) if self.tools.any() => None,
            (true, true) => {
                return self.failed(errors::failure(
                    "empty-answer",
                    "Claude ended the turn without an answer",
                ));
            }
        };
        Output::TurnCompleted(TurnCompleted {
            turn: self.id,
            final_text,
            stop_reason: result["stop_reason"]
                .as_str()
                .map(|reason| text::one_line(reason, 64)),
        })
    }

    fn failed(self, failure: Failure) -> Output {
        Output::TurnFailed(TurnFailed {
            turn: self.id,
            failure,
        })
    }
}

/// Text that begins with a slash would be a command to Claude, and `/clear` ends the session in it.
fn guarded(text: String) -> String {
    match text.starts_with('/') {
        true => format!(" {text}"),
        false => text,
    }
}

fn is_aborted(result: &Value) -> bool {
    let reason = result["terminal_reason"].as_str().unwrap_or_default();
    reason.starts_with("aborted")
}

fn is_error(subtype: &str) -> bool {
    subtype.starts_with("error")
}

fn texts(content: &Value) -> String {
    let blocks = content.as_array().into_iter().flatten();
    blocks
        .filter_map(|block| block["text"].as_str())
        .collect::<Vec<_>>()
        .join("\n")
}
