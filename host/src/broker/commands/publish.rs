//! An agent says something in public without waking anyone (MCP-02).

use super::post_message::unknown_event;
use super::{conflict, unreadable};
use crate::broker::Broker;
use crate::broker::callers::Caller;
use crate::protocol::envelope::SourceKind;
use crate::protocol::reply::Published;
use crate::protocol::request::Publish;
use crate::protocol::{ActorId, Envelope, ErrorCode, EventBody, EventId, Fault, canonical};
use crate::store::{Acceptance, NewCommand, NewMessage};

impl Broker {
    /// Stores a public message by the caller's agent, within the caller's Turn. Without a reply
    /// target it answers the message behind that Turn.
    ///
    /// # Errors
    /// `MCP_BINDING_MISMATCH` without a running Turn, `CLIENT_COMMAND_CONFLICT`, `UNKNOWN_TARGET`,
    /// `STORE_UNAVAILABLE`; nothing is written then.
    pub async fn publish(&self, caller: &Caller, request: Publish) -> Result<Published, Fault> {
        self.room.is_open()?;
        let room = &self.room;
        let turn = room.callers.turn_of(caller)?;
        let member = room
            .roster
            .member(&ActorId::of(&caller.agent))
            .ok_or_else(|| {
                Fault::new(
                    ErrorCode::UnknownActor,
                    "This agent is not in the room any more.",
                )
            })?;
        let instance = room
            .board
            .notice(&caller.agent)
            .and_then(|notice| notice.instance);
        let hash = canonical::hash(&request);
        let at = room.sources.now();
        let id: EventId = room.sources.mint();
        let body = EventBody::MessageCreated {
            turn_id: None,
            content: request.content,
        };
        let author = member.author(instance.as_ref());
        let mut message = Envelope::new(id.clone(), author, turn.correlation_id.clone(), at, &body)
            .caused_by(&turn.turn_id)
            .within_root(turn.root_correlation_id)
            .from_door(SourceKind::Mcp);
        message.reply_to_event_id = Some(request.reply_to_event_id.unwrap_or(turn.source_event_id));
        message.parent_turn_id = Some(turn.turn_id);
        message.hop_count = Some(turn.hop_count);
        message.idempotency_key = Some(request.client_command_id.to_string());
        let published = Published {
            message_event_id: id,
            correlation_id: turn.correlation_id,
        };
        let command = NewCommand {
            command_id: room.sources.mint(),
            binding: caller.binding.clone(),
            client_command_id: request.client_command_id.clone(),
            kind: "message.publish",
            hash,
            at,
        };
        // invariant: an answer is a struct of strings; it always serializes
        let answer = serde_json::to_string(&published).unwrap_or_default();
        let new = NewMessage {
            command,
            message,
            turns: Vec::new(),
            answer,
            queue_limit: 0,
        };
        match room.store.accept(new).await? {
            Acceptance::Fresh { .. } => Ok(published),
            Acceptance::Replayed(answer) => serde_json::from_str(&answer).map_err(|_| unreadable()),
            Acceptance::UnknownEvent(id) => Err(unknown_event(&id)),
            Acceptance::Conflict | Acceptance::QueueFull(_) => {
                Err(conflict(&request.client_command_id))
            }
        }
    }
}
