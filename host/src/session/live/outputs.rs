//! What a driver's outputs become: bytes, timers, events, or the end of the session.

use std::time::Duration;

use tokio::time::Instant;

use super::{Live, Over};
use crate::driver::{self, Level, Output, StepResult};
use crate::session::deadlines::Wait;
use crate::session::event::{EndCause, SessionEvent, TurnEnd};
use crate::session::translate;
use crate::session::turn_watch::Belongs;

impl Live {
    /// Acts on a step's outputs in order. Events before a failure still reach the room.
    pub(super) async fn act(&mut self, result: StepResult) -> Result<(), Over> {
        let mut events = Vec::with_capacity(result.outputs.len());
        let mut over = Ok(());
        for output in result.outputs {
            over = self.take(output, &mut events);
            if over.is_err() {
                break;
            }
        }
        if over.is_err() && !self.leaving {
            // Said before a Turn's end: no prompt may come to a session that is leaving.
            self.leaving = true;
            self.hold = true;
            let ended = |event: &SessionEvent| matches!(event, SessionEvent::TurnEnded(_));
            let at = events.iter().position(ended).unwrap_or(events.len());
            events.insert(at, SessionEvent::Hold(true));
        }
        if result.hold != self.hold && !self.leaving {
            self.hold = result.hold;
            if self.hold {
                self.deadlines.start(Wait::Hold, Instant::now());
            } else {
                self.deadlines.stop(Wait::Hold);
            }
            events.push(SessionEvent::Hold(result.hold));
        }
        self.tell(events).await;
        if !self.hold
            && let Some(prompt) = self.parked.take()
        {
            self.hand_over(prompt);
        }
        over
    }

    fn take(&mut self, output: Output, events: &mut Vec<SessionEvent>) -> Result<(), Over> {
        match output {
            Output::WriteStdin(bytes) => return self.write(bytes),
            Output::SessionReady(ready) => {
                if self.ready {
                    return Err(self.broke_its_word("reported ready twice"));
                }
                self.ready = true;
                self.deadlines.stop(Wait::Handshake);
                events.push(SessionEvent::Ready(translate::facts(
                    ready,
                    self.resume.as_deref(),
                )));
            }
            Output::SessionFailed(failure) => {
                return Err(Over::gently(translate::session_failed(failure)));
            }
            Output::RestartWanted(_) => return Err(Over::gently(EndCause::Replace)),
            Output::SetTimer(timer) => {
                let at = Instant::now() + Duration::from_millis(timer.after);
                self.timers.insert(timer.name, at);
            }
            Output::ClearTimer(name) => {
                self.timers.remove(&name);
            }
            Output::Diagnostic(note) => self.log(&note),
            Output::Ext(ext) => {
                tracing::debug!(agent = %self.agent, name = %ext.name, "unknown output")
            }
            Output::Usage(usage) => {
                if usage
                    .turn
                    .as_deref()
                    .is_none_or(|turn| self.turn.belongs(turn) == Belongs::Open)
                {
                    events.push(SessionEvent::Usage(translate::usage(&usage)));
                }
            }
            Output::InteractionRejected(refused) => self.interaction(refused, events)?,
            of_turn => return self.of_turn(of_turn, events),
        }
        Ok(())
    }

    fn write(&mut self, bytes: Vec<u8>) -> Result<(), Over> {
        if !self.ready {
            // Each step of the handshake has its own time.
            self.deadlines.start(Wait::Handshake, Instant::now());
        }
        self.stdin
            .write(bytes)
            .map_err(|_| Over::now(self.broken("it does not read what it is told")))
    }

    fn interaction(
        &mut self,
        refused: driver::Interaction,
        events: &mut Vec<SessionEvent>,
    ) -> Result<(), Over> {
        let of_open_turn = match &refused.turn {
            Some(turn) => self.may_speak_of(turn)?,
            None => false,
        };
        if !of_open_turn {
            // It was refused natively all the same; no Turn of ours has anything to do with it.
            tracing::info!(agent = %self.agent, kind = %refused.kind, "a request outside of a Turn was refused");
            return Ok(());
        }
        // The native cancel is written already: its end may not take for ever.
        self.deadlines.start_once(Wait::Cancel, Instant::now());
        events.push(SessionEvent::Interaction(translate::interaction(refused)));
        Ok(())
    }

    fn of_turn(&mut self, output: Output, events: &mut Vec<SessionEvent>) -> Result<(), Over> {
        let Some(id) = turn_of(&output) else {
            return Ok(());
        };
        if !self.may_speak_of(id)? {
            return Ok(());
        }
        let end = match output {
            Output::TurnStarted(started) => {
                events.push(SessionEvent::TurnStarted {
                    native_turn_id: started.native_turn_id,
                });
                return Ok(());
            }
            Output::TurnProgress(note) => {
                events.push(SessionEvent::Progress(note.text));
                return Ok(());
            }
            Output::ContentDelta(delta) => {
                events.push(SessionEvent::Content {
                    item: delta.item,
                    text: delta.text,
                });
                return Ok(());
            }
            Output::ContentReset(note) => {
                events.push(SessionEvent::ContentReset { item: note.item });
                return Ok(());
            }
            Output::ReasoningDelta(delta) => {
                events.push(SessionEvent::Reasoning(delta.text));
                return Ok(());
            }
            Output::ToolProgress(news) => {
                events.push(translate::tool(news));
                return Ok(());
            }
            Output::TurnCompleted(done) => TurnEnd::Completed {
                final_text: done.final_text,
            },
            // The exit itself follows, with its code: that is what ends the Turn.
            Output::TurnFailed(failed) if failed.failure.code == "process-exited" => return Ok(()),
            Output::TurnFailed(failed) => translate::turn_failed(failed.failure),
            Output::TurnCancelled(_) => TurnEnd::Cancelled { forced: None },
            _ => return Ok(()),
        };
        self.turn.close();
        self.deadlines.turn_over();
        events.push(SessionEvent::TurnEnded(end));
        Ok(())
    }

    /// Whether an event counts; one for a Turn that was never this driver's ends the session.
    fn may_speak_of(&self, turn: &str) -> Result<bool, Over> {
        match self.turn.belongs(turn) {
            Belongs::Open => Ok(true),
            Belongs::Late => {
                tracing::debug!(agent = %self.agent, turn, "late event of a Turn that is over");
                Ok(false)
            }
            Belongs::Foreign => Err(self.broke_its_word("spoke of a Turn that it was not given")),
        }
    }

    pub(super) fn broke_its_word(&self, how: &str) -> Over {
        let driver = &self.driver_id;
        let what = format!("the driver \"{driver}\" {how}; report it to the driver's author");
        Over::now(self.broken(&what))
    }

    fn log(&self, note: &driver::Diagnostic) {
        let (agent, code, message) = (&self.agent, &note.code, &note.message);
        match note.level {
            Level::Error | Level::Warn => tracing::info!(%agent, %code, %message, "driver"),
            Level::Info | Level::Debug => tracing::debug!(%agent, %code, %message, "driver"),
        }
    }
}

fn turn_of(output: &Output) -> Option<&str> {
    Some(match output {
        Output::TurnStarted(started) => &started.turn,
        Output::TurnProgress(note) | Output::ContentReset(note) => &note.turn,
        Output::ContentDelta(delta) | Output::ReasoningDelta(delta) => &delta.turn,
        Output::ToolProgress(news) => &news.turn,
        Output::TurnCompleted(done) => &done.turn,
        Output::TurnFailed(failed) => &failed.turn,
        Output::TurnCancelled(turn) => turn,
        _ => return None,
    })
}
