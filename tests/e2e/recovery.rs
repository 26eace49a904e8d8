//! What a SIGKILL of GroupX leaves, and what the next start makes of it.

use crate::room::{Plan, Room, TERMINAL};

#[tokio::test]
async fn turn_06_a_kill_in_mid_turn_interrupts_it_and_the_queue_goes_on() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    room.ask("agent:alpha", "warm up").await;
    let running = room
        .say("agent:alpha", r#"{{say text="half"}}{{hang}}"#)
        .await;
    room.reached(&running, "turn.content.delta").await;
    let queued = room.say("agent:alpha", "after the kill").await;
    room.kill().await;
    room.start_again().await;

    let end = room.end(&running).await;
    assert_eq!(
        (end.kind(), end.actor()),
        ("turn.interrupted", "system:groupx")
    );
    assert_eq!(end.body()["errorCode"], "TURN_INTERRUPTED");
    assert_eq!(end.body()["previousStatus"], "running");
    assert_eq!(
        end.body()["deliveryCertainty"],
        "delivered",
        "certainty is kept"
    );
    assert!(
        !room
            .life_types(&running)
            .contains(&"message.created".to_owned())
    );
    assert_eq!(room.answer(&queued).await, "echo: after the kill");

    let wire = room.wire("alpha");
    assert_eq!(wire.times_prompted("{{hang}}"), 1, "never sent twice");
    assert_eq!(
        wire.received("thread/resume").len(),
        1,
        "the native session goes on"
    );
}

#[tokio::test]
async fn turn_06_a_kill_while_cancelling_ends_the_turn_for_good() {
    let stubborn = crate::room::AgentPlan::fake("alpha")
        .behaving(serde_json::json!({"ignoreInterrupt": true}));
    let mut room = Room::open(Plan::empty().with(stubborn)).await;
    let turn = room
        .say("agent:alpha", r#"{{say text="la"}}{{hang hard}}"#)
        .await;
    room.reached(&turn, "turn.content.delta").await;
    let path = format!("/api/turns/{turn}/cancel");
    let body = serde_json::json!({"clientCommandId": "cancel-then-die"});
    {
        let cancel = room.try_post(&path, &body);
        let seen = crate::room::eventually("the native cancel", async || {
            (!room.wire("alpha").received("turn/interrupt").is_empty()).then_some(())
        });
        tokio::select! { _ = cancel => panic!("the agent ignores cancels"), () = seen => {} }
    }
    room.kill().await;
    room.start_again().await;
    let end = room.end(&turn).await;
    assert!(
        ["turn.interrupted", "turn.cancelled"].contains(&end.kind()),
        "{}",
        end.raw
    );
    assert_eq!(room.wire("alpha").times_prompted("{{hang hard}}"), 1);
    assert_eq!(room.ask("agent:alpha", "next").await, "echo: next");
}

#[tokio::test]
async fn turn_05_what_was_terminal_stays_as_it_was() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    let mut turns = Vec::new();
    for script in ["fine", "{{fail}}", "{{crash}}"] {
        let turn = room.say("agent:alpha", script).await;
        room.end(&turn).await;
        turns.push(turn);
    }
    let lives: Vec<Vec<String>> = turns.iter().map(|turn| room.life_types(turn)).collect();
    room.kill().await;
    room.start_again().await;
    for (turn, before) in turns.iter().zip(&lives) {
        room.end(turn).await;
        assert_eq!(&room.life_types(turn), before);
    }
    room.ask("agent:alpha", "next").await;
    let events = room.events().so_far();
    let ends = events
        .iter()
        .filter(|event| TERMINAL.contains(&event.kind()));
    assert_eq!(ends.count(), turns.len() + 1);
}

#[tokio::test]
async fn turn_03_everything_accepted_before_a_kill_is_there_after_it() {
    let mut room = Room::open(Plan::fakes(&["alpha"]).set("limits.queuePerAgent", 1_000)).await;
    let busy = room.say("agent:alpha", "{{hang}}").await;
    room.reached(&busy, "turn.started").await;
    let mut queued = Vec::new();
    for number in 0..50 {
        queued.push(room.say("agent:alpha", &format!("number {number}")).await);
    }
    room.kill().await;
    room.start_again().await;
    for (number, turn) in queued.iter().enumerate() {
        assert_eq!(room.answer(turn).await, format!("echo: number {number}"));
    }
    assert_eq!(room.end(&busy).await.kind(), "turn.interrupted");
}

#[tokio::test]
async fn turn_04_a_prompt_on_the_wire_is_already_on_the_disk() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    room.ask("agent:alpha", "warm up").await;
    for round in 0..5 {
        let turn = room
            .say("agent:alpha", &format!("{{{{deaf}}}} round {round}"))
            .await;
        crate::room::eventually("the agent read the prompt", async || {
            (room.wire("alpha").times_prompted(&format!("round {round}")) == 1).then_some(())
        })
        .await;
        room.kill().await;
        let store = room.store();
        let query = "SELECT dispatch_phase FROM turn_attempts WHERE turn_id = ?1";
        let phase = store.text(query, [&turn]);
        assert_ne!(phase, "prepared", "round {round}");
        let query = "SELECT delivery_certainty FROM turn_attempts WHERE turn_id = ?1";
        assert_ne!(store.text(query, [&turn]), "not_delivered", "round {round}");
        room.start_again().await;
        assert_eq!(room.end(&turn).await.kind(), "turn.interrupted");
        assert_eq!(
            room.wire("alpha").times_prompted(&format!("round {round}")),
            1
        );
    }
}

#[tokio::test]
async fn turn_13_a_stored_direct_turn_is_readable_and_never_run() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    let running = room.say("agent:alpha", "{{hang}}").await;
    room.reached(&running, "turn.started").await;
    let old = room.say("agent:alpha", "from another age").await;
    let new = room.say("agent:alpha", "of today").await;
    room.kill().await;
    rusqlite::Connection::open(room.database())
        .unwrap()
        .execute(
            "UPDATE turns SET transport = 'direct' WHERE turn_id = ?1",
            [&old],
        )
        .unwrap();
    room.start_again().await;

    let end = room.end(&old).await;
    assert_eq!((end.kind(), end.actor()), ("turn.failed", "system:groupx"));
    assert_eq!(end.body()["errorCode"], "TRANSPORT_MODE_MISMATCH");
    assert_eq!(room.answer(&new).await, "echo: of today");
    assert_eq!(room.wire("alpha").times_prompted("from another age"), 0);
}
