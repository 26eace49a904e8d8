//! The recorded client's calls, and which of them the driver's own calls stand for.

use std::cmp::Reverse;
use std::ops::Range;

use serde_json::Value;

use super::capture::{Line, Record};
use super::dialect::{AgentLine, Answer, Call, ClientLine, Dialect, Purpose};

/// All calls of one process of a recording.
pub(super) struct Recorded {
    calls: Vec<RecordedCall>,
}

/// A call that the recorded client made.
pub(super) struct RecordedCall {
    /// Its place among the records.
    pub(super) at: usize,
    pub(super) call: Call,
    /// The place of its answer.
    pub(super) answer_at: Option<usize>,
    pub(super) is_error: bool,
    /// The native session that its answer opened.
    pub(super) session: Option<String>,
    /// The driver's call that stands for it.
    pub(super) claimed_by: Option<Value>,
    skipped: bool,
}

impl Recorded {
    pub(super) fn new(records: &[Record], dialect: &Dialect) -> Self {
        let mut recorded = Recorded { calls: Vec::new() };
        for (at, record) in records.iter().enumerate() {
            match record {
                Record::In(Line {
                    json: Some(line), ..
                }) => {
                    if let ClientLine::Call(call) = (dialect.client)(line) {
                        recorded.calls.push(RecordedCall {
                            at,
                            call,
                            answer_at: None,
                            is_error: false,
                            session: None,
                            claimed_by: None,
                            skipped: false,
                        });
                    }
                }
                Record::Out(Line {
                    json: Some(line), ..
                }) => {
                    if let AgentLine::Answer(answer) = (dialect.agent)(line) {
                        recorded.answered(at, answer);
                    }
                }
                _ => {}
            }
        }
        recorded
    }

    fn answered(&mut self, at: usize, answer: Answer) {
        let open = self
            .calls
            .iter_mut()
            .rev()
            .find(|call| call.call.id == answer.id && call.answer_at.is_none());
        if let Some(call) = open {
            call.answer_at = Some(at);
            call.is_error = answer.is_error;
            call.session = answer.session;
        }
    }

    /// The call that is record `at`.
    pub(super) fn at(&self, at: usize) -> Option<&RecordedCall> {
        self.calls.iter().find(|call| call.at == at)
    }

    /// The call that record `at` answers.
    pub(super) fn answered_at(&self, at: usize) -> Option<&RecordedCall> {
        self.calls.iter().find(|call| call.answer_at == Some(at))
    }

    /// The call that opened the session which the driver will have.
    pub(super) fn opening(&self) -> Option<&RecordedCall> {
        self.first_of(|call| call.call.purpose == Purpose::OpenSession)
            .and_then(|index| self.calls.get(index))
    }

    /// How many prompts were written after record `at`.
    pub(super) fn prompts_after(&self, at: usize) -> usize {
        let is_prompt = |call: &&RecordedCall| matches!(call.call.purpose, Purpose::Prompt(_));
        let later = self.calls.iter().filter(|call| call.at > at);
        later.filter(is_prompt).count()
    }

    /// The driver will not stand for the call at record `at`.
    pub(super) fn skip(&mut self, at: usize) {
        if let Some(call) = self.calls.iter_mut().find(|call| call.at == at) {
            call.skipped = true;
        }
    }

    /// The driver wrote `line`, which is `call`: which recorded one does it stand for?
    ///
    /// By method and order. `prompt` is the place of the prompt that the driver works on: a prompt
    /// stands for that one, and a cancel for one that was written between it and the next.
    pub(super) fn claim(
        &mut self,
        call: &Call,
        line: &Value,
        prompt: Option<usize>,
    ) -> Option<&RecordedCall> {
        let turn = self.turn_range(prompt);
        let index = self.first_of(|recorded| {
            recorded.call.method == call.method
                && match recorded.call.purpose {
                    Purpose::Prompt(_) => Some(recorded.at) == prompt,
                    Purpose::Cancel => {
                        turn.contains(&recorded.at)
                            && (recorded.call.turn.is_none() || recorded.call.turn == call.turn)
                    }
                    Purpose::Handshake | Purpose::OpenSession | Purpose::Other => true,
                }
        })?;
        let recorded = self.calls.get_mut(index)?;
        recorded.claimed_by = Some(line.clone());
        Some(recorded)
    }

