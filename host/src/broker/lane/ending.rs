//! How a Turn ends: from what the session said, or from its loss, to one terminal transaction.

use super::Lane;
use super::active::ActiveTurn;
use super::owed::OwedEnd;
use super::seat::Seat;
use crate::broker::scribe::Scribe;
use crate::broker::turn::{End, Reach, TurnInput};
use crate::protocol::body::Ending as EndingBody;
use crate::protocol::text::clip_bytes;
use crate::protocol::{ActorRef, ErrorCode, EventBody, EventId, TurnStatus};
use crate::session::{EndCause, TurnEnd};
use crate::store::{Ending, TurnRow};

/// Bytes of a cut-off Turn's text that its terminal event shows; the store has all of it.
const PARTIAL_BYTES: usize = 64 * 1024;

/// The verdict about a Turn, in words.
struct Verdict {
    end: End,
    code: Option<ErrorCode>,
    message: Option<String>,
    final_text: Option<String>,
    reason: Option<&'static str>,
}

impl Verdict {
    fn failed(code: ErrorCode, message: String) -> Self {
        Self {
            end: End::Failed,
            code: Some(code),
            message: Some(message),
            final_text: None,
            reason: None,
        }
    }

    fn interrupted(message: String) -> Self {
        let code = Some(ErrorCode::TurnInterrupted);
        Self {
            end: End::Interrupted,
            code,
            message: Some(message),
            final_text: None,
            reason: None,
        }
    }
}

impl Lane {
    /// The Turn ends as the session says, unless something that happened in it weighs more.
    pub(super) async fn end_turn(&mut self, end: TurnEnd) {
        let Some(turn) = self.turn.take() else { return };
        let verdict = self.judge(&turn, end);
        if verdict.end == End::Completed {
            self.losses = 0;
        }
        self.write_end(turn, verdict).await;
    }

    /// The Turn ends before its prompt left us: it could not be prepared.
    pub(super) async fn end_unprepared(&mut self, code: ErrorCode, message: String) {
        if let Some(turn) = self.turn.take() {
            let reason = Some("context_preparation_failed");
            let verdict = Verdict {
                reason,
                ..Verdict::failed(code, message)
            };
            self.write_end(turn, verdict).await;
        }
    }

    fn judge(&self, turn: &ActiveTurn, end: TurnEnd) -> Verdict {
        let name = &self.member.name;
        if let Some(refused) = &turn.refused {
            let text = format!(
                "{name} asked for something that only a person could decide ({}). GroupX never decides for you: the request was refused and the turn stopped. Settle it in the agent's own settings, or ask differently.",
                refused.kind
            );
            return Verdict::failed(ErrorCode::UnexpectedNativeInteraction, text);
        }
        match end {
            TurnEnd::Completed { final_text } => {
                if turn.transcript.is_empty(final_text.as_deref()) {
                    let text = format!(
                        "{name} ended the turn with an empty answer: no text and no tool call. Send the message again, or look at the agent's own log."
                    );
                    return Verdict::failed(ErrorCode::NativeTurnFailed, text);
                }
                Verdict {
                    end: End::Completed,
                    code: None,
                    message: None,
                    final_text,
                    reason: None,
                }
            }
            TurnEnd::Failed { code, message } => Verdict::failed(code, message),
            TurnEnd::Cancelled { forced } => {
                let code = forced.is_some().then_some(ErrorCode::TurnCancelTimeout);
                let asked = turn.state.status() == TurnStatus::Cancelling;
                if !asked && forced.is_none() {
                    return Verdict::interrupted(match self.seat {
                        Seat::Leaving { .. } => {
                            format!("{name}'s session was ended while it worked.")
                        }
                        _ => format!("{name} stopped the turn by itself."),
                    });
                }
                Verdict {
                    end: End::Cancelled,
                    code,
                    message: forced,
                    final_text: None,
                    reason: None,
                }
            }
        }
    }

    /// The session is over. The Turn that was under way ends by the evidence.
    pub(super) async fn turn_lost(&mut self, cause: &EndCause) {
        let Some(turn) = self.turn.take() else { return };
        let name = &self.member.name;
        let cancelled = turn.state.status() == TurnStatus::Cancelling;
        let verdict = match cause {
            _ if turn.refused.is_some() => self.judge(&turn, TurnEnd::Cancelled { forced: None }),
            EndCause::Closed | EndCause::Replace if cancelled => Verdict {
                end: End::Cancelled,
                code: None,
                message: None,
                final_text: None,
                reason: None,
            },
            EndCause::Failed { code, message, .. } => {
                Verdict::failed(*code, format!("{name}: {message}"))
            }
            EndCause::Exited { message, .. } => Verdict::interrupted(format!(
                "{message} {name} is being restarted; nothing is sent again by itself."
            )),
            EndCause::Closed | EndCause::Replace => {
                Verdict::interrupted(format!("{name}'s session was ended while it worked."))
            }
        };
        self.write_end(turn, verdict).await;
    }

