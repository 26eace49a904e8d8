//! A store with one agent in the room, and the few sentences that stories are made of.

use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

use super::super::writer::{Batch, Safety};
use super::super::*;
use crate::protocol::{
    ActorId, ActorKind, ActorRef, AgentId, AttemptId, BindingId, ClientCommandId, Envelope,
    EventBody, EventId, InstanceId, Minted, Timestamp, Transport, TurnId, TurnStatus,
};

pub(super) const NOON: Timestamp = Timestamp(1_800_000_000_000);

/// An open store. Dropping it leaves the file to the next one, as a crash would.
pub(super) struct Stage {
    pub(super) store: Store,
    pub(super) folder: TempDir,
    drawn: AtomicU64,
}

impl Stage {
    pub(super) async fn open(durability: Durability) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("groupx.db"), durability).unwrap();
        let stage = Self {
            store,
            folder,
            drawn: AtomicU64::new(1),
        };
        let entry = |actor: ActorRef| RosterEntry {
            actor: actor.actor_id,
            kind: actor.kind,
            display_name: actor.display_name,
            enabled: true,
        };
        let roster = vec![
            entry(ActorRef::web()),
            entry(ActorRef::system()),
            entry(agent()),
        ];
        stage.store.enrol(roster, NOON).await.unwrap();
        let session = NewSession {
            instance: instance(),
            binding: binding(),
            actor: agent().actor_id,
            adapter_id: "codex".into(),
            driver: "codex".into(),
            cwd: "/".into(),
            at: NOON,
        };
        stage.store.session_opened(session).await.unwrap();
        stage
    }

    /// An id that no other has.
    pub(super) fn mint<T: Minted>(&self) -> T {
        T::mint(self.drawn.fetch_add(1, Ordering::Relaxed).into())
    }

    /// Something that the user says.
    pub(super) fn words(&self, content: &str) -> Envelope {
        let body = EventBody::MessageCreated {
            turn_id: None,
            content: content.into(),
        };
        Envelope::new(self.mint(), ActorRef::web(), self.mint(), NOON, &body)
    }

    /// A command to say it to the agent.
    pub(super) fn message(&self, command: &str, content: &str) -> NewMessage {
        let message = self.words(content);
        let turn_id: TurnId = self.mint();
        let body = EventBody::TurnQueued {
            turn_id: turn_id.clone(),
            source_event_id: message.event_id.clone(),
            target_actor_id: agent().actor_id,
            adapter_id: "codex".into(),
            transport: Transport::Structured,
            hop_count: 0,
        };
        let chain = message.correlation_id.clone();
        let queued = Envelope::new(self.mint(), ActorRef::system(), chain, NOON, &body);
        NewMessage {
            command: self.command(command, content),
            turns: vec![NewTurn {
                turn_id,
                target: agent().actor_id,
                adapter_id: "codex".into(),
                queued,
            }],
            message,
            answer: format!("answer to {command}"),
            queue_limit: 10,
        }
    }

    pub(super) fn command(&self, name: &str, content: &str) -> NewCommand {
        NewCommand {
            command_id: self.mint(),
            binding: BindingId::web(),
            client_command_id: ClientCommandId::trusted(name),
            kind: "message.post",
            hash: format!("hash of {content}"),
            at: NOON,
        }
    }

    /// Says something to the agent and gives its Turn.
    pub(super) async fn say(&self, content: &str) -> TurnId {
        let new = self.message(&format!("command for {content}"), content);
        let turn = new.turns[0].turn_id.clone();
        let accepted = self.store.accept(new).await.unwrap();
        assert!(matches!(accepted, Acceptance::Fresh { .. }), "{accepted:?}");
        turn
    }

    /// Writes a message that wakes nobody.
    pub(super) async fn say_only(&self, content: &str) {
        self.store.record(vec![self.words(content)]).await.unwrap();
    }

    /// Claims the next Turn of the lane.
    pub(super) async fn claim(&self) -> Option<(TurnId, AttemptId)> {
        let attempt_id: AttemptId = self.mint();
        let event: EventId = self.mint();
        let attempt = attempt_id.clone();
        let dispatched = move |turn: &TurnRow| {
            let body = EventBody::TurnDispatched {
                turn_id: turn.turn_id.clone(),
                attempt_id: attempt,
                target_actor_id: turn.target.clone(),
            };
            let chain = turn.correlation_id.clone();
            Envelope::new(event, ActorRef::system(), chain, NOON, &body)
        };
        let claim = Claim {
            target: agent().actor_id,
            attempt_id: attempt_id.clone(),
            binding: binding(),
            instance: instance(),
            at: NOON,
            dispatched: Box::new(dispatched),
        };
        match self.store.claim(claim).await.unwrap() {
            Claimed::Turn(row) => Some((row.turn_id, attempt_id)),
            Claimed::Nothing => None,
        }
    }

    /// What ends a Turn this way.
    pub(super) fn ending(&self, turn: &TurnId, status: TurnStatus) -> Ending {
        let body = EventBody::Ended(crate::protocol::body::Ending::of(turn.clone(), status));
        Ending {
            turn_id: turn.clone(),
            attempt: None,
            started: None,
            delivered: false,
            reasoning: None,
            tools: Vec::new(),
            response: None,
            terminal: Envelope::new(self.mint(), agent(), self.mint(), NOON, &body),
            status,
            error_code: None,
            partial_text: None,
            delivered_through: None,
        }
    }

    /// What a person with an SQL shell could try while the room is open.
    pub(super) async fn tamper(&self, sql: &str) -> Result<usize, StoreFault> {
        let sql = sql.to_owned();
        let work = move |batch: &mut Batch<'_>| Ok(batch.connection.execute(&sql, [])?);
        self.store.writer.write(Safety::Promise, work).await
    }

    /// The types and Turns of all events that may be shown.
    pub(super) async fn told(&self) -> Vec<(String, Option<String>)> {
        let frames = self.store.events_before(None, 10_000).await.unwrap().frames;
        frames
            .iter()
            .map(|frame| {
                let event = frame.envelope().unwrap();
                let turn = event.body["turnId"].as_str().map(str::to_owned);
                (event.kind.to_string(), turn)
            })
            .collect()
    }

    /// Where a Turn stands.
    pub(super) async fn status(&self, turn: &TurnId) -> TurnStatus {
        let row = self.store.turn(turn.clone()).await.unwrap();
        row.unwrap().status
    }
}

pub(super) fn agent() -> ActorRef {
    ActorRef {
        actor_id: ActorId::of(&key()),
        kind: ActorKind::Agent,
        instance_id: None,
        display_name: "Alpha".into(),
    }
}

fn key() -> AgentId {
    AgentId::trusted("alpha")
}

fn instance() -> InstanceId {
    InstanceId::of(&key(), 1)
}

fn binding() -> BindingId {
    BindingId::of(&key(), 1)
}
