//! The real source of sessions: drivers from the driver room, processes from the system.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::child;
use super::drivers_on_demand::DriversOnDemand;
use super::event::{EndCause, SessionEvent};
use super::launch::{self, Launch};
use super::live::Live;
use super::mark::RunMark;
use super::{AgentLaunch, SessionLink, SessionRequest, SessionSource};
use crate::config::command::{Candidate, Lookup, ResolvedCommand, resolve};
use crate::driver::{self, Driver, McpAttachment, Pair, SessionConfig};
use crate::protocol::reply::DriverSummary;
use crate::protocol::{AgentId, ErrorCode};

/// How long a session waits for what.
#[derive(Debug, Clone, Copy)]
pub struct SessionTimeouts {
    /// For each step of the handshake.
    pub handshake: Duration,
    /// For the first sign of life after a prompt.
    pub first_event: Duration,
    /// For each further sign of life within a Turn.
    pub idle: Duration,
    /// For a cancelled Turn to end.
    pub cancel: Duration,
    /// For a process to end by itself, and again after it was told to.
    pub close: Duration,
}

/// Batches of events that may wait for the broker; more stop the reading of stdout.
const EVENT_BATCHES: usize = 16;
/// A broker tells a session one thing at a time; a few may cross.
const COMMANDS: usize = 8;

/// Everything that sessions of this room share.
pub struct NativeSessions {
    /// The drivers.
    pub drivers: DriversOnDemand,
    /// The agents, by key.
    pub agents: BTreeMap<AgentId, AgentLaunch>,
    /// The waits.
    pub timeouts: SessionTimeouts,
    /// This run's mark.
    pub mark: RunMark,
    /// An owner-only folder for private files.
    pub private: PathBuf,
    /// The folder that relative commands start from.
    pub base: PathBuf,
}

/// A session that could not be started.
struct NotStarted {
    code: ErrorCode,
    message: String,
    retry: bool,
}

impl NotStarted {
    fn for_good(code: ErrorCode, message: impl std::fmt::Display) -> Self {
        Self {
            code,
            message: message.to_string(),
            retry: false,
        }
    }

    fn for_now(message: impl std::fmt::Display) -> Self {
        Self {
            code: ErrorCode::AdapterStartFailed,
            message: message.to_string(),
            retry: true,
        }
    }
}

impl SessionSource for Arc<NativeSessions> {
    fn open(&self, request: SessionRequest) -> SessionLink {
        let (commands, told) = mpsc::channel(COMMANDS);
        let (events, heard) = mpsc::channel(EVENT_BATCHES);
        let sessions = self.clone();
        tokio::spawn(async move {
            match sessions.start(&request).await {
                Ok((config, driver, launch)) => {
                    sessions
                        .run(request, config, driver, launch, told, events)
                        .await;
                }
                Err(NotStarted {
                    code,
                    message,
                    retry,
                }) => {
                    let cause = EndCause::Failed {
                        code,
                        message,
                        retry,
                        last_words: None,
                    };
                    // A broker that is gone needs no reason.
                    let _ = events.send(vec![SessionEvent::Ended(cause)]).await;
                }
            }
        });
        SessionLink {
            commands,
            events: heard,
        }
    }

    fn driver(&self, id: &str) -> Option<DriverSummary> {
        let entry = self
            .drivers
            .loaded()?
            .list()
            .into_iter()
            .find(|entry| entry.id == id)?;
        let described = entry.loaded.as_ref().map(|driver| driver.description());
        Some(DriverSummary {
            version: described.map(|d| d.version.clone()),
            protocol: described.map(|d| d.native_protocol.clone()),
            unrestricted: described.map(|d| d.unrestricted.clone()),
        })
    }
}

impl NativeSessions {
    async fn start(
        self: &Arc<Self>,
        request: &SessionRequest,
    ) -> Result<(SessionConfig, Arc<Driver>, Launch), NotStarted> {
        let sessions = self.clone();
        let request = request.clone();
        // Compiling a driver and searching for executables are no work for an async thread.
        let prepared = tokio::task::spawn_blocking(move || sessions.prepare(&request));
        prepared
            .await
            .unwrap_or_else(|error| Err(NotStarted::for_now(error)))
    }

