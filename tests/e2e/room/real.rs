//! A room with one real CLI in it, and a scripted model behind that.

use std::path::Path;

use serde_json::Value;

use super::clis::RealCli;
use super::{AgentPlan, MockModel, Plan, Room};

/// A room whose only agent is a real CLI; agent, driver and CLI have one name.
pub(crate) struct RealRoom {
    pub(crate) room: Room,
    pub(crate) model: MockModel,
    pub(crate) agent: String,
    home: tempfile::TempDir,
}

impl RealRoom {
    pub(crate) async fn of(cli: &RealCli) -> Self {
        Self::planned(cli, Plan::empty()).await
    }

    /// The same, with more to it than the agent.
    pub(crate) async fn planned(cli: &RealCli, plan: Plan) -> Self {
        let program = cli.program();
        let model = MockModel::start();
        let home = tempfile::tempdir().expect("a temporary folder");
        let mut plan = plan.with(AgentPlan::program(cli.name, cli.name, &program));
        for (name, value) in cli.settle(home.path(), &model.url()) {
            plan = plan.env_beneath(&name, &value);
        }
        Self {
            room: Room::open(plan).await,
            model,
            agent: format!("agent:{}", cli.name),
            home,
        }
    }

    /// The CLI's own folder.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) async fn say(&self, text: &str) -> String {
        self.room.say(&self.agent, text).await
    }

    pub(crate) async fn ask(&self, text: &str) -> String {
        self.room.ask(&self.agent, text).await
    }

    /// The newest model request as text: all that the CLI knew when it asked.
    pub(crate) fn last_request(&self) -> String {
        let requests = self.model.requests();
        requests.last().map(Value::to_string).unwrap_or_default()
    }

    /// How often the model was asked with this as the room's newest message.
    pub(crate) fn asked(&self, message: &str) -> usize {
        // A packet quotes what was said before, so only its end says what was asked; some CLIs put a
        // tag of their own behind it.
        let is_newest = |prompt: &str| {
            let newest = prompt.rsplit_once("[current_message]\n");
            newest.is_some_and(|(_, newest)| newest.starts_with(message))
        };
        let requests = self.model.requests();
        let prompts = requests.iter().filter_map(newest_prompt);
        prompts.filter(|prompt| is_newest(prompt)).count()
    }
}

/// The newest text by the user in a model request of either shape.
fn newest_prompt(request: &Value) -> Option<&str> {
    let list = request["input"]
        .as_array()
        .or(request["messages"].as_array())?;
    let newest = list.iter().rfind(|item| item["role"] == "user")?;
    match &newest["content"] {
        Value::String(text) => Some(text),
        parts => parts.as_array()?.last()?["text"].as_str(),
    }
}
