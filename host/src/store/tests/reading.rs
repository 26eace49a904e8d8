//! Readers: a snapshot agrees with its cursor whatever is written beside it.

use std::collections::BTreeSet;

use super::super::{Durability, PacketQuery};
use super::stage::{Stage, agent};
use crate::protocol::{Seq, TurnStatus};

#[tokio::test]
async fn rest_01_a_snapshot_and_its_cursor_agree_under_load() {
    let stage = Stage::open(Durability::Full).await;
    let writing = async {
        for number in 0..60 {
            let turn = stage.say(&format!("number {number}")).await;
            if number % 2 == 0 {
                let ending = stage.ending(&turn, TurnStatus::Cancelled);
                stage.store.end_queued(ending).await.unwrap();
            }
            if number == 59 {
                break;
            }
            // A full lane would refuse; every other Turn stays open, and ends here.
            let open = stage.store.open_turns().await.unwrap();
            if let Some(oldest) = open.first().filter(|_| open.len() > 5) {
                let ending = stage.ending(&oldest.turn.turn_id, TurnStatus::Cancelled);
                stage.store.end_queued(ending).await.unwrap();
            }
        }
    };
    let reading = async {
        let mut seen = Seq::START;
        for _ in 0..40 {
            let snapshot = stage.store.snapshot(10_000).await.unwrap();
            assert!(snapshot.through >= seen);
            seen = snapshot.through;
            assert!(stage.store.tail().shown() >= seen, "all of it may be shown");
            let mut waiting = BTreeSet::new();
            for (at, frame) in snapshot.recent.frames.iter().enumerate() {
                assert_eq!(frame.seq, Seq(at as u64 + 1), "every event, in order");
                let event = frame.envelope().unwrap();
                let turn = event.body["turnId"].as_str().unwrap_or_default().to_owned();
                match event.kind.as_str() {
                    "turn.queued" => assert!(waiting.insert(turn)),
                    "turn.cancelled" => assert!(waiting.remove(&turn)),
                    _ => {}
                }
            }
            let newest = snapshot.recent.frames.last().map_or(Seq::START, |f| f.seq);
            assert_eq!(newest, snapshot.through);
            let open = snapshot.open.iter().map(|turn| turn.turn_id.to_string());
            assert_eq!(open.collect::<BTreeSet<_>>(), waiting);
        }
    };
    tokio::join!(writing, reading);
}

#[tokio::test]
async fn rest_06_pages_lead_back_to_the_first_event_without_gap_or_repeat() {
    let stage = Stage::open(Durability::Normal).await;
    for number in 0..7 {
        stage.say(&format!("number {number}")).await;
    }
    let mut seqs = Vec::new();
    let mut before = None;
    loop {
        let page = stage.store.events_before(before, 4).await.unwrap();
        let first = page.frames.first().unwrap().seq;
        seqs.splice(0..0, page.frames.iter().map(|frame| frame.seq.0));
        before = Some(first);
        if !page.older {
            break;
        }
    }
    assert_eq!(seqs, (1..=14).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_reader_far_behind_gets_everything_from_the_disk() {
    let stage = Stage::open(Durability::Normal).await;
    let events = (0..1_500).map(|number| stage.words(&format!("number {number}")));
    stage.store.record(events.collect()).await.unwrap();
    assert!(
        stage.store.tail().after(Seq(3), 10).is_none(),
        "not in memory"
    );
    let mut cursor = Seq(3);
    while cursor < Seq(1_500) {
        let page = stage
            .store
            .events_after(cursor, 100, 1 << 20)
            .await
            .unwrap();
        assert_eq!(page.first().unwrap().seq, Seq(cursor.0 + 1));
        cursor = page.last().unwrap().seq;
    }
    assert_eq!(cursor, Seq(1_500));
}

#[tokio::test]
async fn what_does_not_fit_is_counted_from_the_old_end() {
    let stage = Stage::open(Durability::Normal).await;
    for number in 0..10 {
        let event = stage.words(&format!("{number}{}", "x".repeat(99)));
        stage.store.record(vec![event]).await.unwrap();
    }
    let current = stage.words("now");
    let source = current.event_id.clone();
    stage.store.record(vec![current]).await.unwrap();
    let query = PacketQuery {
        target: agent().actor_id,
        source,
        blank: true,
        bytes: 400,
        reply_depth: 8,
    };
    let rows = stage.store.packet_rows(query).await.unwrap().unwrap();
    let first_letters: Vec<_> = rows.unread.iter().map(|said| &said.content[..1]).collect();
    assert_eq!(first_letters, ["6", "7", "8", "9"]);
    assert_eq!(rows.omitted, 6);
    assert_eq!(rows.current.content, "now");
}
