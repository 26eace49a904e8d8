//! A Turn's way through the store: written before its effect, over only once.

use super::super::{Durability, Recovery};
use super::stage::{NOON, Stage, agent};
use crate::protocol::{
    ActorRef, AttemptId, DeliveryCertainty, DispatchPhase, Envelope, EventBody, Seq, TurnId,
    TurnStatus,
};

async fn reach(stage: &Stage, turn: &TurnId) -> (DispatchPhase, DeliveryCertainty) {
    let open = stage.store.open_turns().await.unwrap();
    let open = open.into_iter().find(|open| open.turn.turn_id == *turn);
    let (_, phase, certainty) = open.unwrap().attempt.unwrap();
    (phase, certainty)
}

fn started(stage: &Stage, turn: &TurnId, attempt: &AttemptId) -> Envelope {
    let body = EventBody::TurnStarted {
        turn_id: turn.clone(),
        attempt_id: attempt.clone(),
        native_turn_id: None,
    };
    Envelope::new(stage.mint(), ActorRef::system(), stage.mint(), NOON, &body)
}

#[tokio::test]
async fn turn_04_phase_and_certainty_are_written_step_by_step() {
    let stage = Stage::open(Durability::Normal).await;
    stage.say("go").await;
    let (turn, attempt) = stage.claim().await.unwrap();
    assert_eq!(
        reach(&stage, &turn).await,
        (DispatchPhase::Prepared, DeliveryCertainty::NotDelivered)
    );
    let invoke = || {
        let (turn, attempt) = (turn.clone(), attempt.clone());
        stage.store.prompt_invoked(turn, attempt, Seq(1), NOON)
    };
    assert!(invoke().await.unwrap());
    assert_eq!(
        reach(&stage, &turn).await,
        (DispatchPhase::PromptInvoked, DeliveryCertainty::Unknown)
    );
    assert!(!invoke().await.unwrap(), "no prompt is sent twice");

    let event = started(&stage, &turn, &attempt);
    stage.store.started(attempt, None, event).await.unwrap();
    assert_eq!(
        reach(&stage, &turn).await,
        (DispatchPhase::NativeStarted, DeliveryCertainty::Delivered)
    );
    assert_eq!(stage.status(&turn).await, TurnStatus::Running);
    let doubt = "UPDATE turn_attempts SET delivery_certainty = 'unknown'";
    let refused = stage.tamper(doubt).await.unwrap_err().to_string();
    assert!(refused.contains("delivered never becomes"), "{refused}");
}

#[tokio::test]
async fn turn_07_a_cancel_before_the_prompt_keeps_the_prompt_back() {
    let stage = Stage::open(Durability::Normal).await;
    stage.say("never mind").await;
    let (turn, attempt) = stage.claim().await.unwrap();
    let status = stage.store.cancelling(turn.clone()).await.unwrap();
    assert_eq!(status, Some(TurnStatus::Cancelling));
    let invoked = stage.store.prompt_invoked(turn, attempt, Seq(1), NOON);
    assert!(!invoked.await.unwrap());
}

#[tokio::test]
async fn turn_05_a_turn_ends_once() {
    let stage = Stage::open(Durability::Normal).await;
    stage.say("go").await;
    let (turn, attempt) = stage.claim().await.unwrap();
    let mut ending = stage.ending(&turn, TurnStatus::Interrupted);
    ending.attempt = Some(attempt.clone());
    ending.started = Some(started(&stage, &turn, &attempt));
    assert!(stage.store.end_turn(ending.clone()).await.unwrap());
    let told = stage.told().await;
    let of_turn = told
        .iter()
        .filter(|(_, of)| of.as_deref() == Some(turn.as_str()));
    let types: Vec<_> = of_turn.map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(
        types,
        [
            "turn.queued",
            "turn.dispatched",
            "turn.started",
            "turn.interrupted"
        ]
    );

    let other = stage.ending(&turn, TurnStatus::Failed);
    assert!(!stage.store.end_turn(other.clone()).await.unwrap());
    assert_eq!(
        stage.store.end_queued(other).await.unwrap(),
        Some(TurnStatus::Interrupted)
    );
    assert_eq!(
        stage.told().await,
        told,
        "nothing is written the second time"
    );
    let sql = "UPDATE turns SET status = 'running'";
    let refused = stage.tamper(sql).await.unwrap_err().to_string();
    assert!(
        refused.contains("a terminal Turn never changes"),
        "{refused}"
    );
}

#[tokio::test]
async fn turn_07_only_a_turn_that_still_waits_is_ended_as_waiting() {
    let stage = Stage::open(Durability::Normal).await;
    let first = stage.say("one").await;
    let second = stage.say("two").await;
    stage.claim().await.unwrap();
    for (turn, status) in [
        (&first, TurnStatus::Dispatching),
        (&second, TurnStatus::Cancelled),
    ] {
        let ending = stage.ending(turn, TurnStatus::Cancelled);
        let found = stage.store.end_queued(ending).await.unwrap();
        assert_eq!(found, Some(status));
    }
    assert!(stage.claim().await.is_none());
}

#[tokio::test]
async fn a_stored_event_never_changes() {
    let stage = Stage::open(Durability::Normal).await;
    stage.say("as I said").await;
    let refused = stage.tamper("UPDATE events SET envelope = '{}'").await;
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.contains("a stored event never changes"),
        "{refused}"
    );
}

#[tokio::test]
async fn int_03_no_event_of_approvals_can_be_stored() {
    let stage = Stage::open(Durability::Normal).await;
    for kind in [
        "approval.requested",
        "permission.asked",
        "user_input.wanted",
    ] {
        let sql = format!(
            "INSERT INTO events (event_id, event_type, actor_id, correlation_id, occurred_at, envelope)
             VALUES ('evt_x', '{kind}', 'user:web', 'corr_x', 0, '{{}}')"
        );
        assert!(stage.tamper(&sql).await.is_err(), "{kind}");
    }
}

#[tokio::test]
async fn what_was_claimed_and_not_sent_waits_again_at_its_old_place() {
    let stage = Stage::open(Durability::Normal).await;
    let first = stage.say("one").await;
    stage.say("two").await;
    let (claimed, _) = stage.claim().await.unwrap();
    assert_eq!(claimed, first);
    let verdicts = vec![Recovery::Requeue(first.clone())];
    stage.store.recover(verdicts, NOON).await.unwrap();
    assert_eq!(stage.status(&first).await, TurnStatus::Queued);
    assert_eq!(stage.claim().await.unwrap().0, first);
}

#[tokio::test]
async fn an_agent_has_seen_the_room_as_far_as_was_delivered_and_never_less() {
    let stage = Stage::open(Durability::Normal).await;
    for seq in [9, 4] {
        let turn = stage.say(&format!("up to {seq}")).await;
        stage.claim().await.unwrap();
        let mut ending = stage.ending(&turn, TurnStatus::Failed);
        ending.delivered_through = Some((agent().actor_id, Seq(seq)));
        stage.store.end_turn(ending).await.unwrap();
    }
    let query = super::super::PacketQuery {
        target: agent().actor_id,
        source: stage.store.snapshot(100).await.unwrap().recent.frames[0]
            .envelope()
            .unwrap()
            .event_id,
        blank: false,
        bytes: 1000,
        reply_depth: 1,
    };
    let rows = stage.store.packet_rows(query).await.unwrap().unwrap();
    assert_eq!(rows.after, Seq(9));
}
