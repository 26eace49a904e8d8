//! Writes the envelopes of one Turn: who speaks, in which chain, caused by what. Nothing that a CLI
//! or a caller says can change these fields (ENV-02, ID-02).

use super::sources::Sources;
use crate::protocol::envelope::SourceKind;
use crate::protocol::{
    ActorId, ActorRef, CorrelationId, Envelope, EventBody, EventId, Timestamp, TurnId,
};
use crate::store::TurnRow;

/// What every event of a Turn has in common.
#[derive(Clone)]
pub struct Scribe {
    sources: Sources,
    /// The Turn.
    pub turn_id: TurnId,
    /// The message behind it.
    pub source_event_id: EventId,
    correlation: CorrelationId,
    root: CorrelationId,
    hop: u32,
    agent: ActorRef,
}

impl Scribe {
    /// For this Turn, spoken for by `agent`.
    pub fn of(turn: &TurnRow, agent: ActorRef, sources: Sources) -> Self {
        Self {
            sources,
            turn_id: turn.turn_id.clone(),
            source_event_id: turn.source_event_id.clone(),
            correlation: turn.correlation_id.clone(),
            root: turn.root_correlation_id.clone(),
            hop: turn.hop_count,
            agent,
        }
    }

    /// The agent's actor.
    pub fn agent_actor(&self) -> &ActorId {
        &self.agent.actor_id
    }

    /// An event by the agent.
    pub fn by_agent(&self, body: &EventBody) -> Envelope {
        self.write(
            self.agent.clone(),
            SourceKind::Adapter,
            self.sources.now(),
            body,
        )
    }

    /// An event by the agent at an earlier moment: tool records keep their own time.
    pub fn by_agent_at(&self, at: Timestamp, body: &EventBody) -> Envelope {
        self.write(self.agent.clone(), SourceKind::Adapter, at, body)
    }

    /// An event by GroupX.
    pub fn by_system(&self, body: &EventBody) -> Envelope {
        self.write(
            ActorRef::system(),
            SourceKind::System,
            self.sources.now(),
            body,
        )
    }

    fn write(
        &self,
        actor: ActorRef,
        door: SourceKind,
        at: Timestamp,
        body: &EventBody,
    ) -> Envelope {
        let mut event = Envelope::new(
            self.sources.mint(),
            actor,
            self.correlation.clone(),
            at,
            body,
        )
        .caused_by(&self.turn_id)
        .within_root(self.root.clone())
        .from_door(door);
        event.hop_count = Some(self.hop);
        event
    }
}
