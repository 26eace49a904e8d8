//! Cancels: of what waits, of what is worked on, and in a race with the answer.

use std::time::Duration;

use super::stage::{Stage, completed, started};
use crate::protocol::TurnStatus;
use crate::session::{SessionCommand, SessionEvent, TurnEnd};

fn cancelled() -> SessionEvent {
    SessionEvent::TurnEnded(TurnEnd::Cancelled { forced: None })
}

#[tokio::test]
async fn turn_08_a_cancel_goes_through_the_agent_and_leaves_the_session_usable() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("write a book").await;
    session.is_prompted().await;
    session.says(vec![started()]).await;
    let agent = async {
        let told = session.is_told().await;
        assert_eq!(told, SessionCommand::Cancel { turn: turn.clone() });
        assert_eq!(stage.status(&turn).await, TurnStatus::Cancelling);
        session.says(vec![cancelled()]).await;
        session
    };
    let (answer, mut session) = tokio::join!(stage.cancel(&turn), agent);
    assert_eq!(
        (answer.accepted, answer.status),
        (true, TurnStatus::Cancelled)
    );
    assert_eq!(stage.end(&turn).await["type"], "turn.cancelled");

    let next = stage.say("a haiku, then").await;
    session.answers("An old silent pond").await;
    assert_eq!(stage.end(&next).await["type"], "turn.completed");
    assert!(stage.nothing_opened().await);
}

#[tokio::test]
async fn turn_07_a_completion_that_beats_the_cancel_stays() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("quick").await;
    session.is_prompted().await;
    let agent = async {
        session.is_told().await;
        // It was done before it heard of the cancel.
        session
            .says(vec![started(), completed("done"), cancelled()])
            .await;
    };
    let (answer, ()) = tokio::join!(stage.cancel(&turn), agent);
    assert_eq!(answer.status, TurnStatus::Completed);
    let end = stage.end(&turn).await;
    assert_eq!(end["type"], "turn.completed");
    let life = stage.life(&turn).await;
    let ends = ["turn.completed", "turn.cancelled"];
    assert_eq!(
        life.iter()
            .filter(|kind| ends.contains(&kind.as_str()))
            .count(),
        1,
        "{life:?}"
    );
    let late = stage.cancel(&turn).await;
    assert_eq!((late.accepted, late.status), (false, TurnStatus::Completed));
}

#[tokio::test]
async fn turn_08_a_cancelled_waiting_turn_never_reaches_the_agent() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let busy = stage.say("long").await;
    session.is_prompted().await;
    let waiting = stage.say("never mind").await;
    let last = stage.say("but this").await;
    let answer = stage.cancel(&waiting).await;
    assert_eq!(
        (answer.accepted, answer.status),
        (true, TurnStatus::Cancelled)
    );
    assert_eq!(
        stage.life(&waiting).await,
        ["turn.queued", "turn.cancelled"]
    );
    session.says(vec![started(), completed("done")]).await;
    stage.end(&busy).await;
    let (prompted, _) = session.is_prompted().await;
    assert_eq!(prompted, last);
}

#[tokio::test]
async fn two_cancels_are_one_for_the_agent_and_both_are_answered() {
    let stage = Stage::open().await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("go").await;
    session.is_prompted().await;
    session.says(vec![started()]).await;
    let agent = async {
        session.is_told().await;
        session.says(vec![cancelled()]).await;
        session
    };
    let (one, two, mut session) = tokio::join!(stage.cancel(&turn), stage.cancel(&turn), agent);
    assert_eq!(one.status, TurnStatus::Cancelled);
    assert_eq!(two.status, TurnStatus::Cancelled);
    assert!(session.is_left_alone());
}

#[tokio::test]
async fn a_cancel_that_takes_too_long_is_answered_as_under_way() {
    let stage = Stage::open_with(64, Duration::from_millis(20)).await;
    let mut session = stage.ready_session("one").await;
    let turn = stage.say("go").await;
    session.is_prompted().await;
    session.says(vec![started()]).await;
    let answer = stage.cancel(&turn).await;
    assert_eq!(
        (answer.accepted, answer.status),
        (true, TurnStatus::Cancelling)
    );
    session.says(vec![cancelled()]).await;
    assert_eq!(stage.end(&turn).await["type"], "turn.cancelled");
}

#[tokio::test]
async fn a_full_lane_refuses_and_a_cancel_makes_room() {
    let stage = Stage::open_with(2, Duration::from_secs(10)).await;
    let mut session = stage.ready_session("one").await;
    stage.say("one").await;
    session.is_prompted().await;
    let waiting = stage.say("two").await;
    let fault = stage.try_say("three").await.unwrap_err();
    assert_eq!(fault.code.as_str(), "QUEUE_CAPACITY_REACHED");
    stage.cancel(&waiting).await;
    stage.say("three").await;
}
