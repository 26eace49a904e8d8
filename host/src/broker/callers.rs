//! Which session an MCP request comes from. The header's value is random and new for every
//! session; it is kept in memory only and never leaves through any answer (contract Ours 11).

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use crate::protocol::{AgentId, BindingId, CorrelationId, ErrorCode, EventId, Fault, TurnId};

/// The session behind a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Its agent.
    pub agent: AgentId,
    /// Its stored source binding.
    pub binding: BindingId,
}

/// The Turn that a session works on: where everything a tool call writes comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallersTurn {
    /// The Turn.
    pub turn_id: TurnId,
    /// The message behind it.
    pub source_event_id: EventId,
    /// Its chain.
    pub correlation_id: CorrelationId,
    /// The root of its chain.
    pub root_correlation_id: CorrelationId,
    /// Agents between it and the user.
    pub hop_count: u32,
}

#[derive(Debug, Clone)]
struct Line {
    caller: Caller,
    tools: bool,
    turn: Option<CallersTurn>,
}

/// Every living session's binding.
#[derive(Debug, Default)]
pub struct Callers(RwLock<HashMap<String, Line>>);

impl Callers {
    /// Admits a session before it is started: some CLIs ask for their tools while they start.
    pub fn admit(&self, secret: String, caller: Caller) {
        self.write().insert(
            secret,
            Line {
                caller,
                tools: true,
                turn: None,
            },
        );
    }

    /// The session's driver cannot mount tools.
    pub fn without_tools(&self, secret: &str) {
        if let Some(line) = self.write().get_mut(secret) {
            line.tools = false;
        }
    }

    /// The session works on this Turn, or on none.
    pub fn works_on(&self, secret: &str, turn: Option<CallersTurn>) {
        if let Some(line) = self.write().get_mut(secret) {
            line.turn = turn;
        }
    }

    /// The session is over: its binding means nothing any more.
    pub fn dismiss(&self, secret: &str) {
        self.write().remove(secret);
    }

    /// Who sent this header.
    pub fn caller(&self, secret: &str) -> Result<Caller, Fault> {
        let lines = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let line = lines.get(secret).ok_or_else(mismatch)?;
        if !line.tools {
            let text = "This agent's session has no GroupX tools: its driver cannot mount them.";
            return Err(Fault::new(ErrorCode::McpUnavailable, text));
        }
        Ok(line.caller.clone())
    }

    /// The Turn that a caller acts in.
    pub fn turn_of(&self, caller: &Caller) -> Result<CallersTurn, Fault> {
        let lines = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let line = lines
            .values()
            .find(|line| line.caller.binding == caller.binding);
        line.and_then(|line| line.turn.clone()).ok_or_else(|| {
            let text = "No Turn of this agent is running, so the call belongs to nothing. Call GroupX's tools only while answering a message.";
            Fault::new(ErrorCode::McpBindingMismatch, text)
        })
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, HashMap<String, Line>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn mismatch() -> Fault {
    let text = "This X-GroupX-Binding is not one of a running session. Use the header that the session was started with; after a restart it is another one.";
    Fault::new(ErrorCode::McpBindingMismatch, text)
}
