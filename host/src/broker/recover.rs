//! What a start does before any lane moves: who is here, and what the last run left open.

use super::roster::Roster;
use super::scribe::Scribe;
use super::sources::Sources;
use super::turn::{End, Found, Verdict, recover};
use crate::protocol::body::Ending as EndingBody;
use crate::protocol::{
    ActorId, ActorKind, ActorRef, DeliveryCertainty, DispatchPhase, ErrorCode, EventBody,
    TurnStatus,
};
use crate::store::{Ending, OpenTurn, Recovery, RosterEntry, Store, StoreFault};

/// Writes the room's actors.
pub(super) async fn enrol(
    store: &Store,
    roster: &Roster,
    sources: &Sources,
) -> Result<(), StoreFault> {
    let own = |actor: ActorRef| RosterEntry {
        actor: actor.actor_id,
        kind: actor.kind,
        display_name: actor.display_name,
        enabled: true,
    };
    let agents = roster.0.iter().map(|member| RosterEntry {
        actor: member.actor.clone(),
        kind: ActorKind::Agent,
        display_name: member.name.clone(),
        enabled: member.enabled,
    });
    let entries = [own(ActorRef::web()), own(ActorRef::system())]
        .into_iter()
        .chain(agents);
    store.enrol(entries.collect(), sources.now()).await
}

/// Settles every open Turn by its evidence; gives the number of Turns that wait now.
pub(super) async fn settle(
    store: &Store,
    roster: &Roster,
    sources: &Sources,
) -> Result<i64, StoreFault> {
    let mut queued = 0;
    let mut verdicts = Vec::new();
    for open in store.open_turns().await? {
        let found = Found {
            status: open.turn.status,
            transport: open.turn.transport,
            attempt: open
                .attempt
                .as_ref()
                .map(|(_, phase, certainty)| (*phase, *certainty)),
            agent_enabled: roster.member(&open.turn.target).is_some(),
        };
        match recover(found) {
            Verdict::Keep => queued += 1,
            Verdict::Requeue => {
                queued += 1;
                verdicts.push(Recovery::Requeue(open.turn.turn_id.clone()));
            }
            Verdict::End(end, code) => {
                verdicts.push(Recovery::End(Box::new(ending(
                    &open,
                    author(roster, &open.turn.target),
                    end,
                    code,
                    sources,
                ))));
            }
        }
    }
    store.recover(verdicts, sources.now()).await?;
    Ok(queued)
}

fn ending(
    open: &OpenTurn,
    agent: ActorRef,
    end: End,
    code: Option<ErrorCode>,
    sources: &Sources,
) -> Ending {
    let scribe = Scribe::of(&open.turn, agent, sources.clone());
    let id = open.turn.turn_id.clone();
    let status = end.status();
    let reached = open
        .attempt
        .as_ref()
        .map(|(_, phase, certainty)| (*phase, *certainty));
    let mut body = EndingBody {
        error_code: code,
        ..EndingBody::of(id.clone(), status)
    };
    body.message = Some(words(code, &open.turn.target));
    if status == TurnStatus::Interrupted {
        body.previous_status = Some(open.turn.status);
        body.dispatch_phase = reached.map(|(phase, _)| phase);
        body.delivery_certainty = reached.map(|(_, certainty)| certainty);
    }
    // A prompt that may have arrived shows as begun, announced or not (TURN-14).
    let unannounced = matches!(
        reached,
        Some((DispatchPhase::PromptInvoked, DeliveryCertainty::Unknown))
    );
    let attempt = open.attempt.as_ref().map(|(id, ..)| id.clone());
    let started = attempt.clone().filter(|_| unannounced).map(|attempt_id| {
        scribe.by_agent(&EventBody::TurnStarted {
            turn_id: id.clone(),
            attempt_id,
            native_turn_id: None,
        })
    });
    Ending {
        turn_id: id,
        attempt,
        started,
        delivered: false,
        reasoning: None,
        tools: Vec::new(),
        response: None,
        terminal: scribe.by_system(&EventBody::Ended(body)),
        status,
        error_code: code,
        partial_text: None,
        delivered_through: None,
    }
}

/// The agent as an author, also one that has left the room.
fn author(roster: &Roster, actor: &ActorId) -> ActorRef {
    let known = roster.0.iter().find(|member| member.actor == *actor);
    known.map_or_else(
        || ActorRef {
            actor_id: actor.clone(),
            kind: ActorKind::Agent,
            instance_id: None,
            display_name: actor.to_string(),
        },
        |member| member.author(None),
    )
}

fn words(code: Option<ErrorCode>, target: &ActorId) -> String {
    match code {
        Some(ErrorCode::TransportModeMismatch) => {
            format!(
                "This message to {target} was queued for a transport that GroupX no longer runs. Send it again."
            )
        }
        Some(ErrorCode::SessionNotAvailable) => {
            format!("{target} is not in this room any more, or is disabled in groupx.json.")
        }
        Some(_) => {
            format!(
                "GroupX ended while {target} worked on this. It is not sent again by itself; send it again if you want it repeated."
            )
        }
        None => "It was being cancelled when GroupX ended, and had not been sent.".into(),
    }
}
