//! What a session says while a Turn is under way.

use std::sync::Arc;

use super::Lane;
use super::seat::Seat;
use crate::broker::live::LiveEvent;
use crate::broker::turn::{Reach, TurnInput};
use crate::protocol::body::{RefusedInteraction, TurnUsage};
use crate::protocol::{ErrorCode, EventBody};
use crate::session::{EndCause, Interaction, SessionEvent, TurnEnd};

impl Lane {
    pub(super) async fn hear(&mut self, batch: Vec<SessionEvent>) {
        let mut batch = batch.into_iter().peekable();
        while let Some(mut event) = batch.next() {
            // Neighbouring deltas of one message are one for everybody further up.
            while let (
                SessionEvent::Content { item, text },
                Some(SessionEvent::Content { item: next, .. }),
            ) = (&mut event, batch.peek())
            {
                if item != next {
                    break;
                }
                if let Some(SessionEvent::Content { text: more, .. }) = batch.next() {
                    text.push_str(&more);
                }
            }
            self.hear_one(event).await;
        }
    }

    async fn hear_one(&mut self, event: SessionEvent) {
        match event {
            SessionEvent::Ready(facts) => self.became_ready(facts).await,
            SessionEvent::Hold(hold) => {
                if let Seat::Ready(ready) = &mut self.seat {
                    ready.hold = hold;
                    self.may_have_work = true;
                }
            }
            SessionEvent::Ended(cause) => {
                self.turn_lost(&cause).await;
                self.session_ended(cause).await;
            }
            of_turn => self.hear_of_turn(of_turn).await,
        }
    }

    async fn hear_of_turn(&mut self, event: SessionEvent) {
        if self.turn.is_none() {
            return;
        }
        let native_turn_id = match &event {
            SessionEvent::TurnStarted { native_turn_id } => native_turn_id.clone(),
            _ => None,
        };
        // Whatever the agent does with a prompt shows that it has it. A Turn that only fails or is
        // cancelled may never have reached it, and figures may be of the session.
        if is_evidence(&event) {
            self.native_started(native_turn_id).await;
        }
        let Some(turn) = self.turn.as_mut() else {
            return;
        };
        let id = turn.id().clone();
        let body = match event {
            SessionEvent::Content { item, text } => turn.transcript.content(&id, &item, &text),
            SessionEvent::ContentReset { item } => turn.transcript.reset(&id, &item),
            SessionEvent::Reasoning(text) => turn.transcript.reasoning(&id, &text),
            SessionEvent::Tool(news) => turn.transcript.tool(&id, self.room.sources.now(), news),
            SessionEvent::Progress(text) => EventBody::TurnProgress { turn_id: id, text },
            SessionEvent::Usage(usage) => return take_usage(&mut turn.transcript.usage, usage),
            SessionEvent::Interaction(refused) => return self.refused(refused),
            SessionEvent::TurnEnded(end) => return self.end_turn(end).await,
            SessionEvent::TurnStarted { .. }
            | SessionEvent::Ready(_)
            | SessionEvent::Hold(_)
            | SessionEvent::Ended(_) => return,
        };
        self.publish(body);
    }

    /// Writes `turn.started`, once, before anything else of the Turn is shown (TURN-14).
    async fn native_started(&mut self, native_turn_id: Option<String>) {
        let Some(turn) = self.turn.as_mut().filter(|turn| !turn.started) else {
            return;
        };
        let Some(attempt) = turn.state.attempt().cloned() else {
            return;
        };
        let body = EventBody::TurnStarted {
            turn_id: turn.id().clone(),
            attempt_id: attempt.id.clone(),
            native_turn_id: native_turn_id.clone(),
        };
        let started = turn.scribe.by_agent(&body);
        match self
            .room
            .store
            .started(attempt.id.clone(), native_turn_id, started)
            .await
        {
            Ok(()) => {
                if let Some(turn) = self.turn.as_mut() {
                    turn.started = true;
                }
            }
            // The end of the Turn makes up for it.
            Err(fault) => {
                tracing::warn!(agent = %self.member.agent, %fault, "turn.started not written");
            }
        }
        if let Seat::Ready(ready) = &mut self.seat {
            ready.blank = false;
        }
        if attempt.reach == Reach::PromptInvoked {
            self.step_turn(TurnInput::NativeStarted);
        }
    }

    fn refused(&mut self, refused: Interaction) {
        if let Some(turn) = self.turn.as_mut() {
            turn.refused.get_or_insert(RefusedInteraction {
                kind: refused.kind,
                adapter_id: self.member.agent.to_string(),
                reason_code: Some(refused.native),
            });
        }
    }

    fn publish(&self, body: EventBody) {
        let Some(turn) = &self.turn else { return };
        let envelope = Arc::new(turn.scribe.by_agent(&body));
        let after = self.room.store.tail().committed_through();
        self.room.live.publish(&LiveEvent {
            envelope,
            body,
            after,
        });
    }

    /// Moves the Turn along an edge. A missing edge is a mistake of ours: it is logged, and the
    /// Turn stays where it was.
    pub(super) fn step_turn(&mut self, input: TurnInput) {
        let Some(turn) = self.turn.as_mut() else {
            return;
        };
        match turn.state.step(input) {
            Ok(next) => turn.state = next,
            Err(no_edge) => tracing::error!(agent = %self.member.agent, %no_edge, "Turn machine"),
        }
    }

    /// A session that vanished without its last word: a mistake of ours, treated as a loss.
    pub(super) async fn lost_without_a_word(&mut self) {
        let message = "Its session ended without a reason. It is being restarted.".to_owned();
        let cause = EndCause::Failed {
            code: ErrorCode::InternalError,
            message,
            retry: true,
            last_words: None,
        };
        self.turn_lost(&cause).await;
        self.session_ended(cause).await;
    }
}

fn is_evidence(event: &SessionEvent) -> bool {
    match event {
        SessionEvent::Usage(_) => false,
        SessionEvent::TurnEnded(end) => matches!(end, TurnEnd::Completed { .. }),
        _ => true,
    }
}

/// The newest figure counts; what a report leaves out stays.
fn take_usage(known: &mut TurnUsage, news: TurnUsage) {
    let TurnUsage {
        input_tokens,
        cached_input_tokens,
        output_tokens,
        reasoning_tokens,
        cost_usd,
        context_used,
        context_window,
    } = news;
    known.input_tokens = input_tokens.or(known.input_tokens);
    known.cached_input_tokens = cached_input_tokens.or(known.cached_input_tokens);
    known.output_tokens = output_tokens.or(known.output_tokens);
    known.reasoning_tokens = reasoning_tokens.or(known.reasoning_tokens);
    known.cost_usd = cost_usd.or(known.cost_usd);
    known.context_used = context_used.or(known.context_used);
    known.context_window = context_window.or(known.context_window);
}
