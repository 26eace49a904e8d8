//! A driver as the host sees it: its id, its agents, and what it is called. One value makes one driver.

use crate::agent::Agent;
use groupx_driver_sdk::{Capabilities, Description, LaunchSpec, SessionConfig};
use std::path::Path;

/// What one driver over this state machine is.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// The driver's id.
    pub id: &'static str,
    /// For people.
    pub display_name: &'static str,
    /// The agents that it is for.
    pub agents: Agents,
    /// What "unrestricted" becomes, in words for people.
    pub unrestricted: &'static str,
}

/// Whom a driver is for.
#[derive(Debug, Clone, Copy)]
pub enum Agents {
    /// This one, whatever the program is called.
    Only(&'static Agent),
    /// Whoever speaks the protocol; these are known better.
    Any(&'static [&'static Agent]),
}

/// Everything the protocol has. Whether a session can be resumed shows when the agent answers.
pub(crate) const CAPABILITIES: Capabilities = Capabilities::all();

impl Profile {
    pub(crate) fn description(&self) -> Description {
        let executables = match self.agents {
            Agents::Only(agent) => vec![agent.executable()],
            Agents::Any(agents) => agents.iter().map(|agent| agent.executable()).collect(),
        };
        Description {
            id: self.id.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            display_name: self.display_name.into(),
            native_protocol: "acp v1".into(),
            capabilities: CAPABILITIES,
            executables,
            unrestricted: self.unrestricted.into(),
        }
    }

    pub(crate) fn launch(&self, config: &SessionConfig) -> LaunchSpec {
        let args = self.by_program(&config.executable).args;
        LaunchSpec {
            args: args.iter().map(ToString::to_string).collect(),
            env: Vec::new(),
            env_remove: Vec::new(),
            files: Vec::new(),
        }
    }

    /// The agent that a program is, as far as its name tells.
    pub(crate) fn by_program(&self, executable: &str) -> &'static Agent {
        match self.agents {
            Agents::Only(agent) => agent,
            Agents::Any(agents) => {
                let name = bare_name(executable);
                known(agents, |agent| agent.program == name)
            }
        }
    }

    /// The agent that is speaking: by the name that it gives itself, else by its program.
    pub(crate) fn by_voice(&self, name: Option<&str>, executable: &str) -> &'static Agent {
        match (self.agents, name) {
            (Agents::Any(agents), Some(name)) => {
                let named = agents.iter().find(|agent| agent.calls_itself == name);
                named.copied().unwrap_or_else(|| {
                    // A wrapper may have the name of a program that it is not.
                    let agent = self.by_program(executable);
                    if agent.calls_itself.is_empty() {
                        agent
                    } else {
                        &Agent::UNKNOWN
                    }
                })
            }
            _ => self.by_program(executable),
        }
    }
}

fn known(agents: &'static [&'static Agent], wanted: impl Fn(&Agent) -> bool) -> &'static Agent {
    let found = agents.iter().find(|agent| wanted(agent));
    found.copied().unwrap_or(&Agent::UNKNOWN)
}

/// `/usr/bin/gemini` and `C:\bin\gemini.cmd` are both `gemini`.
fn bare_name(executable: &str) -> &str {
    let name = executable.rsplit(['/', '\\']).next().unwrap_or_default();
    let path = Path::new(name);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("exe" | "cmd" | "bat" | "ps1" | "js" | "mjs") => path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or(name),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known;

    const ANY: Profile = Profile {
        id: "acp",
        display_name: "",
        agents: Agents::Any(&known::ALL),
        unrestricted: "",
    };

    #[test]
    fn a_program_is_known_by_its_bare_name() {
        for name in [
            "/usr/bin/gemini",
            "gemini",
            r"C:\bin\gemini.cmd",
            "/x/gemini.js",
        ] {
            assert_eq!(ANY.by_program(name).title, "Gemini CLI", "{name}");
        }
        assert_eq!(ANY.by_program("/usr/bin/gemini2").args, [""; 0]);
    }

    #[test]
    fn an_agent_is_known_by_what_it_calls_itself_before_its_program_counts() {
        let voice = |name, program| ANY.by_voice(name, program).title;
        assert_eq!(voice(Some("hermes-agent"), "/opt/my-agent"), "Hermes");
        assert_eq!(voice(Some("other"), "/bin/gemini"), "");
        assert_eq!(voice(None, "/bin/grok"), "Grok");
        assert_eq!(voice(Some("goose"), "/bin/goose"), "Goose");
        assert_eq!(voice(None, "/bin/other"), "");
    }
}
