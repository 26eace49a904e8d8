//! The writer: one commit for many, each for itself, and nothing shown that could be taken back.

use std::pin::pin;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use futures_util::future::{join3, poll_immediate};

use super::super::events;
use super::super::writer::{BATCH_TIME, Batch, Safety};
use super::super::{Durability, Store, StoreFault};
use super::stage::Stage;
use crate::protocol::{ErrorCode, Seq};

/// Keeps the writer busy until the sender is dropped, so that what is asked meanwhile waits together.
fn hold(store: &Store) -> (impl Future<Output = Result<(), StoreFault>>, Sender<()>) {
    let (release, held) = channel::<()>();
    let store = store.clone();
    let work = move |_: &mut Batch<'_>| {
        // Ends when the sender is gone.
        let _ = held.recv();
        Ok(())
    };
    let busy = async move { store.writer.write(Safety::Evidence, work).await };
    (busy, release)
}

#[tokio::test]
async fn one_commit_carries_many_and_a_refused_one_takes_nobody_with_it() {
    let stage = Stage::open(Durability::Full).await;
    let (first, bad, last) = (
        stage.words("first"),
        stage.words("half done"),
        stage.words("last"),
    );
    let before = (stage.store.tail().shown(), stage.store.flushes());
    let (busy, release) = hold(&stage.store);
    let promise = |event: &crate::protocol::Envelope, twice: bool| {
        let event = event.clone();
        let work = move |batch: &mut Batch<'_>| {
            events::append(batch, &event, None)?;
            if twice {
                events::append(batch, &event, None)?;
            }
            Ok(())
        };
        stage.store.writer.write(Safety::Promise, work)
    };
    let three = join3(
        promise(&first, false),
        promise(&bad, true),
        promise(&last, false),
    );
    let (mut busy, mut three) = (pin!(busy), pin!(three));
    assert!(poll_immediate(&mut busy).await.is_none());
    assert!(poll_immediate(&mut three).await.is_none());
    drop(release);
    busy.await.unwrap();
    let (first_ended, bad_ended, last_ended) = three.await;

    assert!(first_ended.is_ok() && last_ended.is_ok());
    assert!(matches!(bad_ended, Err(StoreFault::Refused(_))));
    let kept = stage
        .store
        .events_after(before.0, 10, 1 << 20)
        .await
        .unwrap();
    let ids: Vec<_> = kept
        .iter()
        .map(|f| f.envelope().unwrap().event_id)
        .collect();
    assert_eq!(ids, [first.event_id.clone(), last.event_id.clone()]);
    assert_eq!(kept[1].seq, Seq(kept[0].seq.0 + 1), "no gap in the log");
    assert!(stage.store.event(bad.event_id).await.unwrap().is_none());
    assert_eq!(stage.store.flushes(), before.1 + 1, "one flush for both");
}

#[tokio::test]
async fn evidence_is_not_shown_before_it_is_flushed() {
    let stage = Stage::open(Durability::Full).await;
    let store = &stage.store;
    // The roster's own promise has flushed everything so far.
    stage
        .tamper("UPDATE actors SET updated_at = 1")
        .await
        .unwrap();
    let before = store.tail().shown();
    let (busy, release) = hold(store);
    let event = stage.words("perhaps");
    let slow_evidence = store.writer.write(Safety::Evidence, move |batch| {
        // So long that what waits behind it has to take the next transaction.
        std::thread::sleep(BATCH_TIME + Duration::from_millis(1));
        events::append(batch, &event, None)
    });
    let tail = store.tail().clone();
    let look = store.writer.write(Safety::Evidence, move |_| {
        let frames = tail.after(before, 10).map(|frames| frames.len());
        Ok((tail.committed_through(), tail.shown(), frames))
    });
    let (mut busy, mut slow, mut look) = (pin!(busy), pin!(slow_evidence), pin!(look));
    assert!(poll_immediate(&mut busy).await.is_none());
    assert!(poll_immediate(&mut slow).await.is_none());
    assert!(poll_immediate(&mut look).await.is_none());
    drop(release);
    busy.await.unwrap();
    let seq = slow.await.unwrap();
    let (committed, shown, frames) = look.await.unwrap();

    assert_eq!(
        (committed, shown),
        (seq, before),
        "committed, and not shown"
    );
    assert_eq!(frames.unwrap_or(0), 0);
    let mut shown = store.tail().watch();
    shown.wait_for(|shown| *shown >= seq).await.unwrap();
    assert_eq!(
        store.events_after(before, 10, 1 << 20).await.unwrap().len(),
        1
    );
}

#[tokio::test]
async fn a_promise_is_on_the_disk_when_it_is_told() {
    let stage = Stage::open(Durability::Full).await;
    for content in ["one", "two", "three"] {
        let before = stage.store.flushes();
        stage.say(content).await;
        assert!(stage.store.flushes() > before);
        assert_eq!(
            stage.store.tail().shown(),
            stage.store.tail().committed_through()
        );
    }
}

#[tokio::test]
async fn a_full_disk_refuses_the_work_and_the_room_goes_on_when_there_is_space() {
    let stage = Stage::open(Durability::Full).await;
    stage.say("fits").await;
    let pages = |most: u32| {
        stage.store.writer.write(Safety::Evidence, move |batch| {
            let set = format!("PRAGMA max_page_count = {most}");
            Ok(batch
                .connection
                .query_row(&set, [], |row| row.get::<_, u32>(0))?)
        })
    };
    // The smallest limit that SQLite takes: what there is already.
    pages(1).await.unwrap();
    let long = stage.message("too long", &"x".repeat(1 << 20));
    let turn = long.turns[0].turn_id.clone();
    let fault = stage
        .store
        .accept(long.clone())
        .await
        .unwrap_err()
        .to_fault();
    assert_eq!(fault.code, ErrorCode::StoreUnavailable);
    assert!(fault.message.contains("full"), "{}", fault.message);
    assert!(stage.store.turn(turn.clone()).await.unwrap().is_none());

    pages(1_000_000).await.unwrap();
    stage.store.accept(long).await.unwrap();
    assert!(stage.store.turn(turn).await.unwrap().is_some());
    assert!(stage.store.is_available());
}

#[tokio::test]
async fn a_closed_store_refuses_what_comes_late() {
    let stage = Stage::open(Durability::Full).await;
    stage.say("in time").await;
    stage.store.close().await;
    let late = stage.store.accept(stage.message("late", "late")).await;
    assert!(matches!(late, Err(StoreFault::Closed)), "{late:?}");
    let late = stage.store.snapshot(10).await;
    assert!(matches!(late, Err(StoreFault::Closed)), "{late:?}");
}
