//! The real Codex CLI, pinned, with a scripted model behind it: the whole path of issue and answer
//! with nothing of ours at the far end.

use serde_json::json;

use crate::room::{CODEX, RealRoom};

const AGENT: &str = "agent:codex";

#[tokio::test]
async fn drv_03_codex_thinks_uses_a_tool_and_answers() {
    let real = RealRoom::of(&CODEX).await;
    let script = "MOCK:reason I should look first\n\
                  MOCK:text Looking.\n\
                  MOCK:shell echo made > made.txt && cat made.txt\n\
                  MOCK:text It says made.";
    let turn = real.say(script).await;
    let answer = real.room.answer(&turn).await;
    assert!(answer.ends_with("It says made."), "{answer}");
    assert!(real.room.agent_folder("codex").join("made.txt").exists());

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
    let reasoning = life[3].body()["content"].as_str().unwrap();
    assert_eq!(
        reasoning.matches("I should look first").count(),
        1,
        "{reasoning}"
    );
    assert_eq!(life[4].body()["nativeType"], "tool.started");
    assert_eq!(life[5].body()["nativeType"], "tool.completed");
    assert_eq!(life[5].body()["details"]["itemType"], "commandExecution");
    let usage = &life[7].body()["usage"];
    assert!(
        usage["inputTokens"].as_u64().unwrap() > 2_000,
        "two requests: {usage}"
    );
    assert_eq!(real.room.live_text(&turn), answer);
}

#[tokio::test]
async fn mcp_02_codex_publishes_through_our_endpoint() {
    let real = RealRoom::of(&CODEX).await;
    let bootstrap = real.room.get("/api/bootstrap").await.body;
    assert_eq!(bootstrap["agents"][0]["tools"], "attached", "{bootstrap}");

    let script = "MOCK:tool publish {\"content\":\"a public word\",\"clientCommandId\":\"pub-1\"}\n\
                  MOCK:tool read {}";
    let turn = real.say(script).await;
    let reading = real.room.answer(&turn).await;
    assert!(reading.contains("a public word"), "{reading}");
    let word = real
        .room
        .events()
        .one("the published message", |event| {
            event.body()["content"] == "a public word"
        })
        .await;
    assert_eq!((word.kind(), word.actor()), ("message.created", AGENT));
    assert_eq!(word.raw["provenance"]["sourceKind"], "mcp");
    let queued = real.room.events().so_far();
    let queued = queued.iter().filter(|event| event.kind() == "turn.queued");
    assert_eq!(queued.count(), 1, "publishing wakes nobody");
    let tools = real.room.life(&turn);
    let tool = tools
        .iter()
        .find(|event| event.kind() == "tool.progress.recorded")
        .unwrap();
    assert_eq!(tool.body()["details"]["itemType"], "mcpToolCall");
    assert_eq!(tool.body()["details"]["server"], "groupx");
    assert_eq!(tool.body()["details"]["tool"], "publish");
}

#[tokio::test]
async fn turn_08_codex_is_cancelled_in_text_and_in_a_tool_and_goes_on() {
    let mut real = RealRoom::of(&CODEX).await;
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

    real.room.stop().await;
    real.room.groupx().nothing_left().await;
}

#[tokio::test]
async fn turn_06_codex_goes_on_after_groupx_was_killed() {
    let mut real = RealRoom::of(&CODEX).await;
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
    assert!(
        real.last_request().contains("the code word is heron"),
        "native history is kept"
    );
}

#[tokio::test]
async fn env_05_codex_is_resumed_after_a_restart_of_the_room() {
    let mut real = RealRoom::of(&CODEX).await;
    assert_eq!(
        real.ask("the code word is heron\nMOCK:text noted").await,
        "noted"
    );
    real.room.stop().await;
    real.room.start_again().await;
    real.room
        .events()
        .one("the resumed session", |event| {
            event.kind() == "session.resumed"
        })
        .await;
    assert_eq!(real.ask("MOCK:text still here").await, "still here");
    let request = real.last_request();
    assert!(
        request.contains("the code word is heron"),
        "native history is kept"
    );
    assert!(request.contains("MOCK:text still here"));
}

#[tokio::test]
async fn drv_03_a_model_error_fails_the_turn_with_its_reason_and_the_next_works() {
    let real = RealRoom::of(&CODEX).await;
    let turn = real.say("MOCK:error 400 the model refuses this").await;
    let end = real.room.end(&turn).await;
    assert_eq!(end.kind(), "turn.failed");
    assert_eq!(end.body()["errorCode"], "NATIVE_TURN_FAILED");
    assert!(
        end.body()["message"]
            .as_str()
            .unwrap()
            .contains("the model refuses this"),
        "{}",
        end.raw
    );
    let overloaded = real.say("MOCK:sseerror server_is_overloaded").await;
    assert_eq!(real.room.end(&overloaded).await.kind(), "turn.failed");
    assert_eq!(real.ask("MOCK:text fine again").await, "fine again");
    assert_eq!(
        real.room.get("/api/bootstrap").await.body["activeTurns"],
        json!([])
    );
}
