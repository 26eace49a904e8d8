//! The tools of a turn: each is told when something of it changes, and none stays open.

use crate::agent::Agent;
use crate::call::Link;
use crate::tool::{self, Servers, Tool};
use groupx_driver_sdk::{Output, ToolProgress, ToolStatus};
use serde_json::Value;

#[derive(Debug, Default)]
pub(crate) struct Tools {
    calls: Vec<Known>,
}

#[derive(Debug)]
struct Known {
    tool: Tool,
    told: ToolProgress,
}

impl Tools {
    /// Whether the turn used a tool at all.
    pub(crate) fn any(&self) -> bool {
        !self.calls.is_empty()
    }

    pub(crate) fn knows(&self, id: &str) -> bool {
        self.calls.iter().any(|known| known.tool.id == id)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().map(|known| known.tool.id.as_str())
    }

    /// The name of a call, if it is known by one.
    pub(crate) fn name(&self, id: &str) -> Option<&str> {
        let known = self.calls.iter().find(|known| known.tool.id == id)?;
        Some(known.tool.name())
    }

    /// A `tool_call` or `tool_call_update`; agents send the second without the first, too.
    pub(crate) fn update(
        &mut self,
        turn: &str,
        id: &str,
        update: &Value,
        agent: &Agent,
        servers: &Servers,
        link: &mut Link,
    ) {
        let place = self.calls.iter().rposition(|known| known.tool.id == id);
        let mut tool = match place {
            Some(place) => self.calls[place].tool.clone(),
            None => Tool::new(id),
        };
        let was_over = place.is_some_and(|place| tool::is_over(self.calls[place].told.status));
        tool.read(update, agent, servers);
        let news = tool.news(turn, tool.status(), servers, link.max_json);
        match place {
            // A call ends once.
            Some(_) if was_over => return,
            Some(place) if self.calls[place].told == news => {
                self.calls[place].tool = tool;
                return;
            }
            Some(place) => {
                self.calls[place] = Known {
                    tool,
                    told: news.clone(),
                };
            }
            None => self.calls.push(Known {
                tool,
                told: news.clone(),
            }),
        }
        link.out.push(Output::ToolProgress(news));
    }

    /// The turn ends: nothing more comes of what is open.
    pub(crate) fn close(
        &mut self,
        turn: &str,
        status: ToolStatus,
        servers: &Servers,
        link: &mut Link,
    ) {
        for known in &mut self.calls {
            if tool::is_over(known.told.status) {
                continue;
            }
            known.told = known.tool.news(turn, status, servers, link.max_json);
            link.out.push(Output::ToolProgress(known.told.clone()));
        }
    }
}
