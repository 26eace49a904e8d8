//! From a started process to a thread that takes prompts.
//!
//! initialize, initialized, configRequirements/read, then thread/resume or thread/start. The
//! unrestricted mode is asked for there and read back from the answer: a thread that is stricter than
//! asked would stop at questions that nobody answers.

use crate::call::{Call, Link};
use crate::work::Work;
use crate::{errors, launch};
use groupx_driver_sdk::jsonrpc::RpcError;
use groupx_driver_sdk::{Failure, Level, SessionConfig, SessionReady, folder};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// Notifications that say nothing to a room.
const NOISE: [&str; 5] = [
    "account/rateLimits/updated",
    "remoteControl/status/changed",
    "thread/started",
    "thread/status/changed",
    "turn/diff/updated",
];
/// A tool of the room may wait for another agent's turn.
const TOOL_SECONDS: u32 = 600;
const TOOLS_START_SECONDS: u32 = 20;

/// What the first answers said, until the session is ready.
#[derive(Debug, Default)]
pub(crate) struct Handshake {
    version: Option<String>,
}

/// What an answer leads to.
pub(crate) enum Next {
    Wait,
    Ready(SessionReady, Box<Work>),
    Failed(Failure),
}

pub(crate) fn begin(config: &SessionConfig, link: &mut Link) {
    let params = json!({
        "clientInfo": { "name": config.client_name, "title": "GroupX", "version": config.client_version },
        // The experimental part holds the one call that ends a command which outlived a cancelled turn.
        "capabilities": { "experimentalApi": true, "optOutNotificationMethods": NOISE },
    });
    link.call("initialize", &params, Call::Initialize);
}

impl Handshake {
    pub(crate) fn answered(
        &mut self,
        call: Call,
        answer: Result<&RawValue, RpcError>,
        config: &SessionConfig,
        link: &mut Link,
    ) -> Next {
        let answer = answer.map(|result| serde_json::from_str(result.get()).unwrap_or(Value::Null));
        match (call, answer) {
            (Call::Initialize, Ok(result)) => {
                self.version = version(&result);
                let line = link.peer.notify("initialized", &json!({}));
                link.out.write(line);
                link.call("configRequirements/read", &json!({}), Call::Requirements);
                Next::Wait
            }
            (Call::Requirements, Ok(result)) => match blocked_by(&result["requirements"]) {
                Some(failure) => Next::Failed(failure),
                None => self.open_thread(config, link),
            },
            // A Codex without this method has no such policy; the thread's own answer is checked anyway.
            (Call::Requirements, Err(error)) => {
                link.out
                    .diagnostic(Level::Warn, "no-requirements", &error.to_string());
                self.open_thread(config, link)
            }
            (Call::ThreadResume, Err(error)) if is_gone(&error) => {
                let lost = format!("Codex no longer has this session ({})", error.message);
                start(config, Some(lost), link);
                Next::Wait
            }
            (Call::ThreadResume, Ok(result)) => self.opened(&result, config, None, true),
            (Call::ThreadStart { lost }, Ok(result)) => self.opened(&result, config, lost, false),
            (Call::Initialize, Err(error)) => refused("did not accept the handshake", &error, link),
            (Call::ThreadResume, Err(error)) => {
                refused("could not resume its session", &error, link)
            }
            (Call::ThreadStart { .. }, Err(error)) => {
                refused("could not start a session", &error, link)
            }
            (Call::TurnStart { .. } | Call::Interrupt { .. } | Call::CleanTerminals, _) => {
                Next::Wait
            }
        }
    }

    fn open_thread(&self, config: &SessionConfig, link: &mut Link) -> Next {
        match &config.resume {
            None => start(config, None, link),
            Some(thread) => {
                let mut params = thread_params(config);
                params.insert("threadId".into(), json!(thread));
                params.insert("excludeTurns".into(), json!(true));
                link.call("thread/resume", &Value::Object(params), Call::ThreadResume);
            }
        }
        Next::Wait
    }

    fn opened(
        &mut self,
        result: &Value,
        config: &SessionConfig,
        lost: Option<String>,
        resumed: bool,
    ) -> Next {
        let Some(thread) = result["thread"]["id"].as_str() else {
            return Next::Failed(errors::failure(
                "protocol-error",
                "Codex opened a thread without an id",
            ));
        };
        if let Some(failure) = differs(result, config) {
            return Next::Failed(failure);
        }
        let ready = SessionReady {
            native_session_id: Some(thread.to_owned()),
            resumed,
            lost,
            agent_name: Some("Codex".into()),
            agent_version: self.version.take(),
            model: result["model"].as_str().map(str::to_owned),
            capabilities: launch::CAPABILITIES,
        };
        Next::Ready(ready, Box::new(Work::new(thread, resumed)))
    }
}

