//! One GroupX under test: its folder, its process, its agents and its event stream. It owns what
//! has to be cleaned up and refuses to know what any story expects.

mod api;
mod clis;
mod deadline;
mod events;
mod model;
mod plan;
mod process;
mod real;
mod store;
mod turns;
mod wire;

use std::path::{Path, PathBuf};

use rustix::process::Signal;
use tempfile::TempDir;

pub(crate) use api::{Reply, command_id};
pub(crate) use clis::{CLAUDE, CODEX, GROK, HERMES, KIMI, RealCli};
pub(crate) use deadline::eventually;
pub(crate) use events::{Envelope, Events};
pub(crate) use model::MockModel;
pub(crate) use plan::{AgentPlan, Plan};
pub(crate) use process::{Finished, Groupx, run_groupx};
pub(crate) use real::RealRoom;
pub(crate) use store::Store;
pub(crate) use turns::{Accepted, TERMINAL};
pub(crate) use wire::WireLog;

/// A room that is running (or was, until the story killed it).
pub(crate) struct Room {
    folder: TempDir,
    config: PathBuf,
    port: u16,
    client: reqwest::Client,
    groupx: Groupx,
    events: Option<Events>,
}

impl Room {
    /// Starts GroupX on the plan and waits until every agent is ready or has given up.
    pub(crate) async fn open(plan: Plan) -> Self {
        let mut room = Self::launch(plan).await;
        room.ready().await;
        room.follow().await;
        room
    }

    /// Starts GroupX on the plan and waits for its first answer only.
    pub(crate) async fn launch(plan: Plan) -> Self {
        let (folder, config, port, env) = plan.write();
        let arguments = ["--config", config.to_str().expect("a plain name")];
        let groupx = Groupx::start(folder.path(), &arguments, env);
        let mut room = Self::of(folder, config, port, groupx);
        room.listening().await;
        room
    }

    /// Starts `groupx start --demo`, which chooses its folder and port itself and says them.
    pub(crate) async fn demo() -> Self {
        let folder = plan::room_folder();
        let mut env = plan::private_env(folder.path());
        env.push(("TMPDIR".into(), folder.path().display().to_string()));
        let mut groupx = Groupx::start(folder.path(), &["--demo"], env);
        let port = eventually("GroupX says where it listens", async || {
            groupx.must_run();
            let said = groupx.said();
            let (_, address) = said.split_once("http://127.0.0.1:")?;
            let digits = address.find(|c: char| !c.is_ascii_digit())?;
            address[..digits].parse().ok()
        })
        .await;
        let mut inside = std::fs::read_dir(folder.path())
            .expect("the room's folder")
            .flatten();
        let demo = inside.find(|entry| entry.file_name().to_string_lossy().contains("demo"));
        let config = demo
            .expect("the demo's own folder")
            .path()
            .join("groupx.json");
        let mut room = Self::of(folder, config, port, groupx);
        room.ready().await;
        room.follow().await;
        room
    }

    fn of(folder: TempDir, config: PathBuf, port: u16, groupx: Groupx) -> Self {
        let client = reqwest::Client::builder()
            .no_proxy()
            .build()
            .expect("a plain HTTP client");
        Self {
            folder,
            config,
            port,
            client,
            groupx,
            events: None,
        }
    }

    /// Follows the room's events from its first one on; returns when the past has been told.
    pub(crate) async fn follow(&mut self) {
        let through = self.through_seq().await;
        let events = self.events_after(0).await;
        if through > 0 {
            events
                .one("the past", |event| event.seq() >= Some(through))
                .await;
        }
        self.events = Some(events);
    }

    /// Another reader of the same events, from a cursor.
    pub(crate) async fn events_after(&self, seq: u64) -> Events {
        let url = self.url(&format!("/api/events?afterSeq={seq}"));
        Events::connect(&self.client, &url, self.groupx.log()).await
    }

    /// Ends GroupX as a power cut would, and waits until it is gone.
    pub(crate) async fn kill(&mut self) {
        self.groupx.kill().await;
    }

    /// Starts GroupX again on the same folder and follows it from the first event.
    pub(crate) async fn start_again(&mut self) {
        self.start_unready().await;
        self.ready().await;
        self.follow().await;
    }

    /// Starts GroupX again and waits for its first answer only.
    pub(crate) async fn start_unready(&mut self) {
        self.events = None;
        self.groupx.start_again();
        self.listening().await;
    }

    /// Ends GroupX the way `groupx stop` does and waits for its end.
    pub(crate) async fn stop(&mut self) -> Finished {
        let stopped = self.cli(&["stop", "--config", self.config_text()]).await;
        self.groupx.exited().await;
        stopped
    }

    /// Runs another `groupx` command in the room's folder and environment.
    pub(crate) async fn cli(&self, arguments: &[&str]) -> Finished {
        run_groupx(self.folder.path(), self.groupx.env(), arguments).await
    }

    pub(crate) fn events(&self) -> &Events {
        self.events.as_ref().expect("the story follows the room")
    }

    /// Sends a signal to GroupX and waits for nothing.
    pub(crate) fn signal(&self, signal: Signal) {
        self.groupx.signal(signal);
    }

    pub(crate) fn groupx(&mut self) -> &mut Groupx {
        &mut self.groupx
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn config(&self) -> &Path {
        &self.config
    }

    pub(crate) fn config_text(&self) -> &str {
        self.config.to_str().expect("a folder with a plain name")
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The working directory of an agent.
    pub(crate) fn agent_folder(&self, id: &str) -> PathBuf {
        plan::agent_folder(self.folder.path(), id)
    }

    /// What a fake agent has read and written so far.
    pub(crate) fn wire(&self, id: &str) -> WireLog {
        WireLog::read(&self.agent_folder(id))
    }

    /// The database file.
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join(".groupx/groupx.db")
    }

    /// The database as it stands on the disk now.
    pub(crate) fn store(&self) -> Store {
        Store::copy_of(&self.database())
    }

    async fn listening(&mut self) {
        let groupx = &mut self.groupx;
        let client = &self.client;
        let url = format!("http://127.0.0.1:{}/api/health", self.port);
        eventually("GroupX answers on its port", async || {
            groupx.must_run();
            client.get(&url).send().await.ok()
        })
        .await;
    }

    /// Waits until the first round of session starts is over.
    pub(crate) async fn ready(&mut self) {
        eventually("the room is ready", async || {
            let health = self.get("/api/health").await;
            (health.body["readiness"] == "ready").then_some(())
        })
        .await;
    }
}
