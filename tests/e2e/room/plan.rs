//! What a room is made of before it starts: its agents, its configuration, its environment. It
//! writes files and starts nothing.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU16, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Variables of GroupX's own process.
pub(crate) type Env = Vec<(String, String)>;

/// A room to be opened.
pub(crate) struct Plan {
    agents: Vec<AgentPlan>,
    config: Value,
    env: Env,
}

/// One agent of a plan.
pub(crate) struct AgentPlan {
    id: String,
    driver: String,
    command: Value,
    identity: Option<String>,
    enabled: bool,
    /// The configuration names its folder by a link.
    linked: bool,
    /// The fake agent's start-up file.
    startup: Value,
}

impl AgentPlan {
    /// A fake Codex that does what its prompts say.
    pub(crate) fn fake(id: &str) -> Self {
        Self {
            id: id.into(),
            driver: "codex".into(),
            command: json!({"executable": "node", "prefixArgs": [tool("fake-agents/fake-codex.mjs")]}),
            identity: None,
            enabled: true,
            linked: false,
            startup: json!({}),
        }
    }

    /// A fake ACP agent behind one of the drivers that speak it; the driver's id is the agent's, too.
    pub(crate) fn fake_acp(driver: &str) -> Self {
        Self {
            driver: driver.into(),
            command: json!({"executable": "node", "prefixArgs": [tool("fake-agents/fake-acp.mjs")]}),
            ..Self::fake(driver)
        }
    }

    /// A fake Claude.
    pub(crate) fn fake_claude(id: &str) -> Self {
        Self {
            driver: "claude".into(),
            command: json!({"executable": "node", "prefixArgs": [tool("fake-agents/fake-claude.mjs")]}),
            ..Self::fake(id)
        }
    }

    /// Any other program behind a driver.
    pub(crate) fn program(id: &str, driver: &str, executable: &Path) -> Self {
        Self {
            driver: driver.into(),
            command: json!(executable),
            ..Self::fake(id)
        }
    }

    /// How the fake agent behaves from its start on: keys of `fake-agent.json`.
    pub(crate) fn behaving(mut self, startup: Value) -> Self {
        self.startup = startup;
        self
    }

    /// In the configuration, but not in the room.
    pub(crate) fn disabled(mut self) -> Self {
        self.enabled = false;
        self
    }

    /// In a folder that the configuration names by a link.
    pub(crate) fn behind_a_link(mut self) -> Self {
        self.linked = true;
        self
    }

    /// Who the agent is told to be.
    pub(crate) fn identity(mut self, text: &str) -> Self {
        self.identity = Some(text.into());
        self
    }
}

impl Plan {
    /// A room of fake Codex agents with these ids.
    pub(crate) fn fakes(ids: &[&str]) -> Self {
        ids.iter()
            .fold(Self::empty(), |plan, id| plan.with(AgentPlan::fake(id)))
    }

    pub(crate) fn empty() -> Self {
        Self {
            agents: Vec::new(),
            config: json!({}),
            env: Vec::new(),
        }
    }

    pub(crate) fn with(mut self, agent: AgentPlan) -> Self {
        self.agents.push(agent);
        self
    }

    /// Sets one configuration value: `set("timeouts.idleMs", 500)`.
    pub(crate) fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        let slot = key
            .split('.')
            .fold(&mut self.config, |at, part| &mut at[part]);
        *slot = value.into();
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// A variable that the plan may set otherwise.
    pub(super) fn env_beneath(mut self, name: &str, value: &str) -> Self {
        self.env.insert(0, (name.into(), value.into()));
        self
    }

    /// Writes the room's folder: configuration file, agents' folders, start-up files.
    pub(super) fn write(self) -> (TempDir, PathBuf, u16, Env) {
        let folder = room_folder();
        let port = free_port();
        let mut config = self.config;
        config["server"]["port"] = json!(port);
        for agent in self.agents {
            let cwd = agent_folder(folder.path(), &agent.id);
            std::fs::create_dir_all(&cwd).expect("the agent's folder");
            let mut startup = agent.startup;
            startup["wireLog"] = json!(true);
            write_json(&cwd.join("fake-agent.json"), &startup);
            let named = match agent.linked {
                true => linked(&cwd),
                false => cwd,
            };
            let mut entry = json!({
                "driver": agent.driver,
                "command": agent.command,
                "cwd": named,
                "enabled": agent.enabled,
            });
            if let Some(identity) = agent.identity {
                entry["identity"] = json!(identity);
            }
            config["agents"][agent.id] = entry;
        }
        let path = folder.path().join("groupx.json");
        write_json(&path, &config);
        let mut env = private_env(folder.path());
        env.extend(self.env);
        (folder, path, port, env)
    }
}

/// Nothing of the person who runs the tests: no configuration, no dropped-in drivers.
pub(super) fn private_env(room: &Path) -> Env {
    let inside = |name: &str| room.join(name).display().to_string();
    vec![
        ("HOME".into(), inside("home")),
        ("XDG_DATA_HOME".into(), inside("data")),
        ("XDG_CONFIG_HOME".into(), inside("config")),
        ("XDG_RUNTIME_DIR".into(), inside("run")),
        // Compiled drivers are the one thing that rooms may share.
        (
            "XDG_CACHE_HOME".into(),
            format!("{}/cache", env!("CARGO_TARGET_TMPDIR")),
        ),
    ]
}

/// A folder for one room.
pub(super) fn room_folder() -> TempDir {
    tempfile::Builder::new()
        .prefix("groupx-e2e-")
        .tempdir()
        .expect("a temporary folder")
}

/// A file of the test tools.
pub(crate) fn tool(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/tools")
        .join(path)
        .canonicalize()
        .expect("the test tools stand beside the tests")
}

pub(super) fn agent_folder(room: &Path, id: &str) -> PathBuf {
    room.join("agents").join(id)
}

/// A link beside the folder that leads to it.
fn linked(folder: &Path) -> PathBuf {
    let link = folder.with_extension("link");
    std::os::unix::fs::symlink(folder, &link).expect("a link to the agent's folder");
    link
}

fn write_json(path: &Path, value: &Value) {
    std::fs::write(path, value.to_string()).expect("a file in the room's folder");
}

/// A port that nobody has, outside the range from which the system hands out its own: the room
/// must get the same one again after a restart.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    const FIRST: u16 = 20_000;
    const COUNT: u16 = 12_000;
    let start = u16::try_from(std::process::id() % u32::from(COUNT)).expect("below COUNT");
    loop {
        let step = NEXT.fetch_add(1, Ordering::Relaxed);
        let port = FIRST + (start + step) % COUNT;
        if std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