fn start(config: &SessionConfig, lost: Option<String>, link: &mut Link) {
    let params = Value::Object(thread_params(config));
    link.call("thread/start", &params, Call::ThreadStart { lost });
}

/// Codex remembers none of these across a resume, so both ways of opening a thread send them.
fn thread_params(config: &SessionConfig) -> Map<String, Value> {
    let mut params = Map::new();
    params.insert("cwd".into(), json!(config.workdir));
    params.insert("approvalPolicy".into(), json!("never"));
    params.insert("sandbox".into(), json!("danger-full-access"));
    let servers: Map<_, _> = config
        .mcp
        .iter()
        .map(|server| {
            let headers: Map<_, _> = server
                .headers
                .iter()
                .map(|header| (header.name.clone(), json!(header.value)))
                .collect();
            let settings = json!({
                "url": server.url,
                "http_headers": headers,
                // Otherwise the first turn may run before the tools are there.
                "required": true,
                "tool_timeout_sec": TOOL_SECONDS,
                "startup_timeout_sec": TOOLS_START_SECONDS,
            });
            (format!("mcp_servers.{}", server.name), settings)
        })
        .collect();
    if !servers.is_empty() {
        params.insert("config".into(), Value::Object(servers));
    }
    params
}

fn refused(doing: &str, error: &RpcError, link: &Link) -> Next {
    Next::Failed(errors::of_call(doing, error, link.max_json))
}

/// The code is the same for every refusal, so the words have to do; words not known are not guessed at.
fn is_gone(error: &RpcError) -> bool {
    error.message.contains("no rollout found") || error.message.contains("invalid session id")
}

/// `groupx/0.171.0 (Debian …) …` → `0.171.0`
fn version(initialized: &Value) -> Option<String> {
    let (_, rest) = initialized["userAgent"].as_str()?.split_once('/')?;
    rest.split_whitespace().next().map(str::to_owned)
}

/// A managed policy that forbids what every session here needs.
fn blocked_by(requirements: &Value) -> Option<Failure> {
    let forbids = |key: &str, needed: &str| {
        let allowed = requirements[key].as_array()?;
        let allows = allowed
            .iter()
            .any(|mode| mode.as_str().is_some_and(|mode| same_word(mode, needed)));
        (!allows).then(|| {
            let message = format!("a managed policy of this Codex forbids {needed:?} ({key})");
            errors::failure("policy-blocked", &message)
        })
    };
    forbids("allowedApprovalPolicies", "never")
        .or_else(|| forbids("allowedSandboxModes", "danger-full-access"))
}

/// What the answer says of the thread, where it differs from what was asked. Absent is not different.
fn differs(result: &Value, config: &SessionConfig) -> Option<Failure> {
    let policy = &result["approvalPolicy"];
    if !policy.is_null() && policy.as_str() != Some("never") {
        let message = format!(
            "Codex opened the thread with approval policy {policy} although \"never\" was asked"
        );
        return Some(errors::failure("policy-blocked", &message));
    }
    let sandbox = &result["sandbox"];
    let mode = sandbox["type"].as_str().or(sandbox.as_str());
    if !sandbox.is_null() && !mode.is_some_and(|mode| same_word(mode, "danger-full-access")) {
        let message = format!(
            "Codex opened the thread with sandbox {sandbox} although full access was asked"
        );
        return Some(errors::failure("policy-blocked", &message));
    }
    let cwd = result["cwd"].as_str()?;
    (!folder::same(cwd, &config.workdir, &config.os)).then(|| {
        let message = format!("Codex works in {cwd} instead of {}", config.workdir);
        errors::failure("protocol-error", &message)
    })
}

/// `danger-full-access` in a request is `dangerFullAccess` in an answer.
fn same_word(a: &str, b: &str) -> bool {
    let letters = |word: &str| {
        word.bytes()
            .filter(u8::is_ascii_alphanumeric)
            .map(|b| b.to_ascii_lowercase())
            .collect::<Vec<_>>()
    };
    letters(a) == letters(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_stands_in_the_user_agent() {
        let answer = json!({ "userAgent": "groupx/0.171.0 (Debian 12.0.0; x86_64) unknown (groupx; 0.1.0)" });
        assert_eq!(version(&answer).as_deref(), Some("0.171.0"));
        assert_eq!(version(&json!({})), None);
    }
}
