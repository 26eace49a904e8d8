//! Sessions that end: what becomes of their Turn, of the queue, and of what the agent knew.

use super::stage::{Stage, completed, exit, failure, started};
use crate::protocol::ErrorCode;
use crate::session::{EndCause, SessionCommand, SessionEvent, SessionFacts};

#[tokio::test]
async fn turn_10_a_lost_process_interrupts_its_turn_and_the_queue_goes_on() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let lost = stage.say("first").await;
    let waiting = stage.say("second").await;
    session.is_prompted().await;
    let words = SessionEvent::Content {
        item: "a".into(),
        text: "half an answer".into(),
    };
    session
        .says(vec![started(), words, SessionEvent::Ended(exit())])
        .await;
    let end = stage.end(&lost).await;
    assert_eq!(end["type"], "turn.interrupted");
    assert!(!stage.life(&lost).await.contains(&"message.created".into()));
    let query = "SELECT partial_text FROM turns WHERE turn_id = ?1";
    assert_eq!(stage.stored(query, &lost), "half an answer");

    let mut next = stage.session().await;
    assert_eq!(next.request.resume.as_deref(), Some("one"));
    next.is_ready("one").await;
    assert_eq!(
        next.answers("and on").await,
        waiting,
        "nothing is sent again"
    );
    assert_eq!(stage.end(&waiting).await["type"], "turn.completed");
}

#[tokio::test]
async fn a_session_lost_before_its_prompt_leaves_the_turn_to_the_next_one_once() {
    let stage = Stage::open().await;
    let session = stage.session().await;
    let turn = stage.say("hello").await;
    // Ready and gone in one breath: the Turn was never claimed.
    let ready = SessionEvent::Ready(SessionFacts::default());
    session.says(vec![ready, SessionEvent::Ended(exit())]).await;
    let mut next = stage.session().await;
    assert_eq!(next.request.resume, None, "nothing to go on with");
    next.is_ready("two").await;
    assert_eq!(next.answers("hi").await, turn);
    stage.end(&turn).await;
    let life = stage.life(&turn).await;
    assert_eq!(
        life.iter()
            .filter(|kind| *kind == "turn.dispatched")
            .count(),
        1
    );
    assert!(next.is_left_alone());
}

#[tokio::test]
async fn turn_11_a_broken_protocol_fails_its_turn_and_one_new_session_is_enough() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let broken = stage.say("first").await;
    session.is_prompted().await;
    session.says(vec![started()]).await;
    session
        .ends(failure(ErrorCode::ProtocolInvalidMessage))
        .await;
    let end = stage.end(&broken).await;
    assert_eq!(end["type"], "turn.failed");
    assert_eq!(end["body"]["errorCode"], "PROTOCOL_INVALID_MESSAGE");
    let mut next = stage.ready_session("one").await;
    let turn = stage.say("second").await;
    assert_eq!(next.answers("fine").await, turn);
    stage.end(&turn).await;
    assert!(stage.nothing_opened().await);
}

#[tokio::test]
async fn env_05_a_lost_native_session_is_told_and_the_agent_hears_the_room_again() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("the code word is heron").await;
    session.answers("noted").await;
    stage.end(&turn).await;
    session.ends(exit()).await;

    let next = stage.session().await;
    assert_eq!(next.request.resume.as_deref(), Some("one"));
    let facts = SessionFacts {
        native_session_id: Some("two".into()),
        lost: Some("The old session is gone.".into()),
        ..SessionFacts::default()
    };
    next.says(vec![SessionEvent::Ready(facts)]).await;
    let mut next = next;
    stage.say("what is it?").await;
    let (_, text) = next.is_prompted().await;
    assert!(text.contains("the code word is heron"), "{text}");
    assert!(text.contains("noted"), "its own answers too: {text}");
    let told = stage
        .event(|event| event["body"]["continuity"] == "new_session_after_resume_failure")
        .await;
    assert_eq!(told["type"], "session.ready");
    assert_eq!(told["body"]["message"], "The old session is gone.");
}

#[tokio::test]
async fn env_05_a_resumed_session_is_not_told_what_it_knows() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("the code word is heron").await;
    session.answers("noted").await;
    stage.end(&turn).await;
    session.ends(exit()).await;
    let mut next = stage.ready_session("one").await;
    stage.say("what is it?").await;
    let (_, text) = next.is_prompted().await;
    assert!(!text.contains("heron"), "{text}");
    stage
        .event(|event| event["type"] == "session.resumed")
        .await;
}

#[tokio::test]
async fn a_session_that_wants_to_be_replaced_is_replaced_without_a_word_of_failure() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("hello").await;
    session.answers("hi").await;
    stage.end(&turn).await;
    session.ends(EndCause::Replace).await;
    let mut next = stage.session().await;
    assert_eq!(next.request.resume.as_deref(), Some("one"));
    next.is_ready("one").await;
    let turn = stage.say("still there?").await;
    next.answers("yes").await;
    stage.end(&turn).await;
    let events = stage.broker.bootstrap().await.unwrap().recent_events;
    let failed = events
        .iter()
        .filter(|event| event.kind.as_str() == "session.failed");
    assert_eq!(failed.count(), 0);
}

#[tokio::test]
async fn closing_the_room_ends_the_turn_under_way_and_keeps_the_queue() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let busy = stage.say("long").await;
    let waiting = stage.say("later").await;
    session.is_prompted().await;
    session.says(vec![started()]).await;
    stage.event(|event| event["type"] == "turn.started").await;
    let agent = async {
        assert_eq!(session.is_told().await, SessionCommand::Close);
        session.ends(EndCause::Closed).await;
    };
    tokio::join!(stage.broker.close(), agent);
    assert_eq!(stage.end(&busy).await["type"], "turn.interrupted");
    assert_eq!(stage.life(&waiting).await, ["turn.queued"]);
    assert!(stage.try_say("too late").await.is_err());
}

#[tokio::test]
async fn a_restart_ends_the_turn_under_way_and_is_answered_when_the_new_session_is_ready() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let busy = stage.say("long").await;
    session.is_prompted().await;
    session.says(vec![started()]).await;
    let agent = async {
        assert_eq!(session.is_told().await, SessionCommand::Close);
        // The last words of a session that is leaving count for nothing more than they say.
        session.says(vec![completed("just in time")]).await;
        session.ends(EndCause::Closed).await;
        stage.ready_session("one").await
    };
    let (answer, mut next) = tokio::join!(stage.restart(), agent);
    assert!(answer.unwrap().accepted);
    assert_eq!(stage.end(&busy).await["type"], "turn.completed");
    let turn = stage.say("again").await;
    next.answers("here").await;
    assert_eq!(stage.end(&turn).await["type"], "turn.completed");
}
