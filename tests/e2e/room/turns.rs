//! Messages and the Turns they make: sending, and reading a Turn's life from the event stream.

use serde_json::{Value, json};

use super::api::command_id;
use super::{Envelope, Reply, Room};

/// The four ways a Turn ends.
pub(crate) const TERMINAL: [&str; 4] = [
    "turn.completed",
    "turn.failed",
    "turn.cancelled",
    "turn.interrupted",
];

/// A message that the room has taken.
#[derive(Clone, Debug)]
pub(crate) struct Accepted {
    pub(crate) message: String,
    pub(crate) correlation: String,
    /// Target and Turn id, in the order of the answer.
    pub(crate) turns: Vec<(String, String)>,
}

impl Accepted {
    pub(crate) fn from(reply: &Reply) -> Self {
        let text = |value: &Value| value.as_str().expect("a string").to_owned();
        let turns = reply.body["turns"].as_array().expect("a list of Turns");
        Self {
            message: text(&reply.body["messageEventId"]),
            correlation: text(&reply.body["correlationId"]),
            turns: turns
                .iter()
                .map(|turn| (text(&turn["target"]), text(&turn["turnId"])))
                .collect(),
        }
    }

    /// The only Turn of a message to one agent.
    pub(crate) fn turn(&self) -> &str {
        assert_eq!(self.turns.len(), 1, "one Turn: {self:?}");
        &self.turns[0].1
    }

    pub(crate) fn turn_of(&self, agent: &str) -> &str {
        let found = self.turns.iter().find(|(target, _)| target == agent);
        &found.expect("a Turn of that agent").1
    }
}

impl Room {
    /// Sends a message by the user; it must be accepted.
    pub(crate) async fn send(&self, to: &[&str], content: &str) -> Accepted {
        let body = json!({"clientCommandId": command_id(), "to": to, "content": content});
        Accepted::from(&self.post("/api/messages", &body).await.must_be(202))
    }

    /// Sends a message to one agent and returns its Turn.
    pub(crate) async fn say(&self, to: &str, content: &str) -> String {
        self.send(&[to], content).await.turn().to_owned()
    }

    /// Sends a message to one agent, waits for a completed Turn and returns the answer.
    pub(crate) async fn ask(&self, to: &str, content: &str) -> String {
        let turn = self.say(to, content).await;
        self.answer(&turn).await
    }

    /// Waits for the Turn, which must complete, and returns its answer.
    pub(crate) async fn answer(&self, turn: &str) -> String {
        let end = self.end(turn).await;
        assert_eq!(end.kind(), "turn.completed", "{}", end.raw);
        let answer = self
            .events()
            .one("the answer", |event| {
                event.event_id() == end.body()["responseEventId"]
            })
            .await;
        answer.body()["content"].as_str().expect("text").to_owned()
    }

    /// Waits for the Turn's terminal event.
    pub(crate) async fn end(&self, turn: &str) -> Envelope {
        let what = format!("the end of {turn}");
        self.events()
            .one(&what, |event| {
                TERMINAL.contains(&event.kind()) && event.turn() == Some(turn)
            })
            .await
    }

    /// Waits for an event of this type that belongs to the Turn.
    pub(crate) async fn reached(&self, turn: &str, kind: &str) -> Envelope {
        let what = format!("{kind} of {turn}");
        self.events()
            .one(&what, |event| event.is_of(turn, kind))
            .await
    }

    /// The Turn's durable events so far, in order.
    pub(crate) fn life(&self, turn: &str) -> Vec<Envelope> {
        let mut events = self.events().so_far();
        events.retain(|event| event.seq().is_some() && event.turn() == Some(turn));
        events
    }

    /// The types of the Turn's durable events so far, in order.
    pub(crate) fn life_types(&self, turn: &str) -> Vec<String> {
        self.life(turn)
            .iter()
            .map(|event| event.kind().to_owned())
            .collect()
    }

    /// What a browser has shown of the answer while it was streamed.
    pub(crate) fn live_text(&self, turn: &str) -> String {
        let mut shown = String::new();
        for event in self.events().so_far() {
            if event.is_of(turn, "turn.content.delta") {
                if event.body()["reset"] == true {
                    shown.clear();
                }
                shown.push_str(event.body()["text"].as_str().expect("a delta has text"));
            }
        }
        shown
    }

    /// Asks for the end of a Turn.
    pub(crate) async fn cancel(&self, turn: &str) -> Reply {
        let path = format!("/api/turns/{turn}/cancel");
        self.post(&path, &json!({"clientCommandId": command_id()}))
            .await
            .must_be(202)
    }

    /// The seq of the newest durable event.
    pub(crate) async fn through_seq(&self) -> u64 {
        let bootstrap = self.get("/api/bootstrap").await.must_be(200);
        bootstrap.body["room"]["throughSeq"]
            .as_u64()
            .expect("a cursor")
    }
}
