//! What a terminal shows while a room starts, read off the room's own public events.

use serde_json::Value;
use tokio::sync::mpsc;

use crate::broker::Broker;
use crate::protocol::{AgentId, Seq};

/// One thing worth a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// A driver is being compiled.
    DriverCompiling {
        /// Its id.
        driver: String,
    },
    /// An agent's process is being started.
    AgentStarting {
        /// The agent.
        agent: AgentId,
    },
    /// An agent takes prompts.
    AgentReady {
        /// The agent.
        agent: AgentId,
        /// Whether it has its old context.
        resumed: bool,
    },
    /// An agent could not be started, or was lost.
    AgentFailed {
        /// The agent.
        agent: AgentId,
        /// Why and what to do.
        message: String,
    },
    /// Every agent is ready or has failed its first round.
    Ready,
}

/// Reads the room's events from `from` on, until nobody wants news any more.
pub(super) fn follow(broker: &Broker, from: Seq, tell: mpsc::Sender<News>) {
    let mut events = broker.subscribe(from);
    let broker = broker.clone();
    let ready = tell.clone();
    tokio::spawn(async move {
        broker.settled().await;
        // The last word waits behind those before it; without a reader there is none to tell.
        let _ = ready.send(News::Ready).await;
    });
    tokio::spawn(async move {
        while let Ok(frames) = events.next().await {
            for frame in frames {
                let Some(news) = of_session(&frame.json) else { continue };
                if tell.send(news).await.is_err() {
                    return;
                }
            }
        }
    });
}

fn of_session(json: &[u8]) -> Option<News> {
    // Cheap to tell apart before anything is parsed: most events are not about sessions.
    let marker = b"\"type\":\"session.";
    json.windows(marker.len()).find(|part| part == marker)?;
    let event: Value = serde_json::from_slice(json).ok()?;
    let body = event.get("body")?;
    let agent = AgentId::trusted(body.get("agentId")?.as_str()?);
    match event.get("type")?.as_str()? {
        "session.starting" => Some(News::AgentStarting { agent }),
        "session.ready" => Some(News::AgentReady { agent, resumed: false }),
        "session.resumed" => Some(News::AgentReady { agent, resumed: true }),
        "session.failed" => {
            let message = body.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
            Some(News::AgentFailed { agent, message })
        }
        _ => None,
    }
}
