//! The user says something, to one, several or all (ROUTE-01, 02, IDEM-01…03).

use super::{conflict, unreadable};
use crate::broker::Broker;
use crate::broker::lane::LaneOrder;
use crate::broker::roster::Member;
use crate::protocol::envelope::SourceKind;
use crate::protocol::reply::{Accepted, AcceptedTurn};
use crate::protocol::request::PostMessage;
use crate::protocol::{
    ActorId, ActorRef, BindingId, CorrelationId, Envelope, ErrorCode, EventBody, EventId, Fault,
    Transport, TurnId, TurnStatus, canonical,
};
use crate::store::{Acceptance, NewCommand, NewMessage, NewTurn, Receipt};

impl Broker {
    /// Stores a message of the web user with one Turn per target, and wakes them.
    ///
    /// # Errors
    /// `UNKNOWN_TARGET`, `CLIENT_COMMAND_CONFLICT`, `QUEUE_CAPACITY_REACHED`, `STORE_UNAVAILABLE`;
    /// nothing is written then.
    pub async fn post_message(&self, request: PostMessage) -> Result<Accepted, Fault> {
        self.room.is_open()?;
        let room = &self.room;
        let at = room.sources.now();
        let command = NewCommand {
            command_id: room.sources.mint(),
            binding: BindingId::web(),
            client_command_id: request.client_command_id.clone(),
            kind: "message.post",
            hash: canonical::hash(&request),
            at,
        };
        let targets = match room.roster.resolve(&request.to) {
            Ok(targets) => targets,
            // Accepted once, it stays accepted, even if its target has left the room since.
            Err(fault) => match room.store.receipt(command).await? {
                Receipt::Done(answer) => {
                    return serde_json::from_str(&answer).map_err(|_| unreadable());
                }
                _ => return Err(fault),
            },
        };
        let correlation: CorrelationId = room.sources.mint();
        let message_id: EventId = room.sources.mint();
        let body = EventBody::MessageCreated {
            turn_id: None,
            content: request.content,
        };
        let mut message = Envelope::new(
            message_id.clone(),
            ActorRef::web(),
            correlation.clone(),
            at,
            &body,
        )
        .from_door(SourceKind::Web);
        message.to = targets.iter().map(|member| member.actor.clone()).collect();
        message.reply_to_event_id = request.reply_to_event_id;
        message.idempotency_key = Some(request.client_command_id.to_string());
        let turns: Vec<NewTurn> = targets
            .iter()
            .map(|member| self.new_turn(member, &message))
            .collect();
        let accepted = Accepted {
            message_event_id: message_id,
            correlation_id: correlation,
            turns: turns.iter().map(accepted_turn).collect(),
        };
        // invariant: an answer is a struct of strings; it always serializes
        let answer = serde_json::to_string(&accepted).unwrap_or_default();
        let queue_limit = room.limits.queue_per_agent;
        let woken: Vec<ActorId> = turns.iter().map(|turn| turn.target.clone()).collect();
        match room
            .store
            .accept(NewMessage {
                command,
                message,
                turns,
                answer,
                queue_limit,
            })
            .await?
        {
            Acceptance::Fresh { .. } => {
                self.wake(&woken).await;
                Ok(accepted)
            }
            Acceptance::Replayed(answer) => serde_json::from_str(&answer).map_err(|_| unreadable()),
            Acceptance::Conflict => Err(conflict(&request.client_command_id)),
            Acceptance::UnknownEvent(id) => Err(unknown_event(&id)),
            Acceptance::QueueFull(actor) => Err(queue_full(&actor, queue_limit)),
        }
    }

    fn new_turn(&self, member: &Member, message: &Envelope) -> NewTurn {
        let sources = &self.room.sources;
        let turn_id: TurnId = sources.mint();
        let body = EventBody::TurnQueued {
            turn_id: turn_id.clone(),
            source_event_id: message.event_id.clone(),
            target_actor_id: member.actor.clone(),
            adapter_id: member.agent.to_string(),
            transport: Transport::Structured,
            hop_count: 0,
        };
        let correlation = message.correlation_id.clone();
        let mut queued = Envelope::new(
            sources.mint(),
            ActorRef::system(),
            correlation,
            message.occurred_at,
            &body,
        )
        .caused_by(&message.event_id)
        .from_door(SourceKind::System);
        queued.hop_count = Some(0);
        NewTurn {
            turn_id,
            target: member.actor.clone(),
            adapter_id: member.agent.to_string(),
            queued,
        }
    }

    async fn wake(&self, actors: &[ActorId]) {
        self.room
            .board
            .count_queued(i64::try_from(actors.len()).unwrap_or(i64::MAX));
        for actor in actors {
            // A lane that is closing leaves its Turns queued for the next start.
            let _ = self.room.order(actor, LaneOrder::Wake).await;
        }
    }
}

fn accepted_turn(turn: &NewTurn) -> AcceptedTurn {
    AcceptedTurn {
        target: turn.target.clone(),
        turn_id: turn.turn_id.clone(),
        status: TurnStatus::Queued,
        transport: Transport::Structured,
    }
}

/// A reply to something that is not there.
pub(super) fn unknown_event(id: &EventId) -> Fault {
    Fault::new(
        ErrorCode::UnknownTarget,
        format!("There is no event {id} in this room to reply to."),
    )
}

fn queue_full(actor: &ActorId, limit: u32) -> Fault {
    let text = format!(
        "{actor} has {limit} open Turns already, as many as limits.queuePerAgent allows. Wait for some to end or cancel some; nothing was stored."
    );
    Fault::new(ErrorCode::QueueCapacityReached, text)
}