    /// The first free one. While getting ready a client may have tried in vain or for other
    /// sessions too: then one that succeeded, and whose session got the most prompts.
    fn first_of(&self, wanted: impl Fn(&RecordedCall) -> bool) -> Option<usize> {
        let free = (0..self.calls.len()).filter(|&index| {
            let call = &self.calls[index];
            call.claimed_by.is_none() && !call.skipped && wanted(call)
        });
        free.max_by_key(|&index| {
            let call = &self.calls[index];
            let worth = match call.call.purpose {
                Purpose::Handshake | Purpose::OpenSession => {
                    (!call.is_error, self.prompts_of(call.session.as_deref()))
                }
                Purpose::Prompt(_) | Purpose::Cancel | Purpose::Other => (false, 0),
            };
            (worth, Reverse(index))
        })
    }

    fn prompts_of(&self, session: Option<&str>) -> usize {
        let prompts = self.calls.iter().filter(|call| {
            matches!(call.call.purpose, Purpose::Prompt(_))
                && session.is_some()
                && call.call.session.as_deref() == session
        });
        prompts.count()
    }

    fn turn_range(&self, prompt: Option<usize>) -> Range<usize> {
        let Some(prompt) = prompt else { return 0..0 };
        let next = self.calls.iter().find(|call| {
            call.at > prompt && !call.skipped && matches!(call.call.purpose, Purpose::Prompt(_))
        });
        prompt..next.map_or(usize::MAX, |call| call.at)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::capture::Capture;
    use super::super::codex::DIALECT;
    use super::*;

    fn recorded(lines: &[Value]) -> Recorded {
        let rows: Vec<String> = lines.iter().map(Value::to_string).collect();
        let capture = Capture::parse("x", &rows.join("\n")).unwrap();
        Recorded::new(&capture.processes[0], &DIALECT)
    }

    fn client(id: u64, method: &str, params: Value) -> Value {
        json!({"dir": "in", "line": {"id": id, "method": method, "params": params}})
    }

    fn answer(id: u64, result: Value) -> Value {
        json!({"dir": "out", "line": {"id": id, "result": result}})
    }

    fn refusal(id: u64) -> Value {
        json!({"dir": "out", "line": {"id": id, "error": {"code": -32600, "message": "no"}}})
    }

    /// The record that the driver's call of this method stands for.
    fn claimed(recorded: &mut Recorded, method: &str, prompt: Option<usize>) -> Option<usize> {
        let line = json!({"id": 99, "method": method, "params": {"turnId": "t1"}});
        let ClientLine::Call(call) = (DIALECT.client)(&line) else {
            panic!("{method} is a call");
        };
        recorded.claim(&call, &line, prompt).map(|call| call.at)
    }

    #[test]
    fn of_several_sessions_the_one_with_the_prompts_is_meant() {
        let mut recorded = recorded(&[
            client(1, "thread/start", json!({})),
            refusal(1),
            client(2, "thread/start", json!({})),
            answer(2, json!({"thread": {"id": "a"}})),
            client(3, "thread/start", json!({})),
            answer(3, json!({"thread": {"id": "b"}})),
            client(4, "turn/start", json!({"threadId": "b", "input": []})),
        ]);
        assert_eq!(claimed(&mut recorded, "thread/start", None), Some(4));
    }

    #[test]
    fn a_prompt_stands_for_the_one_that_was_given_and_for_no_other() {
        let mut recorded = recorded(&[
            client(1, "turn/start", json!({"input": []})),
            client(2, "turn/start", json!({"input": []})),
        ]);
        assert_eq!(claimed(&mut recorded, "turn/start", Some(1)), Some(1));
        assert_eq!(claimed(&mut recorded, "turn/start", Some(1)), None);
    }

    #[test]
    fn a_cancel_stands_for_one_of_its_own_turn() {
        let mut recorded = recorded(&[
            client(1, "turn/start", json!({"input": []})),
            client(2, "turn/interrupt", json!({"turnId": "another"})),
            client(3, "turn/interrupt", json!({"turnId": "t1"})),
            client(4, "turn/start", json!({"input": []})),
            client(5, "turn/interrupt", json!({"turnId": ""})),
        ]);
        assert_eq!(claimed(&mut recorded, "turn/interrupt", Some(0)), Some(2));
        assert_eq!(claimed(&mut recorded, "turn/interrupt", Some(0)), None);
        assert_eq!(claimed(&mut recorded, "turn/interrupt", Some(3)), Some(4));
    }
}
