//! A room with one agent whose sessions are played by the story: it hears what a session is told
//! and says what a session would say.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Mutex, mpsc};

use super::super::*;
use crate::protocol::reply::{CancelAnswer, DriverSummary, RestartAnswer};
use crate::protocol::request::{PostMessage, Targets};
use crate::protocol::{ActorId, ClientCommandId, ErrorCode, Fault, TurnId, TurnStatus};
use crate::session::{
    EndCause, SessionCommand, SessionEvent, SessionFacts, SessionLink, SessionRequest, TurnEnd,
};
use crate::store::Durability;

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// The far ends of a session that the broker has opened.
pub(super) struct Session {
    pub(super) request: SessionRequest,
    orders: mpsc::Receiver<SessionCommand>,
    news: mpsc::Sender<Vec<SessionEvent>>,
}

/// Gives every session that is asked for to the story.
struct HandOver(mpsc::UnboundedSender<Session>);

impl SessionSource for HandOver {
    fn open(&self, request: SessionRequest) -> SessionLink {
        let (commands, orders) = mpsc::channel(8);
        let (news, events) = mpsc::channel(8);
        // A story that is over plays no more sessions.
        let _ = self.0.send(Session {
            request,
            orders,
            news,
        });
        SessionLink { commands, events }
    }

    fn driver(&self, _id: &str) -> Option<DriverSummary> {
        None
    }
}

impl Session {
    pub(super) async fn says(&self, events: Vec<SessionEvent>) {
        self.news.send(events).await.unwrap();
    }

    /// Takes prompts from now on, under this native id.
    pub(super) async fn is_ready(&self, native: &str) {
        let facts = SessionFacts {
            native_session_id: Some(native.into()),
            resumed: self.request.resume.is_some(),
            ..SessionFacts::default()
        };
        self.says(vec![SessionEvent::Ready(facts)]).await;
    }

    pub(super) async fn ends(&self, cause: EndCause) {
        self.says(vec![SessionEvent::Ended(cause)]).await;
    }

    /// What it is told next.
    pub(super) async fn is_told(&mut self) -> SessionCommand {
        within("the session is told something", self.orders.recv())
            .await
            .expect("the broker keeps the session")
    }

    /// The prompt that it must be given next.
    pub(super) async fn is_prompted(&mut self) -> (TurnId, String) {
        match self.is_told().await {
            SessionCommand::Prompt { turn, text } => (turn, text),
            other => panic!("a prompt, not {other:?}"),
        }
    }

    /// Whether nothing waits to be heard.
    pub(super) fn is_left_alone(&mut self) -> bool {
        self.orders.try_recv().is_err()
    }

    /// Answers the prompt that it must be given next.
    pub(super) async fn answers(&mut self, text: &str) -> TurnId {
        let (turn, _) = self.is_prompted().await;
        self.says(vec![started(), completed(text)]).await;
        turn
    }
}

pub(super) fn started() -> SessionEvent {
    SessionEvent::TurnStarted {
        native_turn_id: None,
    }
}

pub(super) fn completed(text: &str) -> SessionEvent {
    SessionEvent::TurnEnded(TurnEnd::Completed {
        final_text: Some(text.into()),
    })
}

pub(super) fn failure(code: ErrorCode) -> EndCause {
    EndCause::Failed {
        code,
        message: "It did not work.".into(),
        retry: true,
        last_words: None,
    }
}

pub(super) fn exit() -> EndCause {
    EndCause::Exited {
        message: "Its process ended.".into(),
        last_words: None,
    }
}

/// An open room.
pub(super) struct Stage {
    pub(super) broker: Broker,
    opened: Mutex<mpsc::UnboundedReceiver<Session>>,
    said: AtomicU64,
    folder: TempDir,
}

impl Stage {
    pub(super) async fn open() -> Self {
        Self::open_with(64, Duration::from_secs(10)).await
    }

