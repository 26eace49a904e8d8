//! The part of an agent that speaks JSON-RPC.

use super::Story;
use crate::Driver;
use serde_json::{Value, json};

impl<D: Driver> Story<D> {
    /// The driver's next line is a call or a notification of `method`; gives its parameters.
    #[track_caller]
    pub fn called(&mut self, method: &str) -> Value {
        let Some(line) = self.written.pop_front() else {
            panic!("{method} was not written, nothing was");
        };
        let mut message = parse(&line);
        assert_eq!(message["method"], method, "written: {line}");
        if let Some(id) = message.get("id") {
            self.calls.push((method.to_owned(), id.clone()));
        }
        message["params"].take()
    }

    /// The agent answers the newest call of `method`, which [`Story::called`] has seen.
    #[track_caller]
    pub fn answers(&mut self, method: &str, result: Value) -> &mut Self {
        let id = self.open_call(method);
        self.prints(json!({ "id": id, "result": result }).to_string())
    }

    /// The agent refuses the newest call of `method`.
    #[track_caller]
    pub fn refuses(&mut self, method: &str, code: i64, message: &str) -> &mut Self {
        let id = self.open_call(method);
        self.prints(json!({ "id": id, "error": { "code": code, "message": message } }).to_string())
    }

    /// The agent notifies.
    pub fn says(&mut self, method: &str, params: Value) -> &mut Self {
        self.prints(json!({ "method": method, "params": params }).to_string())
    }

    /// The agent asks the client.
    pub fn asks(&mut self, id: Value, method: &str, params: Value) -> &mut Self {
        self.prints(json!({ "id": id, "method": method, "params": params }).to_string())
    }

    /// The driver's next line is this answer to the agent's request.
    #[track_caller]
    pub fn answered(&mut self, answer: Value) -> &mut Self {
        let Some(line) = self.written.pop_front() else {
            panic!("the answer {answer} was not written, nothing was");
        };
        assert_eq!(parse(&line), answer);
        self
    }

    #[track_caller]
    fn open_call(&mut self, method: &str) -> Value {
        let Some(place) = self.calls.iter().rposition(|(called, _)| called == method) else {
            panic!("no call of {method} is open");
        };
        self.calls.remove(place).1
    }
}

#[track_caller]
pub(super) fn parse(line: &str) -> Value {
    match serde_json::from_str(line) {
        Ok(value) => value,
        Err(error) => panic!("not JSON ({error}): {line}"),
    }
}
