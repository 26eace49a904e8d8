use proptest::prelude::*;

use super::*;
use crate::protocol::{ErrorCode, Transport};

/// The protocol's table (TURN-01), written down a second time on purpose. Its one edge back, from
/// dispatching to queued, is the recovery's alone: see `turn_06`.
fn allowed(from: TurnStatus, to: TurnStatus) -> bool {
    use TurnStatus::*;
    matches!(
        (from, to),
        (Queued, Dispatching | Cancelled | Failed)
            | (Dispatching, Running | Cancelling | Failed | Interrupted)
            | (
                Running,
                Cancelling | Completed | Failed | Cancelled | Interrupted
            )
            | (Cancelling, Completed | Failed | Cancelled | Interrupted)
    )
}

fn input() -> impl Strategy<Value = TurnInput> {
    let end = prop_oneof![
        Just(End::Completed),
        Just(End::Failed),
        Just(End::Cancelled),
        Just(End::Interrupted)
    ];
    prop_oneof![
        (0u128..4)
            .prop_map(|n| TurnInput::Claimed(<AttemptId as crate::protocol::Minted>::mint(n))),
        Just(TurnInput::PromptInvoked),
        Just(TurnInput::NativeStarted),
        Just(TurnInput::CancelAsked),
        end.prop_map(TurnInput::Ended),
    ]
}

proptest! {
    #[test]
    fn turn_01_no_other_edge_exists_whatever_happens(inputs in prop::collection::vec(input(), 0..40)) {
        let mut state = TurnState::Queued;
        for input in inputs {
            let before = state.clone();
            match state.step(input.clone()) {
                Err(refused) => prop_assert_eq!(refused.input, input),
                Ok(next) => {
                    let (from, to) = (before.status(), next.status());
                    prop_assert!(!from.is_terminal(), "left {from:?}");
                    prop_assert!(from == to || allowed(from, to), "{from:?} -> {to:?}");
                    // What is known of an attempt only grows, and only a new claim opens another.
                    if let (Some(old), Some(new)) = (before.attempt(), next.attempt()) {
                        prop_assert_eq!(&old.id, &new.id);
                        prop_assert!(old.reach <= new.reach);
                    }
                    if let TurnState::Running(attempt) = &next {
                        prop_assert_eq!(attempt.reach, Reach::NativeStarted);
                    }
                    state = next;
                }
            }
        }
    }
}

fn after(inputs: &[TurnInput]) -> Result<TurnState, NoSuchEdge> {
    inputs
        .iter()
        .try_fold(TurnState::Queued, |state, input| state.step(input.clone()))
}

#[test]
fn turn_01_every_edge_of_the_table_can_be_walked() {
    use TurnInput::*;
    let claimed = || Claimed(AttemptId::trusted("attempt_1"));
    let running = || vec![claimed(), PromptInvoked, NativeStarted];
    let ends = [
        End::Completed,
        End::Failed,
        End::Cancelled,
        End::Interrupted,
    ];
    for end in ends {
        let mut way = running();
        way.push(Ended(end));
        assert_eq!(after(&way).unwrap(), TurnState::Over(end));
        let mut way = running();
        way.extend([CancelAsked, Ended(end)]);
        assert_eq!(after(&way).unwrap(), TurnState::Over(end));
    }
    assert_eq!(
        after(&[Ended(End::Cancelled)]).unwrap(),
        TurnState::Over(End::Cancelled)
    );
    assert_eq!(
        after(&[claimed(), PromptInvoked, Ended(End::Interrupted)]).unwrap(),
        TurnState::Over(End::Interrupted)
    );
    // Nothing completes unseen.
    assert!(after(&[claimed(), Ended(End::Completed)]).is_err());
    assert!(after(&[Ended(End::Completed)]).is_err());
    assert!(after(&[claimed(), NativeStarted]).is_err());
}

#[test]
fn turn_06_what_a_crash_leaves_is_settled_by_the_evidence() {
    use DeliveryCertainty::*;
    use DispatchPhase::*;
    let interrupted = Verdict::End(End::Interrupted, Some(ErrorCode::TurnInterrupted));
    let table = [
        (TurnStatus::Queued, None, Verdict::Keep),
        (
            TurnStatus::Dispatching,
            Some((Prepared, NotDelivered)),
            Verdict::Requeue,
        ),
        (
            TurnStatus::Dispatching,
            Some((PromptInvoked, Unknown)),
            interrupted,
        ),
        (
            TurnStatus::Running,
            Some((NativeStarted, Delivered)),
            interrupted,
        ),
        (
            TurnStatus::Cancelling,
            Some((Prepared, NotDelivered)),
            Verdict::End(End::Cancelled, None),
        ),
        (
            TurnStatus::Cancelling,
            Some((PromptInvoked, Unknown)),
            interrupted,
        ),
        (
            TurnStatus::Cancelling,
            Some((NativeStarted, Delivered)),
            interrupted,
        ),
        (TurnStatus::Completed, None, Verdict::Keep),
    ];
    for (status, attempt, verdict) in table {
        let found = Found {
            status,
            transport: Transport::Structured,
            attempt,
            agent_enabled: true,
        };
        assert_eq!(recover(found), verdict, "{status:?} {attempt:?}");
    }
}

#[test]
fn turn_13_a_waiting_turn_of_another_transport_or_of_a_gone_agent_fails() {
    let found = Found {
        status: TurnStatus::Queued,
        transport: Transport::Direct,
        attempt: None,
        agent_enabled: true,
    };
    let mismatch = Verdict::End(End::Failed, Some(ErrorCode::TransportModeMismatch));
    assert_eq!(recover(found), mismatch);
    let gone = Found {
        transport: Transport::Structured,
        agent_enabled: false,
        ..found
    };
    assert_eq!(
        recover(gone),
        Verdict::End(End::Failed, Some(ErrorCode::SessionNotAvailable))
    );
}