    fn prepare(
        &self,
        request: &SessionRequest,
    ) -> Result<(SessionConfig, Arc<Driver>, Launch), NotStarted> {
        let agent = self.agents.get(&request.agent).ok_or_else(|| {
            NotStarted::for_good(
                ErrorCode::AdapterNotFound,
                "This agent is not in the configuration.",
            )
        })?;
        let driver = self
            .drivers
            .load()
            .get(&agent.driver)
            .map_err(|fault| NotStarted::for_good(ErrorCode::AdapterNotFound, fault))?;
        if !agent.workdir.is_dir() {
            let folder = agent.workdir.display();
            let text = format!(
                "Its folder {folder} does not exist. Create it or change `cwd` in groupx.json."
            );
            return Err(NotStarted::for_good(ErrorCode::AdapterStartFailed, text));
        }
        let command = self.find(agent, &driver)?;
        let config = session_config(request, &command, agent);
        let spec = driver
            .launch(&config)
            .map_err(|refused| NotStarted::for_good(ErrorCode::AdapterStartFailed, refused))?;
        let private = self.private.join(&request.session);
        let launch = launch::prepare(
            command,
            &spec,
            &agent.workdir,
            &private,
            &self.mark,
            &request.session,
        )
        .map_err(|refused| {
            let text = format!("The driver \"{}\" asked for {refused}.", driver.id());
            NotStarted::for_good(ErrorCode::AdapterStartFailed, text)
        })?;
        Ok((config, driver, launch))
    }

    fn find(&self, agent: &AgentLaunch, driver: &Driver) -> Result<ResolvedCommand, NotStarted> {
        let described = &driver.description().executables;
        let candidates: Vec<_> = described
            .iter()
            .map(|e| Candidate {
                name: &e.name,
                places: &e.places,
            })
            .collect();
        let path = std::env::var_os("PATH");
        let home = std::env::home_dir();
        let lookup = Lookup {
            base: &self.base,
            path: path.as_deref(),
            home: home.as_deref(),
            driver: &agent.driver,
            candidates: &candidates,
        };
        resolve(&agent.command, &lookup).map_err(|problem| {
            let hint = described
                .iter()
                .map(|e| e.install_hint.as_str())
                .find(|hint| !hint.is_empty());
            let advice = hint
                .map(|hint| format!(" To install it: {hint}"))
                .unwrap_or_default();
            NotStarted::for_good(ErrorCode::AdapterStartFailed, format!("{problem}{advice}"))
        })
    }

    async fn run(
        self: Arc<Self>,
        request: SessionRequest,
        config: SessionConfig,
        driver: Arc<Driver>,
        launch: Launch,
        told: mpsc::Receiver<super::SessionCommand>,
        events: mpsc::Sender<Vec<SessionEvent>>,
    ) {
        let Launch { child: spec, files } = launch;
        let shown = spec.executable.display().to_string();
        let ended = match child::spawn(spec).await {
            Ok(child) => {
                let opened = Live::open(
                    &request,
                    config,
                    driver,
                    child,
                    self.timeouts,
                    events.clone(),
                );
                match opened {
                    Ok(live) => live.run(told).await,
                    Err(error) => EndCause::Failed {
                        code: ErrorCode::AdapterStartFailed,
                        message: format!("Its session could not be set up: {error}."),
                        retry: true,
                        last_words: None,
                    },
                }
            }
            Err(error) => EndCause::Failed {
                code: ErrorCode::AdapterStartFailed,
                message: format!("{shown} could not be started: {error}."),
                retry: true,
                last_words: None,
            },
        };
        drop(files);
        // A broker that is gone needs no reason.
        let _ = events.send(vec![SessionEvent::Ended(ended)]).await;
    }
}

fn session_config(
    request: &SessionRequest,
    command: &ResolvedCommand,
    agent: &AgentLaunch,
) -> SessionConfig {
    let mcp = request.mcp.iter().map(|mount| McpAttachment {
        name: "groupx".into(),
        url: mount.url.clone(),
        headers: vec![Pair {
            name: "X-GroupX-Binding".into(),
            value: mount.secret.clone(),
        }],
    });
    // An agent names the folder itself, not a link to it, and its driver holds it to that.
    let workdir = agent.workdir.canonicalize();
    let workdir = workdir.as_ref().unwrap_or(&agent.workdir);
    SessionConfig {
        session: request.session.clone(),
        new_session_id: request.new_session_id.clone(),
        executable: command.executable.to_string_lossy().into_owned(),
        executable_version: String::new(),
        os: std::env::consts::OS.into(),
        workdir: workdir.to_string_lossy().into_owned(),
        mcp: mcp.collect(),
        resume: request.resume.clone(),
        client_name: "groupx".into(),
        client_version: env!("CARGO_PKG_VERSION").into(),
        limits: driver::default_limits(),
    }
}
