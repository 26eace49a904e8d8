//! Sessions that do not start: three attempts a round, and a round for whoever asks again.

use super::stage::{Stage, completed, exit, failure, started};
use crate::protocol::ErrorCode;
use crate::protocol::reply::AgentStatus;
use crate::session::EndCause;

async fn fail_a_round(stage: &Stage) {
    for _ in 0..3 {
        let session = stage.session().await;
        session.ends(failure(ErrorCode::AdapterStartFailed)).await;
    }
}

#[tokio::test]
async fn turn_01_three_failed_starts_fail_what_waits() {
    let stage = Stage::open().await;
    let turns = [stage.say("one").await, stage.say("two").await];
    fail_a_round(&stage).await;
    for turn in &turns {
        let end = stage.end(turn).await;
        assert_eq!(end["type"], "turn.failed");
        assert_eq!(end["body"]["errorCode"], "ADAPTER_START_FAILED");
        let message = end["body"]["message"].as_str().unwrap();
        assert!(message.contains("It did not work."), "{message}");
        assert_eq!(stage.life(turn).await, ["turn.queued", "turn.failed"]);
    }
    stage.broker.settled().await;
    let health = stage.broker.health();
    assert_eq!(health.agents[0].status, AgentStatus::Failed);
    assert!(stage.nothing_opened().await);

    // Whoever asks again begins a new round.
    let turn = stage.say("three").await;
    let mut session = stage.ready_session("one").await;
    assert_eq!(session.answers("here").await, turn);
    assert_eq!(stage.end(&turn).await["type"], "turn.completed");
    assert_eq!(stage.broker.health().agents[0].status, AgentStatus::Ready);
}

#[tokio::test]
async fn a_start_that_cannot_help_itself_is_not_repeated() {
    let stage = Stage::open().await;
    let turn = stage.say("one").await;
    let session = stage.session().await;
    let hopeless = EndCause::Failed {
        code: ErrorCode::AdapterNotFound,
        message: "Install it first.".into(),
        retry: false,
        last_words: Some("a secret path".into()),
    };
    session.ends(hopeless).await;
    let end = stage.end(&turn).await;
    assert_eq!(end["body"]["errorCode"], "ADAPTER_NOT_FOUND");
    assert!(!end.to_string().contains("a secret path"), "{end}");
    assert!(stage.nothing_opened().await);
    let told = stage.broker.health().agents[0].last_error.clone().unwrap();
    assert!(told.contains("a secret path"), "{told}");
}

#[tokio::test]
async fn a_restart_by_the_user_begins_a_round_too_and_says_when_it_fails() {
    let stage = Stage::open().await;
    fail_a_round(&stage).await;
    stage.broker.settled().await;
    let (answer, ()) = tokio::join!(stage.restart(), fail_a_round(&stage));
    assert_eq!(answer.unwrap_err().code, ErrorCode::SessionNotAvailable);
    let (answer, mut session) = tokio::join!(stage.restart(), stage.ready_session("one"));
    assert!(answer.unwrap().accepted);
    let turn = stage.say("hello").await;
    session.answers("hi").await;
    assert_eq!(stage.end(&turn).await["type"], "turn.completed");
}

#[tokio::test]
async fn a_native_session_that_never_comes_back_is_given_up_for_a_new_one() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("remember me").await;
    session.answers("I do").await;
    stage.end(&turn).await;
    session.ends(exit()).await;
    for _ in 0..3 {
        let session = stage.session().await;
        assert_eq!(session.request.resume.as_deref(), Some("one"));
        session.ends(failure(ErrorCode::AdapterStartFailed)).await;
    }
    let mut fresh = stage.session().await;
    assert_eq!(fresh.request.resume, None);
    fresh.is_ready("two").await;
    let turn = stage.say("who am I?").await;
    let (_, text) = fresh.is_prompted().await;
    assert!(text.contains("remember me"), "{text}");
    fresh.says(vec![started(), completed("no idea")]).await;
    stage.end(&turn).await;

    fresh.ends(exit()).await;
    let next = stage.session().await;
    assert_eq!(next.request.resume.as_deref(), Some("two"));
}
