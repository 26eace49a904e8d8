//! The driver's word, held against what it does: events only of the Turn that runs, one terminal a
//! prompt, one beginning a session. Pure; whoever runs an instance decides what a breach costs.

use super::{Input, Output};

/// Watches one instance.
#[derive(Debug, Default)]
pub struct Conduct {
    session: Session,
    turn: Option<String>,
    last_turn: Option<String>,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Session {
    #[default]
    Starting,
    Ready,
    Failed,
}

/// A promise of `driver.wit` that was broken, as the end of a sentence about the driver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// Two beginnings, or a beginning after the end.
    #[error("it reported session-ready a second time")]
    SecondReady,
    /// Two ends of the session.
    #[error("it reported session-failed a second time")]
    SecondFailed,
    /// A prompt has exactly one of the three terminals.
    #[error("it ended the turn {turn} a second time, with {event}")]
    SecondTerminal {
        /// The turn.
        turn: String,
        /// The output.
        event: &'static str,
    },
    /// An event of a turn that does not run.
    #[error("it reported {event} for the turn {turn}, which is not running")]
    ForeignTurn {
        /// The turn that it named.
        turn: String,
        /// The output.
        event: &'static str,
    },
}

impl Conduct {
    /// An input is about to be given.
    pub fn input(&mut self, input: &Input) {
        if let Input::Prompt(prompt) = input {
            self.turn = Some(prompt.turn.clone());
        }
    }

    /// An output has come.
    ///
    /// # Errors
    /// The promise that it breaks. The output should then be dropped.
    pub fn output(&mut self, output: &Output) -> Result<(), Breach> {
        match output {
            Output::SessionReady(_) if self.session != Session::Starting => {
                return Err(Breach::SecondReady);
            }
            Output::SessionReady(_) => self.session = Session::Ready,
            Output::SessionFailed(_) if self.session == Session::Failed => {
                return Err(Breach::SecondFailed);
            }
            Output::SessionFailed(_) => self.session = Session::Failed,
            _ => {}
        }
        let Some(turn) = turn_of(output) else {
            return Ok(());
        };
        if self.turn.as_deref() != Some(turn) {
            let (turn, event) = (turn.to_owned(), output_name(output));
            return Err(
                if ends_turn(output) && self.last_turn.as_ref() == Some(&turn) {
                    Breach::SecondTerminal { turn, event }
                } else {
                    Breach::ForeignTurn { turn, event }
                },
            );
        }
        if ends_turn(output) {
            self.last_turn = self.turn.take();
        }
        Ok(())
    }

    /// The turn that was prompted and has not ended.
    pub fn open_turn(&self) -> Option<&str> {
        self.turn.as_deref()
    }

    /// Whether prompts may be sent: after session-ready, before session-failed.
    pub fn is_ready(&self) -> bool {
        self.session == Session::Ready
    }
}

fn ends_turn(output: &Output) -> bool {
    matches!(
        output,
        Output::TurnCompleted(_) | Output::TurnFailed(_) | Output::TurnCancelled(_)
    )
}

fn turn_of(output: &Output) -> Option<&str> {
    match output {
        Output::TurnStarted(started) => Some(&started.turn),
        Output::TurnProgress(note) | Output::ContentReset(note) => Some(&note.turn),
        Output::ContentDelta(delta) | Output::ReasoningDelta(delta) => Some(&delta.turn),
        Output::ToolProgress(tool) => Some(&tool.turn),
        Output::Usage(usage) => usage.turn.as_deref(),
        Output::TurnCompleted(done) => Some(&done.turn),
        Output::TurnFailed(failed) => Some(&failed.turn),
        Output::TurnCancelled(turn) => Some(turn),
        Output::InteractionRejected(asked) => asked.turn.as_deref(),
        Output::WriteStdin(_)
        | Output::SessionReady(_)
        | Output::SessionFailed(_)
        | Output::RestartWanted(_)
        | Output::SetTimer(_)
        | Output::ClearTimer(_)
        | Output::Diagnostic(_)
        | Output::Ext(_) => None,
    }
}

/// The case's name as `driver.wit` has it, e.g. `content-delta`.
pub fn output_name(output: &Output) -> &'static str {
    match output {
        Output::WriteStdin(_) => "write-stdin",
        Output::SessionReady(_) => "session-ready",
        Output::SessionFailed(_) => "session-failed",
        Output::TurnStarted(_) => "turn-started",
        Output::TurnProgress(_) => "turn-progress",
        Output::ContentDelta(_) => "content-delta",
        Output::ContentReset(_) => "content-reset",
        Output::ReasoningDelta(_) => "reasoning-delta",
        Output::ToolProgress(_) => "tool-progress",
        Output::Usage(_) => "usage",
        Output::TurnCompleted(_) => "turn-completed",
        Output::TurnFailed(_) => "turn-failed",
        Output::TurnCancelled(_) => "turn-cancelled",
        Output::InteractionRejected(_) => "interaction-rejected",
        Output::RestartWanted(_) => "restart-wanted",
        Output::SetTimer(_) => "set-timer",
        Output::ClearTimer(_) => "clear-timer",
        Output::Diagnostic(_) => "diagnostic",
        Output::Ext(_) => "ext",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::{Content, Delta, Prompt, TurnCompleted};

    fn prompt(turn: &str) -> Input {
        Input::Prompt(Prompt {
            turn: turn.to_owned(),
            content: vec![Content::Text(String::new())],
        })
    }

    fn done(turn: &str) -> Output {
        Output::TurnCompleted(TurnCompleted {
            turn: turn.to_owned(),
            final_text: None,
            stop_reason: None,
        })
    }

    #[test]
    fn drv_05_a_second_terminal_of_a_turn_is_a_breach() {
        let mut conduct = Conduct::default();
        conduct.input(&prompt("t1"));
        assert_eq!(conduct.output(&done("t1")), Ok(()));
        assert_eq!(conduct.open_turn(), None);
        assert_eq!(
            conduct.output(&Output::TurnCancelled("t1".to_owned())),
            Err(Breach::SecondTerminal {
                turn: "t1".to_owned(),
                event: "turn-cancelled"
            })
        );
    }

    #[test]
    fn drv_05_an_event_of_another_turn_is_a_breach_and_ends_nothing() {
        let mut conduct = Conduct::default();
        conduct.input(&prompt("t1"));
        let late = Output::ContentDelta(Delta {
            turn: "t0".to_owned(),
            item: String::new(),
            text: String::new(),
        });
        assert!(matches!(
            conduct.output(&late),
            Err(Breach::ForeignTurn { .. })
        ));
        assert!(matches!(
            conduct.output(&done("t0")),
            Err(Breach::ForeignTurn { .. })
        ));
        assert_eq!(conduct.open_turn(), Some("t1"));
    }
}
