use std::sync::Arc;

use super::*;
use crate::protocol::{ActorRef, CorrelationId, Envelope, EventId, Timestamp};

fn delta(turn: &str, index: u64, text: &str, reset: bool, after: u64) -> LiveEvent {
    let body = EventBody::ContentDelta {
        turn_id: TurnId::trusted(turn),
        chunk_index: index,
        text: text.into(),
        reset,
    };
    let id = EventId::trusted(format!("evt_{index}"));
    let envelope = Envelope::new(
        id,
        ActorRef::system(),
        CorrelationId::trusted("corr_1"),
        Timestamp(0),
        &body,
    );
    LiveEvent {
        envelope: Arc::new(envelope),
        body,
        after: Seq(after),
    }
}

fn texts(events: &[LiveEvent]) -> Vec<(u64, String, bool)> {
    let text = |event: &LiveEvent| match &event.body {
        EventBody::ContentDelta {
            chunk_index,
            text,
            reset,
            ..
        } => (*chunk_index, text.clone(), *reset),
        other => panic!("{other:?}"),
    };
    events.iter().map(text).collect()
}

fn mailbox() -> Mailbox {
    Mailbox::new(MailboxLimits {
        frames: 8,
        bytes: 100_000,
    })
}

#[test]
fn rest_04_waiting_deltas_of_one_turn_become_one_frame_and_lose_nothing() {
    let mailbox = mailbox();
    for index in 1..=1_000 {
        mailbox.put(&delta("turn_a", index, "ab", false, 5));
        mailbox.put(&delta("turn_b", index, "c", false, 5));
    }
    let taken = mailbox.take(Seq(5), 100);
    assert_eq!(
        texts(&taken),
        [
            (1_000, "ab".repeat(1_000), false),
            (1_000, "c".repeat(1_000), false)
        ]
    );
    mailbox.put(&delta("turn_a", 1_001, "z", false, 5));
    assert_eq!(
        texts(&mailbox.take(Seq(5), 100)),
        [(1_001, "z".into(), false)]
    );
}

#[test]
fn a_reset_voids_what_waits_and_says_so() {
    let mailbox = mailbox();
    mailbox.put(&delta("turn_a", 1, "partial", false, 5));
    mailbox.put(&delta("turn_a", 2, "", true, 5));
    mailbox.put(&delta("turn_a", 3, "whole", false, 5));
    assert_eq!(texts(&mailbox.take(Seq(5), 9)), [(3, "whole".into(), true)]);
}

#[test]
fn what_came_after_a_commit_waits_until_that_commit_is_shown() {
    let mailbox = mailbox();
    mailbox.put(&delta("turn_a", 1, "early", false, 5));
    mailbox.put(&delta("turn_b", 1, "late", false, 7));
    assert_eq!(
        texts(&mailbox.take(Seq(6), 9)),
        [(1, "early".into(), false)]
    );
    assert!(mailbox.take(Seq(6), 9).is_empty());
    assert_eq!(texts(&mailbox.take(Seq(7), 9)), [(1, "late".into(), false)]);
}

#[test]
fn rest_04_a_full_mailbox_drops_its_oldest_transient_frames() {
    let mailbox = mailbox();
    for turn in 0..20 {
        mailbox.put(&delta(&format!("turn_{turn}"), turn, "x", false, 5));
    }
    let kept = mailbox.take(Seq(5), 100);
    assert_eq!(
        texts(&kept)
            .iter()
            .map(|(index, ..)| *index)
            .collect::<Vec<_>>(),
        (12..20).collect::<Vec<_>>()
    );
    mailbox.put(&delta("turn_big", 1, &"y".repeat(200_000), false, 5));
    assert!(mailbox.take(Seq(5), 100).is_empty());
}
