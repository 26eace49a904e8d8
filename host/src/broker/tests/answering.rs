//! A Turn from the message to the answer.

use super::stage::{Stage, completed, started};
use crate::protocol::{ErrorCode, TurnStatus};
use crate::session::{Interaction, SessionEvent, TurnEnd};

#[tokio::test]
async fn turn_02_one_prompt_at_a_time_and_in_the_order_of_the_messages() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let mut said = Vec::new();
    for content in ["first", "second", "third"] {
        said.push(stage.say(content).await);
    }
    for (at, turn) in said.iter().enumerate() {
        let (prompted, text) = session.is_prompted().await;
        assert_eq!(prompted, *turn, "{text}");
        assert!(session.is_left_alone(), "one prompt in flight");
        if let Some(next) = said.get(at + 1) {
            assert_eq!(stage.status(next).await, TurnStatus::Queued);
        }
        session.says(vec![started(), completed("done")]).await;
        stage.end(turn).await;
    }
}

#[tokio::test]
async fn turn_04_the_disk_knows_of_a_prompt_before_the_session_does() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    stage.say("hello").await;
    let (turn, _) = session.is_prompted().await;
    let query =
        "SELECT dispatch_phase || ' ' || delivery_certainty FROM turn_attempts WHERE turn_id = ?1";
    assert_eq!(stage.stored(query, &turn), "prompt_invoked unknown");
    session.says(vec![started(), completed("hi")]).await;
    stage.end(&turn).await;
    assert_eq!(stage.stored(query, &turn), "terminal delivered");
}

#[tokio::test]
async fn turn_14_a_turn_is_shown_as_started_even_if_the_agent_only_answers() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("hello").await;
    session.is_prompted().await;
    session.says(vec![completed("hi")]).await;
    assert_eq!(stage.end(&turn).await["type"], "turn.completed");
    assert_eq!(
        stage.life(&turn).await,
        [
            "turn.queued",
            "turn.dispatched",
            "turn.started",
            "message.created",
            "turn.completed"
        ]
    );
}

#[tokio::test]
async fn int_01_a_refused_interaction_weighs_more_than_a_completed_answer() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("rm -rf").await;
    session.is_prompted().await;
    let asked = SessionEvent::Interaction(Interaction {
        kind: "command-approval".into(),
        native: "item/approve".into(),
    });
    session
        .says(vec![started(), asked, completed("did it")])
        .await;
    let end = stage.end(&turn).await;
    assert_eq!(end["type"], "turn.failed");
    assert_eq!(end["body"]["errorCode"], "UNEXPECTED_NATIVE_INTERACTION");
    assert_eq!(end["body"]["interaction"]["kind"], "command-approval");
    assert!(!stage.life(&turn).await.contains(&"message.created".into()));

    let next = stage.say("and now?").await;
    session.answers("fine").await;
    assert_eq!(stage.end(&next).await["type"], "turn.completed");
}

#[tokio::test]
async fn an_empty_answer_is_a_failure_and_says_so() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("hello?").await;
    session.is_prompted().await;
    let end = SessionEvent::TurnEnded(TurnEnd::Completed { final_text: None });
    session.says(vec![started(), end]).await;
    let end = stage.end(&turn).await;
    assert_eq!(end["body"]["errorCode"], "NATIVE_TURN_FAILED");
    let message = end["body"]["message"].as_str().unwrap();
    assert!(message.contains("empty answer"), "{message}");
}

#[tokio::test]
async fn turn_12_silence_leaves_it_open_whether_the_prompt_arrived() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("anybody there?").await;
    session.is_prompted().await;
    let end = TurnEnd::Failed {
        code: ErrorCode::TurnFirstEventTimeout,
        message: "Not a word.".into(),
    };
    session.says(vec![SessionEvent::TurnEnded(end)]).await;
    let end = stage.end(&turn).await;
    assert_eq!(end["body"]["errorCode"], "TURN_FIRST_EVENT_TIMEOUT");
    assert!(stage.life(&turn).await.contains(&"turn.started".into()));
    let query = "SELECT delivery_certainty FROM turn_attempts WHERE turn_id = ?1";
    assert_eq!(stage.stored(query, &turn), "unknown");

    // So the agent is told again what it may have missed.
    stage.say("hello?").await;
    let (_, text) = session.is_prompted().await;
    assert!(text.contains("anybody there?"), "{text}");
}

#[tokio::test]
async fn what_a_session_says_outside_a_turn_changes_nothing() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("hello").await;
    session.answers("hi").await;
    stage.end(&turn).await;
    let before = stage.life(&turn).await;
    session.says(vec![started(), completed("once more")]).await;
    let next = stage.say("and?").await;
    session.answers("well").await;
    stage.end(&next).await;
    assert_eq!(stage.life(&turn).await, before);
}
