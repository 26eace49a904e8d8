//! Accepting a message: once, whole, and in order.

use super::super::{Acceptance, Durability, Receipt};
use super::stage::{Stage, agent};
use crate::protocol::{EventId, Minted, TurnStatus};

#[tokio::test]
async fn idem_01_the_same_command_twice_is_stored_once_and_answered_alike() {
    let stage = Stage::open(Durability::Normal).await;
    let new = stage.message("post", "hello");
    let first = stage.store.accept(new).await.unwrap();
    assert!(matches!(first, Acceptance::Fresh { .. }));
    let told = stage.told().await;
    // The second one has made up new ids; only the name and the payload count.
    let again = stage.store.accept(stage.message("post", "hello")).await;
    assert_eq!(
        again.unwrap(),
        Acceptance::Replayed("answer to post".into())
    );
    assert_eq!(stage.told().await, told);
}

#[tokio::test]
async fn idem_02_a_name_that_stands_for_something_else_is_a_conflict() {
    let stage = Stage::open(Durability::Normal).await;
    stage
        .store
        .accept(stage.message("post", "hello"))
        .await
        .unwrap();
    let told = stage.told().await;
    let other = stage.store.accept(stage.message("post", "good bye")).await;
    assert_eq!(other.unwrap(), Acceptance::Conflict);
    let mut cancel = stage.command("post", "hello");
    cancel.kind = "turn.cancel";
    assert_eq!(
        stage.store.begin_command(cancel).await.unwrap(),
        Receipt::Conflict
    );
    assert_eq!(stage.told().await, told);
}

#[tokio::test]
async fn a_command_that_reaches_outside_is_begun_and_then_done() {
    let stage = Stage::open(Durability::Normal).await;
    let new = stage.command("restart", "alpha");
    let begin = |command| stage.store.begin_command(command);
    assert_eq!(begin(new.clone()).await.unwrap(), Receipt::New);
    let again = stage.command("restart", "alpha");
    assert_eq!(begin(again.clone()).await.unwrap(), Receipt::Unfinished);
    let finished =
        stage
            .store
            .finish_command(new.binding, new.client_command_id, "restarted".into());
    finished.await.unwrap();
    assert_eq!(
        begin(again).await.unwrap(),
        Receipt::Done("restarted".into())
    );

    let refused = stage.command("refused", "alpha");
    begin(refused.clone()).await.unwrap();
    let dropped = stage
        .store
        .drop_command(refused.binding.clone(), refused.client_command_id.clone());
    dropped.await.unwrap();
    assert_eq!(stage.store.receipt(refused).await.unwrap(), Receipt::New);
}

#[tokio::test]
async fn turn_03_a_message_is_stored_with_all_its_turns_or_not_at_all() {
    let stage = Stage::open(Durability::Normal).await;
    let mut full = stage.message("full", "no room");
    full.queue_limit = 0;
    let mut lost = stage.message("lost", "an answer to nothing");
    let nothing = EventId::mint(0xdead);
    lost.message.reply_to_event_id = Some(nothing.clone());
    // One Turn of two breaks a rule of the database.
    let mut broken = stage.message("broken", "half");
    broken.turns.push(broken.turns[0].clone());
    let told = stage.told().await;

    let refused = stage.store.accept(full).await.unwrap();
    assert_eq!(refused, Acceptance::QueueFull(agent().actor_id));
    let refused = stage.store.accept(lost).await.unwrap();
    assert_eq!(refused, Acceptance::UnknownEvent(nothing));
    assert!(stage.store.accept(broken.clone()).await.is_err());
    assert_eq!(stage.told().await, told);
    assert_eq!(
        stage.store.receipt(broken.command).await.unwrap(),
        Receipt::New
    );
}

#[tokio::test]
async fn turn_02_a_lane_is_worked_off_in_the_order_of_its_commits() {
    let stage = Stage::open(Durability::Normal).await;
    let mut said = Vec::new();
    for content in ["one", "two", "three"] {
        said.push(stage.say(content).await);
    }
    let mut claimed = Vec::new();
    while let Some((turn, _)) = stage.claim().await {
        assert_eq!(stage.status(&turn).await, TurnStatus::Dispatching);
        claimed.push(turn);
    }
    assert_eq!(claimed, said);
}
