//! Who can be addressed: the agents of the configuration, in its order.

use crate::protocol::request::Targets;
use crate::protocol::{ActorId, ActorKind, ActorRef, AgentId, ErrorCode, Fault, InstanceId};
use serde_json::json;

/// One agent as the broker knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its key.
    pub agent: AgentId,
    /// Its actor.
    pub actor: ActorId,
    /// Its name.
    pub name: String,
    /// Its driver's id.
    pub driver: String,
    /// Its folder.
    pub cwd: String,
    /// What the configuration says it is.
    pub identity: Option<String>,
    /// Whether it can be addressed.
    pub enabled: bool,
}

impl Member {
    /// Its actor as the author of an event.
    pub fn author(&self, instance: Option<&InstanceId>) -> ActorRef {
        ActorRef {
            actor_id: self.actor.clone(),
            kind: ActorKind::Agent,
            instance_id: instance.cloned(),
            display_name: self.name.clone(),
        }
    }
}

/// All agents.
#[derive(Debug, Clone, Default)]
pub struct Roster(pub Vec<Member>);

impl Roster {
    /// The enabled ones.
    pub fn enabled(&self) -> impl Iterator<Item = &Member> {
        self.0.iter().filter(|member| member.enabled)
    }

    /// An enabled agent by its actor.
    pub fn member(&self, actor: &ActorId) -> Option<&Member> {
        self.enabled().find(|member| member.actor == *actor)
    }

    /// The agents that a message wakes, or which of them cannot be (contract Ours 1).
    pub fn resolve(&self, targets: &Targets) -> Result<Vec<&Member>, Fault> {
        let Targets::These(actors) = targets else {
            let mut all: Vec<_> = self.enabled().collect();
            all.sort_by(|a, b| a.actor.cmp(&b.actor));
            return Ok(all);
        };
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for actor in actors {
            match self.member(actor) {
                Some(member) => found.push(member),
                None => missing.push(actor),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        let words: Vec<_> = missing.iter().map(|actor| self.why_not(actor)).collect();
        let known: Vec<_> = self.enabled().map(|m| m.actor.as_str()).collect();
        let text = format!(
            "{} Agents that can be addressed: {}.",
            words.join(" "),
            known.join(", ")
        );
        Err(Fault::new(ErrorCode::UnknownTarget, text).with(json!({ "unknownTargets": missing })))
    }

    fn why_not(&self, actor: &ActorId) -> String {
        if self.0.iter().any(|member| member.actor == *actor) {
            format!("{actor} is disabled in groupx.json.")
        } else {
            format!("There is no {actor} in this room.")
        }
    }
}
