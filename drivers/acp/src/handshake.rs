//! From a started process to a session that takes prompts.
//!
//! initialize, then session/load or session/new, then the mode in which the agent asks nobody. A session
//! is loaded only where one was prompted before, so a load that brings no history back has lost it,
//! whatever the agent answers: then a new one is opened, and the reason is told.

use crate::call::{Call, Link};
use crate::errors;
use crate::facts::{Facts, PROTOCOL};
use crate::modes::{self, Choice};
use crate::profile::{CAPABILITIES, Profile};
use crate::update;
use groupx_driver_sdk::jsonrpc::RpcError;
use groupx_driver_sdk::{Capabilities, Failure, Level, SessionConfig, SessionReady};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// How long a load may take, in milliseconds: agents in Python need half a minute on a busy machine, and
/// the host's own limit is a minute.
const LOAD_PATIENCE: u64 = 50_000;
const LOAD_TIMER: &str = "load";

/// What is known until the session is ready.
#[derive(Debug)]
pub(crate) struct Handshake {
    pub(crate) facts: Facts,
    /// The session that is being loaded.
    loading: Option<String>,
    /// Whether the load has brought something back.
    history: bool,
    opened: Option<Opened>,
    /// Whether the agent has said that its MCP servers are there.
    tools_there: bool,
}

#[derive(Debug)]
struct Opened {
    session: String,
    resumed: bool,
    lost: Option<String>,
    model: Option<String>,
}

/// What an answer leads to.
pub(crate) enum Next {
    Wait,
    Ready(Ready),
    Failed(Failure),
}

/// A session that takes prompts.
pub(crate) struct Ready {
    pub(crate) news: SessionReady,
    pub(crate) session: String,
    pub(crate) facts: Facts,
    pub(crate) tools_there: bool,
}

impl Handshake {
    pub(crate) fn new(profile: &Profile, config: &SessionConfig) -> Self {
        Self {
            facts: Facts::by_program(profile, config),
            loading: None,
            history: false,
            opened: None,
            tools_there: false,
        }
    }

    /// The first words. No files and no terminals are offered: the agent works by itself.
    pub(crate) fn begin(config: &SessionConfig, link: &mut Link) {
        let params = json!({
            "protocolVersion": PROTOCOL,
            "clientCapabilities": {},
            "clientInfo": { "name": config.client_name, "title": "GroupX", "version": config.client_version },
        });
        link.call("initialize", &params, Call::Initialize);
    }

    pub(crate) fn answered(
        &mut self,
        call: Call,
        answer: Result<&RawValue, RpcError>,
        profile: &Profile,
        config: &SessionConfig,
        link: &mut Link,
    ) -> Next {
        let answer = answer.map(|result| serde_json::from_str(result.get()).unwrap_or(Value::Null));
        match (call, answer) {
            (Call::Initialize, Ok(answer)) => match Facts::read(profile, config, &answer) {
                Ok(facts) => {
                    self.facts = facts;
                    self.open(config, link)
                }
                Err(failure) => Next::Failed(failure),
            },
            (Call::Load, answer) => self.loaded(answer, config, link),
            (Call::New { lost }, Ok(answer)) => match answer["sessionId"].as_str() {
                Some(session) if !session.is_empty() => {
                    self.opened(session.to_owned(), lost, false, &answer, link)
                }
                _ => Next::Failed(errors::failure(
                    "protocol-error",
                    &format!("{} opened a session without an id", self.facts.title),
                )),
            },
            (Call::Mode { .. } | Call::ModeOption { .. }, Ok(_)) => self.ready(),
            (Call::Mode { must }, Err(error)) => self.mode_refused(must, &error, link),
            (Call::ModeOption { mode }, Err(error)) => {
                if error.code == errors::METHOD_NOT_FOUND {
                    self.set_mode(&mode, false, link);
                    return Next::Wait;
                }
                self.mode_refused(false, &error, link)
            }
            (Call::Initialize, Err(error)) => {
                self.refused("did not accept the handshake", &error, link)
            }
            (Call::New { .. }, Err(error)) => {
                self.refused("could not open a session", &error, link)
            }
            (Call::Prompt { .. } | Call::Close, _) => Next::Wait,
        }
    }

    /// A notification that came before the session was ready.
    pub(crate) fn notified(&mut self, method: &str, params: Option<&RawValue>) {
        if Some(method) == self.facts.agent.tools_sign {
            self.tools_there = true;
        }
        if let (update::METHOD, Some(session)) = (method, &self.loading)
            && let Some(update) = update::Update::of_params(params)
        {
            self.history |= *update.session == **session && update::is_history(&update.kind);
        }
    }

    /// The load has taken too long. Its answer, should it come, means nothing any more.
    pub(crate) fn timer(&mut self, name: &str, config: &SessionConfig, link: &mut Link) {
        if name == LOAD_TIMER && self.loading.take().is_some() {
            let lost = format!(
                "{} did not answer when it was asked for its old session",
                self.facts.title
            );
            new_session(config, Some(lost), link);
        }
    }

    fn open(&mut self, config: &SessionConfig, link: &mut Link) -> Next {
        match &config.resume {
            None => new_session(config, None, link),
            Some(_) if !self.facts.loads => {
                let lost = format!("{} cannot take up an old session", self.facts.title);
                new_session(config, Some(lost), link);
            }
            Some(session) => {
                let mut params = session_params(config);
                params["sessionId"] = json!(session);
                link.call("session/load", &params, Call::Load);
                link.out.set_timer(LOAD_TIMER, LOAD_PATIENCE);
                self.loading = Some(session.clone());
            }
        }
        Next::Wait
    }