    async fn write_end(&mut self, mut turn: ActiveTurn, verdict: Verdict) {
        let ending = self.ending(&turn, &verdict);
        match turn.state.step(TurnInput::Ended(verdict.end)) {
            Ok(over) => turn.state = over,
            // A mistake of ours; but a Turn that hangs for ever would be a worse one.
            Err(no_edge) => tracing::error!(agent = %self.member.agent, %no_edge, "Turn machine"),
        }
        if let Some(seated) = self.seat.seated() {
            self.room.callers.works_on(&seated.secret, None);
        }
        if let Seat::Ready(ready) = &mut self.seat {
            ready.worked = true;
        }
        self.owe(OwedEnd { ending, turn });
        self.pay_end().await;
    }

    fn ending(&self, turn: &ActiveTurn, verdict: &Verdict) -> Ending {
        let scribe = &turn.scribe;
        let id = turn.id().clone();
        let status = verdict.end.status();
        let attempt = turn.state.attempt().cloned();
        let handed_over = attempt.as_ref().is_some_and(|a| a.reach > Reach::Prepared);
        let delivered = attempt
            .as_ref()
            .is_some_and(|a| a.reach == Reach::NativeStarted);
        let started = (handed_over && !turn.started).then(|| {
            scribe.by_agent(&EventBody::TurnStarted {
                turn_id: id.clone(),
                attempt_id: attempt
                    .as_ref()
                    .map_or_else(|| self.room.sources.mint(), |a| a.id.clone()),
                native_turn_id: None,
            })
        });
        let reasoning = turn.transcript.whole_reasoning().map(|content| {
            scribe.by_agent(&EventBody::ReasoningRecorded {
                turn_id: id.clone(),
                content,
                terminal_status: status,
            })
        });
        let tools: Vec<_> = turn
            .transcript
            .tool_records()
            .into_iter()
            .map(|record| {
                let body = EventBody::ToolRecorded {
                    turn_id: id.clone(),
                    native_type: record.event,
                    tool_call_id: record.call_id,
                    details: record.details,
                };
                scribe.by_agent_at(record.at, &body)
            })
            .collect();
        let reasoning_event_id: Option<EventId> =
            reasoning.as_ref().map(|event| event.event_id.clone());
        let tool_progress_event_ids: Vec<EventId> =
            tools.iter().map(|event| event.event_id.clone()).collect();
        let completed = verdict.end == End::Completed;
        let response = completed.then(|| {
            let content = turn.transcript.answer(verdict.final_text.clone());
            let mut event = scribe.by_agent(&EventBody::MessageCreated {
                turn_id: Some(id.clone()),
                content,
            });
            event.reply_to_event_id = Some(scribe.source_event_id.clone());
            event
        });
        let body = match &response {
            Some(response) => EventBody::TurnCompleted {
                turn_id: id.clone(),
                status,
                response_event_id: response.event_id.clone(),
                reasoning_event_id,
                tool_progress_event_ids,
                usage: (!turn.transcript.usage.is_empty()).then(|| turn.transcript.usage.clone()),
            },
            None => EventBody::Ended(EndingBody {
                error_code: verdict.code,
                message: verdict.message.clone(),
                reason: verdict.reason,
                partial_text: shown_partial(verdict.end, turn),
                interaction: turn.refused.clone(),
                reasoning_event_id,
                tool_progress_event_ids,
                ..EndingBody::of(id.clone(), status)
            }),
        };
        Ending {
            turn_id: id,
            attempt: attempt.map(|a| a.id),
            started,
            delivered,
            reasoning,
            tools,
            response,
            terminal: scribe.by_agent(&body),
            status,
            error_code: verdict.code,
            partial_text: if completed {
                None
            } else {
                turn.transcript.partial()
            },
            delivered_through: delivered.then(|| (scribe.agent_actor().clone(), turn.through)),
        }
    }

    /// What ends a Turn that nobody ever claimed.
    pub(super) fn ending_of_waiting(
        &self,
        row: &TurnRow,
        end: End,
        body: EventBody,
        code: Option<ErrorCode>,
    ) -> Ending {
        let scribe = Scribe::of(row, ActorRef::system(), self.room.sources.clone());
        Ending {
            turn_id: row.turn_id.clone(),
            attempt: None,
            started: None,
            delivered: false,
            reasoning: None,
            tools: Vec::new(),
            response: None,
            terminal: scribe.by_system(&body),
            status: end.status(),
            error_code: code,
            partial_text: None,
            delivered_through: None,
        }
    }
}

/// What was streamed before the Turn was cut off, so that a reload shows it again (marked as what
/// it is); the text of a failed Turn stays in the store alone.
fn shown_partial(end: End, turn: &ActiveTurn) -> Option<String> {
    let cut_off = matches!(end, End::Cancelled | End::Interrupted);
    let text = cut_off.then(|| turn.transcript.partial()).flatten()?;
    Some(clip_bytes(&text, PARTIAL_BYTES).to_owned())
}
