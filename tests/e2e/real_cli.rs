//! Stories that are the same for every real CLI, whatever it speaks. Each CLI's own module tells them
//! of it, and what is its own beside.

use serde_json::{Value, json};

use crate::room::{RealCli, RealRoom, eventually};

/// Thinking, the CLI's own shell, an answer in two messages.
pub(crate) async fn thinks_uses_a_tool_and_answers(cli: &RealCli) {
    let real = RealRoom::of(cli).await;
    let script = "MOCK:reason I should look first\n\
                  MOCK:text Looking.\n\
                  MOCK:shell echo made > made.txt && cat made.txt\n\
                  MOCK:text It says made.";
    let turn = real.say(script).await;
    let answer = real.room.answer(&turn).await;
    assert_eq!(answer, "Looking.\n\nIt says made.");
    let made = real.room.agent_folder(cli.name).join("made.txt");
    assert_eq!(std::fs::read_to_string(made).unwrap(), "made\n");

    let life = real.room.life(&turn);
    let types: Vec<&str> = life.iter().map(|event| event.kind()).collect();
    assert_eq!(
        types,
        [
            "turn.queued",
            "turn.dispatched",
            "turn.started",
            "turn.reasoning.recorded",
            "tool.progress.recorded",
            "tool.progress.recorded",
            "message.created",
            "turn.completed"
        ]
    );
    assert_eq!(life[3].body()["content"], "I should look first");
    let tool = &life[5].body()["details"];
    assert_eq!(
        (&tool["status"], &tool["kind"]),
        (&json!("completed"), &json!("execute"))
    );
    assert!(tool["content"].to_string().contains("made"), "{tool}");
    assert_eq!(real.room.live_text(&turn), answer);
}

/// A call at our endpoint, under the binding of the session that makes it.
pub(crate) async fn publishes_through_our_endpoint(cli: &RealCli) {
    let real = RealRoom::of(cli).await;
    let script = "MOCK:tool groupx__publish {\"content\":\"a public word\",\"clientCommandId\":\"pub-1\"}\n\
                  MOCK:text published";
    let turn = real.say(script).await;
    assert_eq!(real.room.answer(&turn).await, "published");
    let word = real
        .room
        .events()
        .one("the published message", |event| {
            event.body()["content"] == "a public word"
        })
        .await;
    assert_eq!(
        (word.kind(), word.actor()),
        ("message.created", real.agent.as_str())
    );
    assert_eq!(word.raw["provenance"]["sourceKind"], "mcp");
    let tools = real.room.life(&turn);
    let tool = tools
        .iter()
        .find(|event| {
            event.kind() == "tool.progress.recorded"
                && event.body()["nativeType"] == "tool.completed"
        })
        .unwrap();
    assert_eq!(tool.body()["details"]["kind"], "mcp", "{}", tool.raw);
    let bootstrap = real.room.get("/api/bootstrap").await.body;
    assert_eq!(bootstrap["agents"][0]["tools"], "attached", "{bootstrap}");
}

/// Stop while it talks and while its shell runs; it takes the next message each time, in a process of
/// its own `restarts` times.
pub(crate) async fn is_cancelled_in_text_and_in_a_tool_and_goes_on(cli: &RealCli, restarts: usize) {
    let mut real = RealRoom::of(cli).await;
    let talking = real.say("MOCK:slow 60 50").await;
    real.room.reached(&talking, "turn.content.delta").await;
    real.room.cancel(&talking).await;
    assert_eq!(real.room.end(&talking).await.kind(), "turn.cancelled");
    assert_eq!(real.ask("MOCK:text second").await, "second");

    let working = real.say("MOCK:shell sleep 300").await;
    real.room.reached(&working, "tool.progress").await;
    real.room.cancel(&working).await;
    assert_eq!(real.room.end(&working).await.kind(), "turn.cancelled");
    assert_eq!(real.ask("MOCK:text third").await, "third");
    let resumed = real.room.events().so_far();
    let resumed = resumed
        .iter()
        .filter(|event| event.kind() == "session.resumed");
    assert_eq!(resumed.count(), restarts);
    eventually("the stopped shell is gone", async || {
        let family = real.room.groupx().family();
        let sleeps = family.iter().any(|(_, line)| line.contains("sleep 300"));
        (!sleeps).then_some(())
    })
    .await;

    real.room.stop().await;
    real.room.groupx().nothing_left().await;
}

/// GroupX dies in the middle of a Turn: that one is over, the next one runs, the CLI still knows all.
pub(crate) async fn goes_on_after_groupx_was_killed(cli: &RealCli) {
    let mut real = RealRoom::of(cli).await;
    assert_eq!(
        real.ask("the code word is heron\nMOCK:text noted").await,
        "noted"
    );
    let running = real.say("MOCK:slow 60 50").await;
    real.room.reached(&running, "turn.content.delta").await;
    let queued = real.say("MOCK:text after the kill").await;
    real.room.kill().await;
    real.room.groupx().nothing_left().await;
    real.room.start_again().await;

    assert_eq!(real.room.end(&running).await.kind(), "turn.interrupted");
    assert_eq!(real.room.answer(&queued).await, "after the kill");
    assert_eq!(
        real.asked("MOCK:slow 60 50"),
        1,
        "the interrupted prompt was sent once"
    );
    real.room
        .events()
        .one("the resumed session", |event| {
            event.kind() == "session.resumed"
        })
        .await;
    assert!(
        real.last_request().contains("the code word is heron"),
        "native history is kept"
    );
}

/// What the model refuses fails the Turn with a reason; the next one works.
pub(crate) async fn a_model_error_fails_the_turn_and_the_next_works(
    cli: &RealCli,
    reasons: [&str; 2],
) {
    let real = RealRoom::of(cli).await;
    for (script, reason) in [
        "MOCK:error 400 the model refuses this",
        "MOCK:error 401 bad key",
    ]
    .iter()
    .zip(reasons)
    {
        let turn = real.say(script).await;
        let end = real.room.end(&turn).await;
        assert_eq!(end.kind(), "turn.failed");
        assert_eq!(end.body()["errorCode"], "NATIVE_TURN_FAILED");
        let message = end.body()["message"].as_str().unwrap();
        assert!(message.contains(reason), "{}", end.raw);
    }
    assert_eq!(real.ask("MOCK:text fine again").await, "fine again");
    assert_eq!(
        real.room.get("/api/bootstrap").await.body["activeTurns"],
        Value::Array(vec![])
    );
}

/// A model that fails once is asked again by the CLI itself.
pub(crate) async fn rides_out_a_failing_model(cli: &RealCli) {
    let real = RealRoom::of(cli).await;
    let turn = real.say("MOCK:error 500 x1 boom\nMOCK:text better").await;
    assert_eq!(real.room.answer(&turn).await, "better");
    let ends = real.room.life_types(&turn);
    assert_eq!(ends.last().map(String::as_str), Some("turn.completed"));
}
