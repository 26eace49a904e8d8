//! What an agent said of itself when it was greeted.

use crate::agent::Agent;
use crate::errors;
use crate::profile::{Agents, Profile};
use groupx_driver_sdk::{Failure, SessionConfig, text};
use serde_json::Value;

/// The protocol's version that is spoken here.
pub(crate) const PROTOCOL: u64 = 1;

#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub(crate) agent: &'static Agent,
    /// Its name for people.
    pub(crate) title: String,
    pub(crate) version: Option<String>,
    pub(crate) loads: bool,
    pub(crate) closes: bool,
    /// Ways to sign in, as it names them.
    logins: Vec<String>,
}

impl Facts {
    /// Before it has spoken: what its program's name tells.
    pub(crate) fn by_program(profile: &Profile, config: &SessionConfig) -> Self {
        let agent = profile.by_program(&config.executable);
        Self {
            agent,
            title: title(agent, &Value::Null),
            version: None,
            loads: false,
            closes: false,
            logins: Vec::new(),
        }
    }

    /// From the answer to `initialize`.
    ///
    /// # Errors
    /// This agent cannot be spoken to, or is another one than the driver is for.
    pub(crate) fn read(
        profile: &Profile,
        config: &SessionConfig,
        answer: &Value,
    ) -> Result<Self, Failure> {
        let info = &answer["agentInfo"];
        let name = info["name"].as_str();
        let agent = profile.by_voice(name, &config.executable);
        let facts = Self {
            agent,
            title: title(agent, info),
            version: version(answer),
            loads: answer["agentCapabilities"]["loadSession"] == true,
            closes: answer["agentCapabilities"]["sessionCapabilities"]["close"].is_object(),
            logins: names(&answer["authMethods"]),
        };
        match answer["protocolVersion"].as_u64() {
            Some(spoken) if spoken != PROTOCOL => {
                let message = format!(
                    "{} speaks version {spoken} of the Agent Client Protocol, and only version {PROTOCOL} is known here",
                    facts.title
                );
                return Err(errors::failure("executable-unsupported", &message));
            }
            _ => {}
        }
        let is_another = matches!(profile.agents, Agents::Only(_))
            && !agent.calls_itself.is_empty()
            && name != Some(agent.calls_itself);
        if is_another {
            let message = format!(
                "this program is not {}: it calls itself {:?}",
                agent.title,
                text::one_line(name.unwrap_or("nothing"), 80)
            );
            return Err(errors::failure("executable-unsupported", &message));
        }
        Ok(facts)
    }

    /// How to sign in, for people.
    pub(crate) fn login(&self) -> String {
        match (&self.logins[..], self.agent.login == Agent::UNKNOWN.login) {
            ([], _) | (_, false) => self.agent.login.to_owned(),
            (names, true) => format!("{} It offers: {}.", self.agent.login, names.join(", ")),
        }
    }
}

fn title(agent: &Agent, info: &Value) -> String {
    let own = info["title"].as_str().or(info["name"].as_str());
    match (agent.title, own) {
        ("", Some(own)) if !own.trim().is_empty() => text::one_line(own, 60),
        ("", _) => "the agent".to_owned(),
        (title, _) => title.to_owned(),
    }
}

fn version(answer: &Value) -> Option<String> {
    let version = answer["agentInfo"]["version"]
        .as_str()
        .or(answer["_meta"]["agentVersion"].as_str())?;
    Some(text::one_line(version, 60))
}

fn names(methods: &Value) -> Vec<String> {
    let methods = methods.as_array().into_iter().flatten().take(6);
    methods
        .filter_map(|method| method["name"].as_str().or(method["id"].as_str()))
        .map(|name| text::one_line(name, 60))
        .collect()
}
