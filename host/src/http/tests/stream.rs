use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::house::House;

/// Reads a stream frame by frame, as `EventSource` does.
struct Listener {
    response: Response,
    text: String,
}

impl Listener {
    async fn open(house: &House, query: &str) -> Self {
        let request = house.request(Method::GET, &format!("/api/events{query}"));
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        Self {
            response,
            text: String::new(),
        }
    }

    /// The next frame as its lines; `None` when the stream is over.
    async fn frame(&mut self) -> Option<String> {
        loop {
            if let Some((frame, rest)) = self.text.split_once("\n\n") {
                let frame = frame.to_owned();
                self.text = rest.to_owned();
                return Some(frame);
            }
            let chunk = timeout(Duration::from_secs(10), self.response.chunk()).await;
            let chunk = chunk.expect("nothing came").unwrap()?;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The events up to and with the first of this type; durable ones carry their id.
    async fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut events: Vec<Value> = Vec::new();
        while events.last().is_none_or(|event| event["type"] != kind) {
            let frame = self.frame().await.expect("the stream ended");
            let (id, data) = match frame.strip_prefix("id: ") {
                Some(rest) => {
                    let (id, data) = rest.split_once('\n').unwrap();
                    (id.parse().unwrap(), data)
                }
                None => (Value::Null, frame.as_str()),
            };
            if let Some(json) = data.strip_prefix("data: ") {
                let event: Value = serde_json::from_str(json).unwrap();
                assert_eq!(event["seq"], id);
                events.push(event);
            }
        }
        events
    }
}

fn message(command: &str) -> Value {
    json!({ "clientCommandId": command, "to": ["@all"], "content": "hello" })
}

#[tokio::test]
async fn rest_02_what_happened_between_snapshot_and_stream_arrives_once_and_in_order() {
    let house = House::open().await;
    let (_, bootstrap) = house.get("/api/bootstrap").await;
    let after = bootstrap["room"]["throughSeq"].as_u64().unwrap();
    house.post("/api/messages", message("one")).await;
    let mut listener = Listener::open(&house, &format!("?afterSeq={after}")).await;
    let opening = listener.frame().await.unwrap();
    assert!(opening.starts_with("retry: 1000\n: "), "{opening}");

    let events = listener.until("turn.completed").await;
    let durable: Vec<_> = events
        .iter()
        .filter(|event| !event["seq"].is_null())
        .collect();
    let kinds: Vec<_> = durable
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    let whole = [
        "message.created",
        "turn.queued",
        "turn.dispatched",
        "turn.started",
        "message.created",
        "turn.completed",
    ];
    assert_eq!(kinds, whole);
    let seqs: Vec<_> = durable
        .iter()
        .map(|event| event["seq"].as_u64().unwrap())
        .collect();
    assert!(
        seqs.iter()
            .enumerate()
            .all(|(at, seq)| *seq == after + 1 + at as u64),
        "{seqs:?}"
    );
    assert_eq!(durable[4]["body"]["content"], "hello");

    let mut again = Listener::open(&house, &format!("?afterSeq={}", after + 4)).await;
    let rest = again.until("turn.completed").await;
    assert_eq!(rest, events[events.len() - 2..]);
    house.close().await;
}

#[tokio::test]
async fn rest_02_a_cursor_beyond_the_end_waits_and_a_closing_house_ends_the_stream() {
    let house = House::open().await;
    let mut listener = Listener::open(&house, "?afterSeq=1000000").await;
    listener.frame().await.unwrap();
    house.server.drain(Duration::from_secs(5)).await;
    assert_eq!(listener.frame().await, None);
    house.close().await;
}

#[tokio::test]
async fn rest_04_the_sixty_fifth_stream_waits_outside_until_one_is_left() {
    let house = House::open().await;
    let mut seated = Vec::new();
    for _ in 0..64 {
        seated.push(Listener::open(&house, "").await);
    }
    let (status, refused) = house.get("/api/events").await;
    assert_eq!(status, 503);
    assert_eq!(refused["error"]["code"], "STORE_UNAVAILABLE");
    seated.pop();
    let freed = async {
        while house
            .request(Method::GET, "/api/events")
            .send()
            .await
            .unwrap()
            .status()
            != 200
        {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(10), freed)
        .await
        .expect("the seat is still taken");
    house.close().await;
}