    fn loaded(
        &mut self,
        answer: Result<Value, RpcError>,
        config: &SessionConfig,
        link: &mut Link,
    ) -> Next {
        // Given up already.
        let Some(session) = self.loading.take() else {
            return Next::Wait;
        };
        link.out.clear_timer(LOAD_TIMER);
        let title = &self.facts.title;
        let lost = match &answer {
            Err(error) => format!(
                "{title} could not load its old session ({})",
                errors::words(error)
            ),
            Ok(answer) => {
                let lacks_modes = self.facts.agent.loads_with_modes && !answer["modes"].is_object();
                if self.history && !lacks_modes {
                    return self.opened(session, None, true, answer, link);
                }
                format!("{title} no longer has its old session")
            }
        };
        new_session(config, Some(lost), link);
        Next::Wait
    }

    fn opened(
        &mut self,
        session: String,
        lost: Option<String>,
        resumed: bool,
        answer: &Value,
        link: &mut Link,
    ) -> Next {
        self.opened = Some(Opened {
            session,
            resumed,
            lost,
            model: model(answer),
        });
        let agent = self.facts.agent;
        match modes::choose(agent.mode, answer) {
            Choice::Nothing => return self.ready(),
            Choice::Set { mode, must } => self.set_mode(&mode, must, link),
            Choice::Option { option, mode } => {
                let params =
                    json!({ "sessionId": self.session(), "configId": option, "value": mode });
                link.call(
                    "session/set_config_option",
                    &params,
                    Call::ModeOption { mode },
                );
            }
            Choice::Lacking(mode) => return Next::Failed(self.lacking(mode)),
        }
        Next::Wait
    }

    fn set_mode(&self, mode: &str, must: bool, link: &mut Link) {
        let params = json!({ "sessionId": self.session(), "modeId": mode });
        link.call("session/set_mode", &params, Call::Mode { must });
    }

    fn session(&self) -> &str {
        self.opened
            .as_ref()
            .map_or("", |opened| opened.session.as_str())
    }

    fn mode_refused(&mut self, must: bool, error: &RpcError, link: &mut Link) -> Next {
        let title = &self.facts.title;
        let doing = format!("{title} refused the mode in which it asks nobody");
        if errors::is_policy(error) {
            return Next::Failed(Failure {
                code: "policy-blocked".into(),
                retryable: false,
                ..errors::of_call(&doing, error, link.max_json)
            });
        }
        if must {
            return Next::Failed(errors::of_call(&doing, error, link.max_json));
        }
        // It may never ask; if it does, that turn fails and says why.
        let note = format!("{doing}: {}", errors::words(error));
        link.out.diagnostic(Level::Warn, "mode-refused", &note);
        self.ready()
    }

    fn lacking(&self, mode: &str) -> Failure {
        let message = match self.facts.agent.without_mode {
            "" => format!(
                "{} does not offer the mode {mode:?}, in which it asks nobody",
                self.facts.title
            ),
            advice => advice.to_owned(),
        };
        errors::failure("executable-unsupported", &message)
    }

    fn refused(&self, doing: &str, error: &RpcError, link: &Link) -> Next {
        let mut failure = errors::of_call(
            &format!("{} {doing}", self.facts.title),
            error,
            link.max_json,
        );
        if failure.code == "not-authenticated" {
            failure.message = format!("{}. {}", failure.message, self.facts.login());
        }
        Next::Failed(failure)
    }

    fn ready(&mut self) -> Next {
        let Some(opened) = self.opened.take() else {
            return Next::Wait;
        };
        let capabilities = match self.facts.loads {
            true => CAPABILITIES,
            false => CAPABILITIES & !Capabilities::RESUME,
        };
        Next::Ready(Ready {
            news: SessionReady {
                native_session_id: Some(opened.session.clone()),
                resumed: opened.resumed,
                lost: opened.lost,
                agent_name: Some(self.facts.title.clone()),
                agent_version: self.facts.version.clone(),
                model: opened.model,
                capabilities,
            },
            session: opened.session,
            facts: self.facts.clone(),
            tools_there: self.tools_there,
        })
    }
}

fn new_session(config: &SessionConfig, lost: Option<String>, link: &mut Link) {
    link.call("session/new", &session_params(config), Call::New { lost });
}

/// MCP servers are passed whatever the agent says of itself: some take them without saying so. Whether
/// they are there in the end is seen at their own door.
fn session_params(config: &SessionConfig) -> Value {
    let servers: Vec<_> = config
        .mcp
        .iter()
        .map(|server| {
            let headers: Vec<_> = server
                .headers
                .iter()
                .map(|header| json!({ "name": header.name, "value": header.value }))
                .collect();
            json!({ "type": "http", "name": server.name, "url": server.url, "headers": headers })
        })
        .collect();
    json!({ "cwd": config.workdir, "mcpServers": servers })
}

/// The model, where one of the two usual places names it.
fn model(opened: &Value) -> Option<String> {
    let options = opened["configOptions"].as_array();
    let option = options
        .into_iter()
        .flatten()
        .find(|option| option["category"] == "model");
    let model = opened["models"]["currentModelId"]
        .as_str()
        .or(option.and_then(|option| option["currentValue"].as_str()))?;
    Some(groupx_driver_sdk::text::one_line(model, 120))
}
