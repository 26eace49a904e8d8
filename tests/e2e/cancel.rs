//! Stop means stop: before a Turn began, in its middle, and in a race with its end.

use serde_json::json;

use crate::room::{AgentPlan, Plan, Room, TERMINAL, command_id};

#[tokio::test]
async fn turn_08_a_cancelled_queued_turn_never_reaches_the_agent() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let running = room.say("agent:alpha", "{{hang}}").await;
    room.reached(&running, "turn.started").await;
    let queued = room.say("agent:alpha", "never-sent").await;

    let reply = room.cancel(&queued).await;
    assert_eq!(
        reply.body,
        json!({"turnId": queued, "accepted": true, "status": "cancelled"})
    );
    let end = room.end(&queued).await;
    assert_eq!(
        (end.kind(), end.actor()),
        ("turn.cancelled", "system:groupx")
    );
    assert_eq!(room.life_types(&queued), ["turn.queued", "turn.cancelled"]);

    room.cancel(&running).await;
    room.end(&running).await;
    assert_eq!(room.ask("agent:alpha", "next").await, "echo: next");
    assert_eq!(room.wire("alpha").times_prompted("never-sent"), 0);
}

#[tokio::test]
async fn turn_08_cancelling_a_running_turn_is_native_and_leaves_the_session_usable() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let turn = room
        .say("agent:alpha", r#"{{say text="working"}}{{hang}}"#)
        .await;
    room.reached(&turn, "turn.content.delta").await;

    let reply = room.cancel(&turn).await;
    assert_eq!(reply.body["accepted"], true);
    let status = reply.body["status"].as_str().unwrap();
    assert!(["cancelled", "cancelling"].contains(&status), "{status}");
    let end = room.end(&turn).await;
    assert_eq!((end.kind(), end.actor()), ("turn.cancelled", "agent:alpha"));
    assert!(
        !room
            .life_types(&turn)
            .contains(&"message.created".to_owned())
    );

    let again = room.cancel(&turn).await;
    assert_eq!(
        again.body,
        json!({"turnId": turn, "accepted": false, "status": "cancelled"})
    );
    assert_eq!(room.ask("agent:alpha", "next").await, "echo: next");
    let wire = room.wire("alpha");
    assert_eq!(
        (wire.processes(), wire.received("turn/interrupt").len()),
        (1, 1)
    );
}

#[tokio::test]
async fn turn_07_cancel_races_completion() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let mut outcomes = Vec::new();
    for round in 0..24 {
        let script = format!(r#"{{{{deltas n={} size=4}}}}"#, round % 6);
        let script = format!(r#"{script}{{{{say text="end of {round}"}}}}"#);
        let turn = room.say("agent:alpha", &script).await;
        let moment = [
            "turn.queued",
            "turn.dispatched",
            "turn.started",
            "turn.content.delta",
        ];
        room.reached(&turn, moment[round % 4]).await;
        let reply = room.cancel(&turn).await;
        let end = room.end(&turn).await;

        let said = reply.body["status"].as_str().unwrap();
        match (end.kind(), reply.body["accepted"] == true) {
            ("turn.completed", false) => assert_eq!(said, "completed"),
            ("turn.completed", true) => assert_eq!(said, "completed", "it had won the race"),
            ("turn.cancelled", true) => assert!(["cancelled", "cancelling"].contains(&said)),
            other => panic!("round {round}: {other:?} with status {said}"),
        }
        outcomes.push(end.kind().to_owned());
        let answered = room
            .life_types(&turn)
            .contains(&"message.created".to_owned());
        assert_eq!(
            answered,
            end.kind() == "turn.completed",
            "an answer only when it completed"
        );
    }
    // Whatever comes late changes nothing: every Turn still has its one end.
    assert_eq!(room.ask("agent:alpha", "settled").await, "echo: settled");
    let events = room.events().so_far();
    let ends = events
        .iter()
        .filter(|event| TERMINAL.contains(&event.kind()));
    assert_eq!(ends.count(), outcomes.len() + 1, "{outcomes:?}");
    assert_eq!(room.wire("alpha").processes(), 1);
}

#[tokio::test]
async fn turn_08_a_deaf_agent_is_replaced_after_the_cancel_limit() {
    let stubborn =
        AgentPlan::fake("alpha").behaving(json!({"ignoreInterrupt": true, "ignoreTerm": true}));
    let plan = Plan::empty()
        .with(stubborn)
        .set("timeouts.cancelMs", 300)
        .set("timeouts.closeMs", 300);
    let room = Room::open(plan).await;
    let turn = room
        .say("agent:alpha", r#"{{say text="la"}}{{hang hard}}"#)
        .await;
    room.reached(&turn, "turn.content.delta").await;
    let queued = room.say("agent:alpha", "next").await;
    room.cancel(&turn).await;
    let end = room.end(&turn).await;
    assert_ne!(end.kind(), "turn.completed");
    assert_eq!(room.answer(&queued).await, "echo: next");
    let wire = room.wire("alpha");
    assert_eq!(wire.processes(), 2);
    assert_eq!(wire.times_prompted("{{hang hard}}"), 1);
}

#[tokio::test]
async fn turn_08_two_cancels_at_once_are_one() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let turn = room
        .say("agent:alpha", r#"{{say text="la"}}{{hang}}"#)
        .await;
    room.reached(&turn, "turn.content.delta").await;
    let (first, second) = tokio::join!(room.cancel(&turn), room.cancel(&turn));
    for reply in [first, second] {
        let status = reply.body["status"].as_str().unwrap().to_owned();
        assert!(status.starts_with("cancel"), "{status}");
    }
    assert_eq!(room.end(&turn).await.kind(), "turn.cancelled");
    assert_eq!(room.ask("agent:alpha", "next").await, "echo: next");
    assert_eq!(room.wire("alpha").received("turn/interrupt").len(), 1);
}

#[tokio::test]
async fn a_turn_that_does_not_exist_cannot_be_cancelled() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let body = json!({"clientCommandId": command_id()});
    let reply = room.post("/api/turns/turn_nothing/cancel", &body).await;
    assert_eq!(reply.status, 404, "{:?}", reply.body);
    reply.error_code();
}
