//! A Turn that goes well: what is streamed, what is kept, and in which order.

use serde_json::Value;

use crate::room::{Plan, Room};

#[tokio::test]
async fn turn_05_an_answer_is_kept_before_its_terminal_event() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let sent = room.send(&["agent:alpha"], "hello there").await;
    assert_eq!(room.answer(sent.turn()).await, "echo: hello there");

    let life = room.life(sent.turn());
    let types: Vec<&str> = life.iter().map(|event| event.kind()).collect();
    assert_eq!(
        types,
        [
            "turn.queued",
            "turn.dispatched",
            "turn.started",
            "message.created",
            "turn.completed"
        ]
    );
    let [queued, dispatched, started, answer, completed] = &life[..] else {
        unreachable!("five events, as checked above");
    };
    assert_eq!(queued.raw["causationId"], sent.message.as_str());
    assert_eq!(queued.body()["sourceEventId"], sent.message.as_str());
    assert_eq!(queued.body()["targetActorId"], "agent:alpha");
    assert_eq!(queued.actor(), "system:groupx");
    assert_eq!(started.body()["attemptId"], dispatched.body()["attemptId"]);
    assert_eq!(completed.body()["responseEventId"], answer.event_id());
    for event in [started, answer, completed] {
        assert_eq!(event.actor(), "agent:alpha", "{}", event.raw);
    }
    for event in &life {
        assert_eq!(
            event.raw["correlationId"],
            sent.correlation.as_str(),
            "{}",
            event.raw
        );
    }
    assert_eq!(room.live_text(sent.turn()), "echo: hello there");
}

#[tokio::test]
async fn turn_05_reasoning_and_tools_come_before_the_answer() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let script = r#"{{reason text="because " n=3}}{{tool name=search n=2}}{{say text="done"}}"#;
    let turn = room.say("agent:alpha", script).await;
    assert_eq!(room.answer(&turn).await, "done");

    let types = room.life_types(&turn);
    assert_eq!(
        types[3..],
        [
            "turn.reasoning.recorded",
            "tool.progress.recorded",
            "tool.progress.recorded",
            "tool.progress.recorded",
            "tool.progress.recorded",
            "message.created",
            "turn.completed"
        ]
    );
    let life = room.life(&turn);
    let reasoning = &life[3];
    assert_eq!(reasoning.body()["content"], "because because because ");
    let tools = &life[4..8];
    let steps: Vec<(&Value, &Value)> = tools
        .iter()
        .map(|event| (&event.body()["nativeType"], &event.body()["toolCallId"]))
        .collect();
    assert!(
        steps[0].0 == "tool.started" && steps[1].0 == "tool.completed",
        "{steps:?}"
    );
    assert_eq!(
        steps[0].1, steps[1].1,
        "start and end of one call share its id"
    );
    assert_ne!(steps[1].1, steps[2].1, "two calls have two ids");
    for tool in tools {
        assert_eq!(tool.body()["details"]["tool"], "search", "{}", tool.raw);
    }
    let completed = &life[9];
    assert_eq!(completed.body()["reasoningEventId"], reasoning.event_id());
    let listed = completed.body()["toolProgressEventIds"].as_array().unwrap();
    let ids: Vec<&str> = tools.iter().map(|event| event.event_id()).collect();
    assert_eq!(listed, &ids);
}

#[tokio::test]
async fn turn_05_reasoning_and_tools_are_live_while_they_happen() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let turn = room
        .say(
            "agent:alpha",
            r#"{{reason text="hm"}}{{tool name=shell open}}{{hang}}"#,
        )
        .await;
    let thought = room.reached(&turn, "turn.reasoning.delta").await;
    assert_eq!(thought.body()["text"], "hm");
    let tool = room.reached(&turn, "tool.progress").await;
    assert_eq!(tool.body()["nativeType"], "tool.started");
    room.cancel(&turn).await;
    room.end(&turn).await;
}

#[tokio::test]
async fn turn_14_started_is_written_before_anything_else_of_the_turn() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    for script in [
        "{{fail}}",
        "{{crash}}",
        "{{malformed}}",
        "{{say text=fine}}",
    ] {
        let turn = room.say("agent:alpha", script).await;
        room.end(&turn).await;
        let types = room.life_types(&turn);
        assert_eq!(
            types[..3],
            ["turn.queued", "turn.dispatched", "turn.started"],
            "{script}"
        );
    }
}

#[tokio::test]
async fn turn_15_the_answer_is_all_messages_without_commentary() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let script = r#"{{say text="first"}}{{item phase=commentary}}{{say text="let me look"}}{{item}}{{say text="second"}}"#;
    assert_eq!(room.ask("agent:alpha", script).await, "first\n\nsecond");
}

#[tokio::test]
async fn a_burst_of_deltas_is_merged_and_nothing_of_it_lost() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let turn = room.say("agent:alpha", "{{deltas n=5000 size=8}}").await;
    let answer = room.answer(&turn).await;
    assert_eq!(answer, "abcdefgh".repeat(5_000));
    assert_eq!(room.live_text(&turn), answer);

    let events = room.events().so_far();
    let chunks: Vec<u64> = events
        .iter()
        .filter(|event| event.is_of(&turn, "turn.content.delta"))
        .map(|event| event.body()["chunkIndex"].as_u64().unwrap())
        .collect();
    assert!(
        chunks.is_sorted_by(|earlier, later| earlier < later),
        "{chunks:?}"
    );
}

#[tokio::test]
async fn a_native_failure_says_why_and_the_next_turn_works() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let turn = room
        .say(
            "agent:alpha",
            r#"{{say text="half"}}{{fail message="the model is overloaded"}}"#,
        )
        .await;
    let end = room.end(&turn).await;
    assert_eq!(end.kind(), "turn.failed");
    assert_eq!(end.body()["errorCode"], "NATIVE_TURN_FAILED");
    let message = end.body()["message"].as_str().unwrap();
    assert!(message.contains("the model is overloaded"), "{message}");
    assert!(
        !room
            .life_types(&turn)
            .contains(&"message.created".to_owned())
    );
    assert_eq!(room.ask("agent:alpha", "again").await, "echo: again");
    assert_eq!(room.wire("alpha").processes(), 1, "the session is usable");
}

#[tokio::test]
async fn an_empty_answer_is_a_failure_unless_a_tool_ran() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let empty = room.say("agent:alpha", "{{sleep ms=1}}").await;
    let end = room.end(&empty).await;
    assert_eq!(
        (end.kind(), &end.body()["errorCode"]),
        ("turn.failed", &"NATIVE_TURN_FAILED".into())
    );
    assert_eq!(room.ask("agent:alpha", "{{tool name=shell}}").await, "");
}

#[tokio::test]
async fn usage_is_of_this_turn_and_unknown_numbers_are_absent() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    for _ in 0..2 {
        let turn = room.say("agent:alpha", "count").await;
        let end = room.end(&turn).await;
        let usage = &end.body()["usage"];
        assert_eq!(
            (&usage["inputTokens"], &usage["outputTokens"]),
            (&1.into(), &1.into()),
            "{usage}"
        );
        assert_eq!(usage["contextWindow"], 200_000);
        assert!(usage.get("costUsd").is_none(), "{usage}");
    }
}
