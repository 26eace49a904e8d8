//! The interface's promises that hold in every story, whatever it is about.

use super::words;
use crate::{Input, Output};

/// Watches a session from outside and panics with a sentence when the driver breaks its word.
#[derive(Debug, Default)]
pub struct Referee {
    started: bool,
    failed: bool,
    exited: bool,
    turn: Option<String>,
}

impl Referee {
    /// An input is about to be given.
    pub fn input(&mut self, input: &Input) {
        match input {
            Input::Prompt(prompt) => {
                assert!(
                    self.turn.is_none(),
                    "the test prompts while {:?} runs",
                    self.turn
                );
                self.turn = Some(prompt.turn.clone());
            }
            Input::ProcessExited(_) => self.exited = true,
            _ => {}
        }
    }

    /// An output has come.
    pub fn output(&mut self, output: &Output) {
        match output {
            Output::WriteStdin(_) => assert!(!self.exited, "{} after the exit", words(output)),
            Output::SessionReady(_) => {
                assert!(
                    !self.started && !self.failed,
                    "{} comes a second time",
                    words(output)
                );
                self.started = true;
            }
            Output::SessionFailed(_) => {
                assert!(!self.failed, "{} comes a second time", words(output));
                self.failed = true;
            }
            _ => {}
        }
        if let Some(turn) = turn_of(output) {
            let words = words(output);
            assert_eq!(
                Some(turn),
                self.turn.as_deref(),
                "{words}: that is not the turn that runs"
            );
        }
        if let Output::TurnCompleted(_) | Output::TurnFailed(_) | Output::TurnCancelled(_) = output
        {
            self.turn = None;
        }
    }

    /// Whether the session is one that a host would prompt.
    pub fn takes_prompts(&self) -> bool {
        self.started && !self.failed && !self.exited && self.turn.is_none()
    }

    /// The turn that has been prompted and has not ended.
    pub fn open_turn(&self) -> Option<&str> {
        self.turn.as_deref()
    }
}

fn turn_of(output: &Output) -> Option<&str> {
    match output {
        Output::TurnStarted(started) => Some(&started.turn),
        Output::TurnProgress(note) | Output::ContentReset(note) => Some(&note.turn),
        Output::ContentDelta(delta) | Output::ReasoningDelta(delta) => Some(&delta.turn),
        Output::ToolProgress(tool) => Some(&tool.turn),
        Output::TurnCompleted(done) => Some(&done.turn),
        Output::TurnFailed(failed) => Some(&failed.turn),
        Output::TurnCancelled(turn) => Some(turn),
        Output::InteractionRejected(asked) => asked.turn.as_deref(),
        _ => None,
    }
}
