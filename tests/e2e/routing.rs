//! Who is woken by a message, in which order, and who is not.

use serde_json::json;

use crate::room::{AgentPlan, Plan, Room, TERMINAL};

#[tokio::test]
async fn route_01_everybody_sees_a_message_and_only_its_targets_get_a_turn() {
    let room = Room::open(Plan::fakes(&["alpha", "beta"])).await;
    let sent = room.send(&["agent:alpha"], "for alpha only").await;
    room.answer(sent.turn()).await;

    let events = room.events().so_far();
    let message = events
        .iter()
        .find(|event| event.event_id() == sent.message)
        .expect("the message is in the room");
    assert_eq!(message.raw["to"], json!(["agent:alpha"]));
    assert_eq!(message.actor(), "user:web");
    let woken: Vec<_> = events
        .iter()
        .filter(|event| event.kind() == "turn.queued")
        .map(|event| event.body()["targetActorId"].clone())
        .collect();
    assert_eq!(woken, [json!("agent:alpha")]);
    assert!(room.wire("beta").prompts().is_empty());
}

#[tokio::test]
async fn route_02_all_wakes_every_agent_in_parallel() {
    let room = Room::open(Plan::fakes(&["alpha", "beta", "gamma"])).await;
    let sent = room.send(&["@all"], r#"{{say text="here"}}{{hang}}"#).await;
    let targets: Vec<&str> = sent
        .turns
        .iter()
        .map(|(target, _)| target.as_str())
        .collect();
    assert_eq!(targets, ["agent:alpha", "agent:beta", "agent:gamma"]);
    // None of them ends by itself: all are running at the same time.
    for (_, turn) in &sent.turns {
        room.reached(turn, "turn.content.delta").await;
    }
    for (_, turn) in &sent.turns {
        room.cancel(turn).await;
        assert_eq!(room.end(turn).await.kind(), "turn.cancelled");
    }
    let message = room
        .events()
        .one("the message", |event| event.event_id() == sent.message)
        .await;
    assert_eq!(
        message.raw["to"],
        json!(["agent:alpha", "agent:beta", "agent:gamma"])
    );
}

#[tokio::test]
async fn route_02_one_failing_agent_does_not_touch_the_others() {
    let rule = json!({"onPrompt": [{"contains": "everybody", "script": "{{crash}}"}]});
    let plan = Plan::fakes(&["alpha", "beta"]).with(AgentPlan::fake("broken").behaving(rule));
    let room = Room::open(plan).await;
    let sent = room.send(&["@all"], "hello everybody").await;
    assert_eq!(
        room.answer(sent.turn_of("agent:alpha")).await,
        "echo: hello everybody"
    );
    assert_eq!(
        room.answer(sent.turn_of("agent:beta")).await,
        "echo: hello everybody"
    );
    let end = room.end(sent.turn_of("agent:broken")).await;
    assert_eq!(end.kind(), "turn.interrupted");
}

#[tokio::test]
async fn route_03_a_name_in_a_text_wakes_nobody() {
    let room = Room::open(Plan::fakes(&["alpha", "beta"])).await;
    let asked = room
        .ask(
            "agent:alpha",
            r#"{{say text="@beta @all agent:beta please help"}}"#,
        )
        .await;
    assert_eq!(asked, "@beta @all agent:beta please help");
    assert_eq!(
        room.ask("agent:alpha", "@beta are you there?").await,
        "echo: @beta are you there?"
    );
    let active = room.get("/api/bootstrap").await.body["activeTurns"].clone();
    assert_eq!(active, json!([]));
    assert!(room.wire("beta").prompts().is_empty());
}

#[tokio::test]
async fn route_04_a_reply_keeps_its_recipients_and_shows_what_it_answers() {
    let room = Room::open(Plan::fakes(&["alpha", "beta"])).await;
    let first = room.send(&["agent:alpha"], "the question").await;
    room.answer(first.turn()).await;
    let body = json!({
        "clientCommandId": "reply-1", "to": ["agent:beta"], "content": "{{dump}}",
        "replyToEventId": first.message,
    });
    let reply = crate::room::Accepted::from(&room.post("/api/messages", &body).await.must_be(202));
    room.answer(reply.turn()).await;
    let message = room
        .events()
        .one("the reply", |event| event.event_id() == reply.message)
        .await;
    assert_eq!(message.raw["replyToEventId"], first.message.as_str());
    assert_eq!(message.raw["to"], json!(["agent:beta"]));
}

#[tokio::test]
async fn turn_02_one_agent_works_in_the_order_of_arrival_and_one_at_a_time() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let mut turns = Vec::new();
    for number in 0..6 {
        let script = format!(r#"{{{{deltas n=5 size=3 every=2}}}}{{{{say text=" {number}"}}}}"#);
        turns.push(room.say("agent:alpha", &script).await);
    }
    for turn in &turns {
        room.answer(turn).await;
    }
    let events = room.events().so_far();
    let steps: Vec<(&str, &str)> = events
        .iter()
        .filter(|event| event.kind() == "turn.started" || TERMINAL.contains(&event.kind()))
        .map(|event| (event.turn().unwrap(), event.kind()))
        .collect();
    let wanted: Vec<(&str, &str)> = turns
        .iter()
        .flat_map(|turn| {
            [
                (turn.as_str(), "turn.started"),
                (turn.as_str(), "turn.completed"),
            ]
        })
        .collect();
    assert_eq!(steps, wanted);
}

#[tokio::test]
async fn turn_02_a_busy_agent_does_not_hold_up_another() {
    let room = Room::open(Plan::fakes(&["alpha", "beta"])).await;
    let busy = room
        .say("agent:alpha", r#"{{say text="on it"}}{{hang}}"#)
        .await;
    room.reached(&busy, "turn.content.delta").await;
    assert_eq!(room.ask("agent:beta", "meanwhile").await, "echo: meanwhile");
    room.cancel(&busy).await;
    assert_eq!(room.end(&busy).await.kind(), "turn.cancelled");
}

#[tokio::test]
async fn turn_03_message_and_queued_turns_appear_together() {
    let room = Room::open(Plan::fakes(&["alpha", "beta"])).await;
    let sent = room.send(&["@all"], "together").await;
    for (_, turn) in &sent.turns {
        room.end(turn).await;
    }
    let events = room.events().so_far();
    let seqs: Vec<u64> = events
        .iter()
        .filter(|event| event.event_id() == sent.message || event.kind() == "turn.queued")
        .filter_map(|event| event.seq())
        .collect();
    assert_eq!(
        seqs,
        [seqs[0], seqs[0] + 1, seqs[0] + 2],
        "nothing comes between them"
    );
}
