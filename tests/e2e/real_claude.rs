//! The real Claude Code, pinned, with a scripted model behind it.

use rustix::process::{Pid, Signal, kill_process};

use crate::real_cli::{
    a_model_error_fails_the_turn_and_the_next_works, goes_on_after_groupx_was_killed,
    is_cancelled_in_text_and_in_a_tool_and_goes_on, publishes_through_our_endpoint,
    rides_out_a_failing_model, thinks_uses_a_tool_and_answers,
};
use crate::room::{CLAUDE, Plan, RealRoom};

#[tokio::test]
async fn drv_03_claude_thinks_uses_a_tool_and_answers() {
    thinks_uses_a_tool_and_answers(&CLAUDE).await;
}

#[tokio::test]
async fn mcp_02_claude_publishes_through_our_endpoint() {
    publishes_through_our_endpoint(&CLAUDE).await;
}

#[tokio::test]
async fn turn_08_claude_is_cancelled_in_text_and_in_a_tool_and_goes_on() {
    is_cancelled_in_text_and_in_a_tool_and_goes_on(&CLAUDE, 0).await;
}

#[tokio::test]
async fn turn_06_claude_goes_on_after_groupx_was_killed() {
    goes_on_after_groupx_was_killed(&CLAUDE).await;
}

#[tokio::test]
async fn drv_03_a_model_error_of_claude_fails_the_turn_and_the_next_works() {
    let reasons = ["the model refuses this", "Failed to authenticate"];
    a_model_error_fails_the_turn_and_the_next_works(&CLAUDE, reasons).await;
}

#[tokio::test]
async fn drv_03_claude_rides_out_a_failing_model() {
    rides_out_a_failing_model(&CLAUDE).await;
}

#[tokio::test]
async fn drv_03_claude_tells_that_it_tries_again_and_then_why_it_failed() {
    let real = RealRoom::of(&CLAUDE).await;
    let turn = real.say("MOCK:error 500 boom").await;
    let progress = real.room.reached(&turn, "turn.progress").await;
    let words = progress.body()["text"].as_str().unwrap_or_default();
    assert!(words.contains("tries again (1 of 1)"), "{}", progress.raw);
    let end = real.room.end(&turn).await;
    assert_eq!(end.kind(), "turn.failed");
    let message = end.body()["message"].as_str().unwrap();
    assert!(message.contains("API Error: 500"), "{}", end.raw);
    let life = real.room.life_types(&turn);
    let said = life.iter().any(|kind| kind == "message.created");
    assert!(!said, "an error is no answer: {life:?}");
}

/// Claude asks again without a stream, so what the broken stream said is taken back.
#[tokio::test]
async fn drv_03_claude_says_an_answer_once_although_its_stream_was_cut() {
    let real = RealRoom::of(&CLAUDE).await;
    let turn = real.say("MOCK:text said once\nMOCK:drop").await;
    assert_eq!(real.room.answer(&turn).await, "said once");
    assert_eq!(real.room.live_text(&turn), "said once");
}

#[tokio::test]
async fn turn_10_claude_goes_on_after_its_own_death() {
    let mut real = RealRoom::of(&CLAUDE).await;
    assert_eq!(
        real.ask("the code word is heron\nMOCK:text noted").await,
        "noted"
    );
    let running = real.say("MOCK:slow 60 50").await;
    real.room.reached(&running, "turn.content.delta").await;
    for (id, line) in real.room.groupx().family() {
        if line.contains("stream-json") {
            let id = i32::try_from(id).ok().and_then(Pid::from_raw);
            kill_process(id.unwrap(), Signal::KILL).unwrap();
        }
    }
    assert_eq!(real.room.end(&running).await.kind(), "turn.interrupted");
    assert_eq!(real.ask("MOCK:text still here").await, "still here");
    assert!(
        real.last_request().contains("the code word is heron"),
        "native history is kept"
    );
}

#[tokio::test]
async fn life_03_a_claude_that_was_never_prompted_starts_anew_after_a_restart_of_the_room() {
    let mut real = RealRoom::of(&CLAUDE).await;
    real.room.stop().await;
    real.room.start_again().await;
    assert_eq!(real.ask("MOCK:text first").await, "first");
    let events = real.room.events().so_far();
    let resumed = events.iter().any(|event| event.kind() == "session.resumed");
    assert!(!resumed, "there was nothing to resume");
}

/// A session that Claude lost is noticed, and the room goes on in a new one.
#[tokio::test]
async fn env_05_a_session_that_claude_lost_is_replaced_by_a_new_one() {
    let mut real = RealRoom::of(&CLAUDE).await;
    assert_eq!(real.ask("MOCK:text noted").await, "noted");
    real.room.stop().await;
    std::fs::remove_dir_all(real.home().join("projects")).unwrap();
    real.room.start_again().await;
    assert_eq!(real.ask("MOCK:text anew").await, "anew");
    real.room
        .events()
        .one("the new session", |event| {
            event.kind() == "session.ready"
                && event.body()["continuity"] == "new_session_after_resume_failure"
        })
        .await;
}

#[tokio::test]
async fn int_02_a_policy_that_forbids_the_unrestricted_mode_is_told_as_one() {
    let policy = r#"{"permissions":{"disableBypassPermissionsMode":"disable"}}"#;
    let real = RealRoom::of(&CLAUDE.configured(policy)).await;
    let health = real.room.get("/api/health").await.body;
    let agent = &health["agents"][0];
    assert_eq!(agent["status"], "native_policy_blocked", "{health}");
    assert!(
        agent.to_string().contains("disabled by settings"),
        "{health}"
    );
}

#[tokio::test]
async fn drv_07_claude_is_not_talked_into_working_as_root() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    // What the other stories need is undone here.
    let plan = Plan::empty().env("IS_SANDBOX", "");
    let real = RealRoom::planned(&CLAUDE, plan).await;
    let health = real.room.get("/api/health").await.body;
    assert!(
        health.to_string().contains("set IS_SANDBOX=1"),
        "the failure comes with advice: {health}"
    );
}
