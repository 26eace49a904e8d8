//! A whole house for one test: a store on disk, the broker, the doors on a free port, and one
//! agent, `agent:echo`, that says back the last line of its prompt.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::{Notify, mpsc};

use crate::broker::{
    BrokerParts, MailboxLimits, Member, RoomLimits, RoomTimeouts, Roster, Sources,
};
use crate::config::Config;
use crate::protocol::reply::DriverSummary;
use crate::protocol::{ActorId, AgentId};
use crate::session::{
    EndCause, SessionCommand, SessionEvent, SessionFacts, SessionLink, SessionRequest,
    SessionSource, TurnEnd,
};
use crate::store::{Durability, Store};

use super::super::*;

/// The last line of a prompt that the agent keeps working on until it is let go.
pub(super) const WAIT: &str = "wait";

/// Sessions without a process.
#[derive(Clone, Default)]
struct Echo {
    bindings: Arc<Mutex<Vec<String>>>,
    letting_go: Arc<Notify>,
}

impl SessionSource for Echo {
    fn open(&self, request: SessionRequest) -> SessionLink {
        let (commands, orders) = mpsc::channel(8);
        let (news, events) = mpsc::channel(8);
        let secret = request.mcp.map(|mount| mount.secret).unwrap_or_default();
        self.bindings.lock().unwrap().push(secret);
        tokio::spawn(converse(orders, news, Arc::clone(&self.letting_go)));
        SessionLink { commands, events }
    }

    fn driver(&self, _id: &str) -> Option<DriverSummary> {
        None
    }
}

async fn converse(
    mut orders: mpsc::Receiver<SessionCommand>,
    news: mpsc::Sender<Vec<SessionEvent>>,
    letting_go: Arc<Notify>,
) {
    let facts = SessionFacts {
        tools: true,
        ..SessionFacts::default()
    };
    let mut events = vec![SessionEvent::Ready(facts)];
    // A broker that no longer listens gives no more orders either.
    while news.send(events).await.is_ok() {
        events = match orders.recv().await {
            Some(SessionCommand::Prompt { text, .. }) => {
                let started = SessionEvent::TurnStarted {
                    native_turn_id: None,
                };
                let _ = news.send(vec![started]).await;
                let text = text.lines().last().unwrap_or_default().to_owned();
                if text == WAIT {
                    letting_go.notified().await;
                }
                let final_text = Some(text);
                vec![SessionEvent::TurnEnded(TurnEnd::Completed { final_text })]
            }
            Some(SessionCommand::Cancel { .. }) => vec![],
            Some(SessionCommand::Close) => vec![SessionEvent::Ended(EndCause::Closed)],
            None => return,
        };
    }
}

/// See the module.
pub(super) struct House {
    pub(super) server: Server,
    pub(super) stop: CancellationToken,
    pub(super) identity: RuntimeIdentity,
    broker: Broker,
    agent: Echo,
    origin: String,
    client: Client,
    _folder: TempDir,
}

impl House {
    /// Opens everything and waits until the agent is ready.
    pub(super) async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let origin = format!("http://127.0.0.1:{port}");
        let store = Store::open(&folder.path().join("groupx.db"), Durability::Normal).unwrap();
        let agent = Echo::default();
        let (broker, lanes) = Broker::open(BrokerParts {
            store,
            roster: Roster(vec![Member {
                agent: AgentId::trusted("echo"),
                actor: ActorId::trusted("agent:echo"),
                name: "Echo".into(),
                driver: "echo".into(),
                cwd: "/".into(),
                identity: None,
                enabled: true,
            }]),
            sessions: Box::new(agent.clone()),
            sources: Sources::of_the_system(),
            limits: RoomLimits {
                message_characters: 1000,
                context_characters: 10_000,
                queue_per_agent: 64,
                mailbox: MailboxLimits {
                    frames: 512,
                    bytes: 1 << 20,
                },
            },
            timeouts: RoomTimeouts {
                cancel: Duration::from_secs(5),
            },
            mcp_url: format!("{origin}/mcp"),
            ui_language: None,
        })
        .await
        .unwrap();
        broker.run(lanes);
        broker.settled().await;
        let identity = RuntimeIdentity {
            runtime_key: "e".repeat(64),
            runtime_scope_key: "f".repeat(64),
        };
        let stop = CancellationToken::new();
        let server = open(
            listener,
            Doors {
                broker: broker.clone(),
                identity: identity.clone(),
                limits: limits(folder.path()),
                port,
                stop: stop.clone(),
            },
        );
        let client = Client::new();
        Self {
            server,
            stop,
            identity,
            broker,
            agent,
            origin,
            client,
            _folder: folder,
        }
    }

    /// Lets the agent go on with a prompt that it holds.
    pub(super) fn let_go(&self) {
        self.agent.letting_go.notify_one();
    }

    /// The header value of the agent's living session.
    pub(super) fn binding(&self) -> String {
        self.agent.bindings.lock().unwrap().last().unwrap().clone()
    }

    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.origin))
    }

    pub(super) async fn get(&self, path: &str) -> (u16, Value) {
        answer(self.request(Method::GET, path)).await
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        answer(self.request(Method::POST, path).json(&body)).await
    }

    /// One JSON-RPC message to the member tools.
    pub(super) async fn mcp(&self, binding: &str, message: Value) -> (u16, Value) {
        let request = self
            .request(Method::POST, "/mcp")
            .header("accept", "application/json, text/event-stream")
            .header("x-groupx-binding", binding);
        answer(request.json(&message)).await
    }

    /// Ends the house, doors first.
    pub(super) async fn close(self) {
        self.server.drain(Duration::from_secs(5)).await;
        self.broker.close().await;
        self.server.close().await;
    }
}

async fn answer(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    (
        status,
        serde_json::from_str(&text).unwrap_or(Value::String(text)),
    )
}

/// The limits of a configuration that says nothing about them, but for short messages.
fn limits(folder: &std::path::Path) -> Limits {
    let path = folder.join("groupx.json");
    let text = r#"{
        "agents": { "codex": { "command": "codex", "cwd": "." } },
        "limits": { "messageCharacters": 1024 }
    }"#;
    std::fs::write(&path, text).unwrap();
    Config::load(&path).unwrap().limits
}
