//! One room, put together and taken apart: store, broker, sessions and doors, in the right order.
//!
//! It decides nothing about messages or agents; it only knows who needs whom, and that the
//! listener is the first thing up and the last thing down.

mod fault;
mod news;
mod places;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

pub use fault::StartError;
pub use news::News;
pub use places::{driver_cache, driver_folders};

use crate::broker::{
    Broker, BrokerParts, MailboxLimits, Member, RoomLimits, RoomTimeouts, Roster, Sources,
};
use crate::config::{Config, Durability};
use crate::driver::{DriverNews, Source};
use crate::http::{self, Doors, Server};
use crate::protocol::ActorId;
use crate::session::{AgentLaunch, DriversOnDemand, NativeSessions, RunMark, SessionTimeouts};
use crate::store::{self, Store};

/// News that may wait for a reader; more are dropped, since they only accompany a start.
const NEWS: usize = 256;
/// How long requests that are under way may take when the room closes.
const LAST_REQUESTS: Duration = Duration::from_secs(2);

/// What a runtime may be told beside its configuration.
#[derive(Clone)]
pub struct RuntimeOptions {
    /// Time and chance.
    pub sources: Sources,
}

impl Default for RuntimeOptions {
    fn default() -> Self {
        Self {
            sources: Sources::of_the_system(),
        }
    }
}

/// A running room.
pub struct Runtime {
    port: u16,
    store: Store,
    broker: Broker,
    server: Server,
    stop: CancellationToken,
    news: Option<mpsc::Receiver<News>>,
}

impl Runtime {
    /// Binds the port, opens the store, settles what the last run left open, and serves. Agents
    /// start afterwards, beside the first requests.
    ///
    /// # Errors
    /// [`StartError`]; nothing is left running then.
    pub async fn open(config: Config, options: RuntimeOptions) -> Result<Self, StartError> {
        let port = config.port;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .await
            .map_err(|error| StartError::port(port, &error))?;
        let (store, mark) = open_store(&config, options.sources.bits()).await?;
        let (tell, news) = mpsc::channel(NEWS);
        let sessions = sessions(&config, mark, tell.clone());
        let parts = BrokerParts {
            store: store.clone(),
            roster: roster(&config),
            sessions: Box::new(Arc::new(sessions)),
            sources: options.sources,
            limits: room_limits(&config),
            timeouts: RoomTimeouts {
                cancel: config.timeouts.cancel,
            },
            mcp_url: format!("http://127.0.0.1:{port}/mcp"),
            ui_language: config
                .ui_language
                .map(|language| language.as_str().to_owned()),
        };
        let (broker, lanes) = Broker::open(parts).await?;
        news::follow(&broker, &store, store.tail().shown(), tell);
        let stop = CancellationToken::new();
        let doors = Doors {
            broker: broker.clone(),
            identity: config.identity(),
            limits: config.limits.clone(),
            port,
            stop: stop.clone(),
        };
        let server = http::open(listener, doors);
        broker.run(lanes);
        Ok(Self {
            port,
            store,
            broker,
            server,
            stop,
            news: Some(news),
        })
    }

    /// Where the page is.
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What happens while drivers are compiled and agents start. A second call gives nothing.
    pub fn news(&mut self) -> mpsc::Receiver<News> {
        self.news.take().unwrap_or_else(|| mpsc::channel(1).1)
    }

    /// Waits until somebody asks over HTTP that the room close.
    pub async fn stop_requested(&self) {
        self.stop.cancelled().await;
    }

    /// Closes from the doors inward: no new work, sessions, store, and the listener last.
    pub async fn close(self) {
        self.broker.close_doors();
        self.server.drain(LAST_REQUESTS).await;
        self.broker.close().await;
        self.store.close().await;
        self.server.close().await;
    }
}

async fn open_store(config: &Config, bits: u128) -> Result<(Store, RunMark), StartError> {
    let path = config.storage.path.clone();
    let durability = match config.storage.durability {
        Durability::Full => store::Durability::Full,
        Durability::Normal => store::Durability::Normal,
    };
    let opened = tokio::task::spawn_blocking(move || -> Result<_, StartError> {
        let store = Store::open(&path, durability)?;
        // With the database's lock in hand: whatever carries the old mark is an orphan.
        let (mark, ended) =
            RunMark::renew(&path, bits).map_err(|error| StartError::Mark(error.to_string()))?;
        if ended > 0 {
            tracing::warn!(
                ended,
                "processes of a killed run were still there and have been ended"
            );
        }
        Ok((store, mark))
    });
    opened
        .await
        .map_err(|error| StartError::Mark(error.to_string()))?
}

fn sessions(config: &Config, mark: RunMark, tell: mpsc::Sender<News>) -> NativeSessions {
    let progress = move |news| match news {
        DriverNews::Loading(source) => {
            let driver = match source {
                Source::Bundled(id) => id,
                Source::File(path) => path.display().to_string(),
            };
            // News only accompany a start: a reader that is slow or gone misses them.
            let _ = tell.try_send(News::DriverCompiling { driver });
        }
        DriverNews::Refused(refused) => tracing::warn!(%refused, "driver"),
        DriverNews::Uncached(reason) => tracing::warn!(%reason, "compiled drivers are not kept"),
        other => tracing::debug!(?other, "driver"),
    };
    let agents: BTreeMap<_, _> = config
        .agents
        .iter()
        .map(|agent| {
            let launch = AgentLaunch {
                driver: agent.driver.clone(),
                command: agent.command.clone(),
                workdir: agent.cwd.clone(),
            };
            (agent.id.clone(), launch)
        })
        .collect();
    NativeSessions {
        drivers: DriversOnDemand::new(places::driver_folders(config), driver_cache(), progress),
        agents,
        timeouts: SessionTimeouts {
            handshake: config.timeouts.handshake,
            first_event: config.timeouts.first_event,
            idle: config.timeouts.idle,
            cancel: config.timeouts.cancel,
            close: config.timeouts.close,
        },
        mark,
        private: places::private_files(&config.storage.path),
        base: config.folder().to_owned(),
    }
}

fn roster(config: &Config) -> Roster {
    let members = config.agents.iter().map(|agent| Member {
        agent: agent.id.clone(),
        actor: ActorId::of(&agent.id),
        name: agent.display_name().to_owned(),
        driver: agent.driver.clone(),
        cwd: agent.cwd.to_string_lossy().into_owned(),
        identity: agent.identity.clone(),
        enabled: agent.enabled,
    });
    Roster(members.collect())
}

fn room_limits(config: &Config) -> RoomLimits {
    RoomLimits {
        message_characters: config.limits.message_characters,
        context_characters: config.limits.context_characters,
        queue_per_agent: u32::try_from(config.limits.queue_per_agent).unwrap_or(u32::MAX),
        mailbox: MailboxLimits {
            frames: config.limits.sse_events,
            bytes: config.limits.sse_bytes,
        },
    }
}