    /// A room with its own length of a lane and patience with cancels.
    pub(super) async fn open_with(queue_per_agent: u32, cancel: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("groupx.db");
        let (sessions, opened) = mpsc::unbounded_channel();
        let member = Member {
            agent: AgentId::trusted("alpha"),
            actor: agent(),
            name: "Alpha".into(),
            driver: "played".into(),
            cwd: "/".into(),
            identity: None,
            enabled: true,
        };
        let parts = BrokerParts {
            store: Store::open(&path, Durability::Normal).unwrap(),
            roster: Roster(vec![member]),
            sessions: Box::new(HandOver(sessions)),
            sources: Sources::of_the_system(),
            limits: RoomLimits {
                message_characters: 10_000,
                context_characters: 50_000,
                queue_per_agent,
                mailbox: MailboxLimits {
                    frames: 512,
                    bytes: 1 << 20,
                },
            },
            timeouts: RoomTimeouts { cancel },
            mcp_url: "http://127.0.0.1:1/mcp".into(),
            ui_language: None,
        };
        let (broker, lanes) = Broker::open(parts).await.unwrap();
        broker.run(lanes);
        Self {
            broker,
            opened: Mutex::new(opened),
            said: AtomicU64::new(0),
            folder,
        }
    }

    /// The session that the broker opens next.
    pub(super) async fn session(&self) -> Session {
        let mut opened = self.opened.lock().await;
        within("a session is opened", opened.recv())
            .await
            .expect("the lane lives")
    }

    /// The next session, which takes prompts.
    pub(super) async fn ready_session(&self, native: &str) -> Session {
        let session = self.session().await;
        session.is_ready(native).await;
        session
    }

    /// Whether no further session was opened.
    pub(super) async fn nothing_opened(&self) -> bool {
        self.opened.lock().await.try_recv().is_err()
    }

    fn command(&self) -> ClientCommandId {
        let number = self.said.fetch_add(1, Ordering::Relaxed);
        ClientCommandId::trusted(format!("story-{number}"))
    }

    /// The user says this to the agent.
    pub(super) async fn say(&self, content: &str) -> TurnId {
        self.try_say(content).await.unwrap()
    }

    pub(super) async fn try_say(&self, content: &str) -> Result<TurnId, Fault> {
        let accepted = self.broker.post_message(PostMessage {
            client_command_id: self.command(),
            to: Targets::These(vec![agent()]),
            content: content.into(),
            reply_to_event_id: None,
        });
        Ok(accepted.await?.turns[0].turn_id.clone())
    }

    pub(super) async fn cancel(&self, turn: &TurnId) -> CancelAnswer {
        let cancel = self.broker.cancel_turn(turn.clone(), self.command());
        within("a cancel is answered", cancel).await.unwrap()
    }

    pub(super) async fn restart(&self) -> Result<RestartAnswer, Fault> {
        let restart = self.broker.restart_agent(agent(), self.command());
        within("a restart is answered", restart).await
    }

    /// Waits for the end of a Turn: its terminal event.
    pub(super) async fn end(&self, turn: &TurnId) -> Value {
        let ends: BTreeSet<&str> = [
            "turn.completed",
            "turn.failed",
            "turn.cancelled",
            "turn.interrupted",
        ]
        .into();
        self.event(|event| {
            let kind = event["type"].as_str().unwrap_or_default();
            ends.contains(kind) && event["body"]["turnId"] == json!(turn)
        })
        .await
    }

    /// Waits for the first event of the room that fits.
    pub(super) async fn event(&self, fits: impl Fn(&Value) -> bool) -> Value {
        let mut events = self.broker.subscribe(Seq::START);
        let search = async {
            loop {
                for frame in events.next().await.unwrap() {
                    let event: Value = serde_json::from_slice(&frame.json).unwrap();
                    if fits(&event) {
                        return event;
                    }
                }
            }
        };
        within("the event comes", search).await
    }

    /// The durable events of a Turn so far, by type.
    pub(super) async fn life(&self, turn: &TurnId) -> Vec<String> {
        let events = self.broker.bootstrap().await.unwrap().recent_events;
        let of_turn = events
            .iter()
            .filter(|event| event.body["turnId"] == json!(turn));
        of_turn.map(|event| event.kind.to_string()).collect()
    }

    /// Where a Turn stands on the disk.
    pub(super) async fn status(&self, turn: &TurnId) -> TurnStatus {
        let row = self.broker.room.store.turn(turn.clone()).await.unwrap();
        row.unwrap().status
    }

    /// One text from the database, as somebody beside the room reads it.
    pub(super) fn stored(&self, query: &str, turn: &TurnId) -> String {
        let path = self.folder.path().join("groupx.db");
        let connection = rusqlite::Connection::open(path).unwrap();
        let row = connection.query_row(query, [turn.as_str()], |row| row.get(0));
        row.unwrap()
    }
}

pub(super) fn agent() -> ActorId {
    ActorId::trusted("agent:alpha")
}

/// Waits, but not for ever.
pub(super) async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, future).await {
        Ok(value) => value,
        Err(_) => panic!("never happened: {what}"),
    }
}
