//! What a terminal shows while a room starts, read off the room's own public events.

use serde_json::Value;
use tokio::sync::mpsc;

use crate::broker::Broker;
use crate::protocol::{AgentId, Seq};
use crate::store::Store;

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

/// Reads the room's events from `from` on, until nobody wants news any more. `Ready` comes after
/// the news of every agent that it speaks of.
pub(super) fn follow(broker: &Broker, store: &Store, from: Seq, tell: mpsc::Sender<News>) {
    let mut events = broker.subscribe(from);
    let (broker, store) = (broker.clone(), store.clone());
    tokio::spawn(async move {
        let mut cursor = from;
        let mut ready_after = None;
        let mut said_ready = false;
        loop {
            let frames = tokio::select! {
                () = broker.settled(), if ready_after.is_none() => {
                    ready_after = Some(store.tail().committed_through());
                    Ok(Vec::new())
                }
                frames = events.next() => frames,
            };
            let Ok(frames) = frames else { return };
            for frame in frames {
                cursor = frame.seq.unwrap_or(cursor);
                if let Some(news) = of_session(&frame.json)
                    && tell.send(news).await.is_err()
                {
                    return;
                }
            }
            if !said_ready && ready_after.is_some_and(|seq| cursor >= seq) {
                said_ready = true;
                // Without a reader there is nobody to tell.
                let _ = tell.send(News::Ready).await;
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
        "session.ready" => Some(News::AgentReady {
            agent,
            resumed: false,
        }),
        "session.resumed" => Some(News::AgentReady {
            agent,
            resumed: true,
        }),
        "session.failed" => {
            let message = body
                .get("message")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            Some(News::AgentFailed { agent, message })
        }
        _ => None,
    }
}
