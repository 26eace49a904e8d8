//! The demo driver: everything that a GroupX driver has to do, for the smallest possible agent.
//!
//! A driver owns one agent's language and nothing else. GroupX finds and starts the program, cuts its
//! output into lines, keeps the clock and decides about time-outs; it hands this state machine one
//! input after the other and does what the outputs say. `README.md` has the agent's grammar.

mod language;
#[cfg(test)]
mod tests;

use groupx_driver_sdk::{
    Capabilities, Delta, Description, Driver, Executable, Failure, Input, LaunchSpec, Level,
    Outbox, Output, SessionConfig, SessionReady, ToolProgress, ToolStatus, TurnCompleted,
    TurnFailed, export_driver, text,
};
use language::{Heard, Request, Status};

// This one line makes the component.
export_driver!(Demo);

/// One session. GroupX makes one component instance per session, so this is all the state there is.
pub struct Demo {
    ready: bool,
    turn: Option<Turn>,
}

/// The prompt that is being worked on. GroupX never sends a second one before this one has ended.
struct Turn {
    /// GroupX's id: echoed in every event, never looked into.
    id: String,
    /// Whether anything came that counts as an answer.
    answered: bool,
    /// Tools that were announced and not finished: id and title.
    open_tools: Vec<(String, String)>,
}

impl Driver for Demo {
    fn describe() -> Description {
        Description {
            id: "demo".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            display_name: "Demo".into(),
            native_protocol: "groupx demo 1".into(),
            // Only optional features are listed; all the rest must work in every driver.
            capabilities: Capabilities::CANCEL | Capabilities::REASONING | Capabilities::TOOLS,
            executables: vec![Executable {
                name: "groupx".into(),
                places: Vec::new(),
                version_args: vec!["--version".into()],
                install_hint: "the demo agent is a part of groupx".into(),
            }],
            unrestricted: "nothing to unlock: the demo agent only talks".into(),
        }
    }

    fn launch(_: &SessionConfig) -> Result<LaunchSpec, Failure> {
        Ok(LaunchSpec {
            args: vec!["demo-agent".into()],
            env: Vec::new(),
            env_remove: Vec::new(),
            files: Vec::new(),
        })
    }

    fn open(_: SessionConfig) -> Result<Self, Failure> {
        Ok(Self {
            ready: false,
            turn: None,
        })
    }

    fn input(&mut self, input: Input, out: &mut Outbox) {
        match input {
            Input::Frame(line) => self.line(&String::from_utf8_lossy(&line), out),
            Input::Prompt(prompt) => {
                out.write(Request::Prompt(&prompt.text()).line());
                self.turn = Some(Turn {
                    id: prompt.turn,
                    answered: false,
                    open_tools: Vec::new(),
                });
            }
            // A cancel that comes too late finds no turn, and then there is nothing to stop.
            Input::Cancel(id) if self.turn.as_ref().is_some_and(|turn| turn.id == id) => {
                out.write(Request::Cancel.line());
            }
            Input::Close => out.write(Request::Bye.line()),
            Input::ProcessExited(_) => self.exited(out),
            // This agent greets by itself, needs no timers, and says nothing useful on stderr.
            _ => {}
        }
    }
}

impl Demo {
    fn line(&mut self, line: &str, out: &mut Outbox) {
        match (Heard::parse(line), &mut self.turn) {
            (Some(Heard::Hello(name)), _) if !self.ready => {
                self.ready = true;
                out.push(ready(name));
            }
            // Outside a turn nothing is an answer, whoever says it.
            (Some(heard), Some(turn)) if self.ready => {
                if turn.heard(heard, out) {
                    self.turn = None;
                }
            }
            // Unknown or out of place is never an error: an agent's next version may say more.
            _ => out.unknown_event(&text::one_line(line, 200), None),
        }
    }

    /// The process is gone: whatever was open ends now, with the reason.
    fn exited(&mut self, out: &mut Outbox) {
        if let Some(turn) = self.turn.take() {
            turn.close_tools(out);
            out.push(turn.failed(
                "process-exited",
                "the demo agent ended before it had answered",
            ));
        } else if !self.ready {
            out.session_failed(failure(
                "process-exited",
                "the demo agent ended without a greeting",
            ));
        }
    }
}

impl Turn {
    /// One line of the agent's work; true when it was the last one.
    fn heard(&mut self, heard: Heard, out: &mut Outbox) -> bool {
        match heard {
            // The agent has no word of its own for "I have begun", and none is needed.
            Heard::Hello(_) => out.diagnostic(Level::Info, "unexpected", "a second greeting"),
            Heard::Think(text) => out.push(Output::ReasoningDelta(self.delta("thought", text))),
            Heard::Say(text) => {
                self.answered = true;
                out.push(Output::ContentDelta(self.delta("answer", text)));
            }
            Heard::Tool { id, status, title } => {
                self.answered = true;
                self.open_tools.retain(|(open, _)| *open != id);
                out.push(self.tool(
                    &id,
                    &title,
                    match status {
                        Status::Running => ToolStatus::Running,
                        Status::Completed => ToolStatus::Completed,
                        Status::Failed => ToolStatus::Failed,
                    },
                ));
                if status == Status::Running {
                    self.open_tools.push((id, title));
                }
            }
            end @ (Heard::Done | Heard::Failed(_) | Heard::Stopped) => {
                self.close_tools(out);
                // Exactly one of the three ends per prompt.
                out.push(match end {
                    Heard::Stopped => Output::TurnCancelled(self.id.clone()),
                    Heard::Failed(why) => self.failed("internal", &text::one_line(&why, 500)),
                    _ if !self.answered => {
                        self.failed("empty-answer", "the demo agent answered nothing")
                    }
                    _ => Output::TurnCompleted(TurnCompleted {
                        turn: self.id.clone(),
                        final_text: None, // The answer is what was streamed.
                        stop_reason: Some("done".into()),
                    }),
                });
                return true;
            }
        }
        false
    }

    fn close_tools(&self, out: &mut Outbox) {
        for (id, title) in &self.open_tools {
            out.push(self.tool(id, title, ToolStatus::Cancelled));
        }
    }

    fn delta(&self, item: &str, text: String) -> Delta {
        Delta {
            turn: self.id.clone(),
            item: item.into(),
            text,
        }
    }

    fn tool(&self, id: &str, title: &str, status: ToolStatus) -> Output {
        Output::ToolProgress(ToolProgress {
            turn: self.id.clone(),
            tool_call_id: id.into(),
            name: "demo".into(),
            status,
            title: text::one_line(title, 200),
            kind: "other".into(),
            content: Vec::new(),
            details: None,
        })
    }

    fn failed(&self, code: &str, message: &str) -> Output {
        Output::TurnFailed(TurnFailed {
            turn: self.id.clone(),
            failure: failure(code, message),
        })
    }
}

fn ready(name: String) -> Output {
    Output::SessionReady(SessionReady {
        native_session_id: None, // Nothing to resume: the demo agent remembers nothing.
        resumed: false,
        lost: None,
        agent_name: Some(name),
        agent_version: None,
        model: None,
        capabilities: Demo::describe().capabilities,
    })
}

fn failure(code: &str, message: &str) -> Failure {
    Failure {
        code: code.into(),
        message: message.into(),
        detail: None,
        retryable: true,
    }
}
