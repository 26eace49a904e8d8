//! From a started process to a session that takes prompts.
//!
//! initialize, then the unrestricted mode, which the start alone does not prove, then the room's tools:
//! Claude connects to them while it already takes prompts, and a turn that begins before that runs
//! without them.

use crate::control::{Ask, Link};
use crate::errors;
use crate::launch::{CAPABILITIES, UNRESTRICTED};
use crate::work::Work;
use groupx_driver_sdk::{Failure, Level, SessionConfig, SessionReady, text};
use serde_json::{Value, json};

/// Between two looks at the tools, in milliseconds.
const LOOK: u64 = 200;
/// Looks before the session begins without tools: a little over Claude's own limit of half a minute.
const LOOKS: u32 = 160;
const TIMER: &str = "tools";

/// What is remembered until the session is ready.
#[derive(Debug, Default)]
pub(crate) struct Handshake {
    looks: u32,
}

/// What an answer leads to.
pub(crate) enum Next {
    Wait,
    Ready(SessionReady, Box<Work>),
    Failed(Failure),
}

pub(crate) fn begin(link: &mut Link) {
    link.ask(&json!({ "subtype": "initialize" }), Ask::Initialize);
}

impl Handshake {
    pub(crate) fn answered(
        &mut self,
        ask: Ask,
        answer: Result<Value, String>,
        config: &SessionConfig,
        link: &mut Link,
    ) -> Next {
        match (ask, answer) {
            (Ask::Initialize, Ok(_)) => {
                let request = json!({ "subtype": "set_permission_mode", "mode": UNRESTRICTED });
                link.ask(&request, Ask::SetMode);
                Next::Wait
            }
            (Ask::Initialize, Err(error)) => {
                let message = format!("Claude did not accept the handshake: {error}");
                Next::Failed(errors::failure("internal", &message))
            }
            (Ask::SetMode, Ok(response)) => match response["mode"].as_str() {
                Some(mode) if mode != UNRESTRICTED => Next::Failed(errors::wrong_mode(mode)),
                _ if config.mcp.is_empty() => Next::Ready(ready(config), work(config)),
                _ => {
                    look(link);
                    Next::Wait
                }
            },
            (Ask::SetMode, Err(error)) => Next::Failed(errors::mode_refused(&error)),
            (Ask::Tools, answer) => self.tools(answer, config, link),
            (Ask::Interrupt, _) => Next::Wait,
        }
    }

    fn tools(
        &mut self,
        answer: Result<Value, String>,
        config: &SessionConfig,
        link: &mut Link,
    ) -> Next {
        self.looks += 1;
        let servers = match &answer {
            Ok(response) => response["mcpServers"]
                .as_array()
                .map_or(&[][..], Vec::as_slice),
            Err(error) => {
                link.out.diagnostic(Level::Warn, "mcp-unknown", error);
                &[]
            }
        };
        let ours = || servers.iter().filter(|server| is_ours(server, config));
        if self.looks < LOOKS && ours().any(|server| server["status"] == "pending") {
            link.out.set_timer(TIMER, LOOK);
            return Next::Wait;
        }
        for server in ours().filter(|server| server["status"] != "connected") {
            missing(server, link);
        }
        Next::Ready(ready(config), work(config))
    }

    pub(crate) fn timer(&self, name: &str, link: &mut Link) {
        if name == TIMER {
            look(link);
        }
    }
}

fn look(link: &mut Link) {
    link.ask(&json!({ "subtype": "mcp_status" }), Ask::Tools);
}

/// Whether a server that Claude speaks of is one that this session brought.
pub(crate) fn is_ours(server: &Value, config: &SessionConfig) -> bool {
    config.mcp.iter().any(|ours| server["name"] == *ours.name)
}

/// A server of ours whose tools the agent does not have.
pub(crate) fn missing(server: &Value, link: &mut Link) {
    let word = |key: &str| server[key].as_str().unwrap_or("?");
    let message = format!("MCP server {}: {}", word("name"), word("status"));
    let message = match server["error"].as_str() {
        Some(error) => format!("{message}: {}", text::one_line(error, 400)),
        None => message,
    };
    link.out.diagnostic(Level::Warn, "mcp-failed", &message);
}

fn session(config: &SessionConfig) -> &str {
    config.resume.as_ref().unwrap_or(&config.new_session_id)
}

fn work(config: &SessionConfig) -> Box<Work> {
    Box::new(Work::new(session(config), config))
}

fn ready(config: &SessionConfig) -> SessionReady {
    SessionReady {
        native_session_id: Some(session(config).to_owned()),
        // A session that is gone ends the process before it answers.
        resumed: config.resume.is_some(),
        lost: None,
        agent_name: Some("Claude Code".into()),
        agent_version: version(&config.executable_version),
        model: None,
        capabilities: CAPABILITIES,
    }
}

/// `2.1.197 (Claude Code)` → `2.1.197`
fn version(probed: &str) -> Option<String> {
    probed.split_whitespace().next().map(str::to_owned)
}
