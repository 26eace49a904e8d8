//! The same command twice, whenever and however it comes.

use serde_json::{Value, json};

use crate::room::{Accepted, Plan, Room, WireLog};

fn message(id: &str, content: &str) -> Value {
    json!({"clientCommandId": id, "to": ["agent:alpha"], "content": content})
}

fn messages_of(room: &Room, content: &str) -> usize {
    let events = room.events().so_far();
    let is_it = |body: &Value| body["content"] == content && body.get("turnId").is_none();
    events
        .iter()
        .filter(|event| event.kind() == "message.created" && is_it(event.body()))
        .count()
}

fn prompted(wire: &WireLog, marker: &str) -> usize {
    wire.times_prompted(marker)
}

#[tokio::test]
async fn idem_01_the_same_command_gives_the_same_result_and_nothing_new() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let first = room
        .post("/api/messages", &message("once", "only once"))
        .await
        .must_be(202);
    room.answer(Accepted::from(&first).turn()).await;
    let before = room.through_seq().await;
    // Another order of keys is the same payload.
    let second = json!({"content": "only once", "to": ["agent:alpha"], "clientCommandId": "once"});
    let second = room.post("/api/messages", &second).await.must_be(202);
    assert_eq!(first.body, second.body);
    assert_eq!(room.through_seq().await, before);
    assert_eq!(prompted(&room.wire("alpha"), "only once"), 1);
}

#[tokio::test]
async fn idem_01_two_at_once_are_one() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    for round in 0..10 {
        let content = format!("at once {round}");
        let body = message(&format!("twins-{round}"), &content);
        let (one, two, three) = tokio::join!(
            room.post("/api/messages", &body),
            room.post("/api/messages", &body),
            room.post("/api/messages", &body)
        );
        let [one, two, three] = [one, two, three].map(|reply| reply.must_be(202).body);
        assert!(one == two && two == three, "{one} {two} {three}");
        let turn = one["turns"][0]["turnId"].as_str().unwrap().to_owned();
        room.answer(&turn).await;
        assert_eq!(messages_of(&room, &content), 1);
    }
}

#[tokio::test]
async fn idem_01_holds_after_a_restart_and_after_a_kill() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    let body = message("lasting", "remember me");
    let first = room.post("/api/messages", &body).await.must_be(202).body;
    room.answer(first["turns"][0]["turnId"].as_str().unwrap())
        .await;
    room.kill().await;
    room.start_again().await;
    assert_eq!(
        room.post("/api/messages", &body).await.must_be(202).body,
        first
    );
    room.stop().await;
    room.start_again().await;
    assert_eq!(
        room.post("/api/messages", &body).await.must_be(202).body,
        first
    );
    assert_eq!(messages_of(&room, "remember me"), 1);
    assert_eq!(prompted(&room.wire("alpha"), "remember me"), 1);
}

#[tokio::test]
async fn idem_02_the_same_id_with_another_payload_is_a_conflict() {
    let room = Room::open(Plan::fakes(&["alpha", "beta"])).await;
    let first = room
        .post("/api/messages", &message("taken", "mine"))
        .await
        .must_be(202);
    let turn = Accepted::from(&first).turn().to_owned();
    room.answer(&turn).await;
    let before = room.through_seq().await;
    let other_text = message("taken", "yours");
    let other_target = json!({"clientCommandId": "taken", "to": ["agent:beta"], "content": "mine"});
    for body in [other_text, other_target] {
        room.post("/api/messages", &body)
            .await
            .must_fail(409, "CLIENT_COMMAND_CONFLICT");
    }
    // Another kind of command with the same id is another payload, too.
    let cancel = json!({"clientCommandId": "taken"});
    room.post(&format!("/api/turns/{turn}/cancel"), &cancel)
        .await
        .must_fail(409, "CLIENT_COMMAND_CONFLICT");
    assert_eq!(room.through_seq().await, before);
}

#[tokio::test]
async fn idem_03_a_target_gets_one_turn_for_one_message() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let before = room.through_seq().await;
    let doubled =
        json!({"clientCommandId": "double", "to": ["agent:alpha", "agent:alpha"], "content": "hi"});
    room.post("/api/messages", &doubled)
        .await
        .must_fail(400, "INVALID_ENVELOPE");
    assert_eq!(room.through_seq().await, before);
}

#[tokio::test]
async fn idem_01_a_restart_command_restarts_once() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let body = json!({"clientCommandId": "restart-once"});
    let path = "/api/agents/agent:alpha/restart";
    let first = room.post(path, &body).await.must_be(202).body;
    let second = room.post(path, &body).await.must_be(202).body;
    assert_eq!(first, second);
    assert_eq!(room.wire("alpha").processes(), 2);
}

#[tokio::test]
async fn idem_01_a_cancel_command_keeps_its_answer() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let busy = room.say("agent:alpha", "{{hang}}").await;
    room.reached(&busy, "turn.started").await;
    let queued = room.say("agent:alpha", "later").await;
    let body = json!({"clientCommandId": "cancel-once"});
    let path = format!("/api/turns/{queued}/cancel");
    let first = room.post(&path, &body).await.must_be(202).body;
    let second = room.post(&path, &body).await.must_be(202).body;
    assert_eq!(first["accepted"], true);
    assert_eq!(first, second);
    room.cancel(&busy).await;
}
