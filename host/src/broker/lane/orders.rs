//! What a lane does when it is told something.

use super::seat::Seat;
use super::{Lane, LaneOrder};
use crate::broker::turn::{End, TurnInput};
use crate::protocol::body::Ending;
use crate::protocol::reply::{CancelAnswer, ToolsState};
use crate::protocol::{BindingId, ErrorCode, EventBody, Fault, TurnId, TurnStatus};
use crate::session::SessionCommand;

impl Lane {
    pub(super) async fn obey(&mut self, order: LaneOrder) {
        match order {
            LaneOrder::Wake => self.may_have_work = true,
            LaneOrder::Cancel { turn, answer } => match self.turn.as_ref().map(|t| t.id() == &turn)
            {
                Some(true) => self.cancel_active(answer).await,
                _ => {
                    let settled = self.cancel_waiting(turn).await;
                    // Whoever asked may have gone; the cancel stands all the same.
                    let _ = answer.send(settled);
                }
            },
            LaneOrder::Restart { answer } => {
                self.restarts.push(answer);
                self.restart().await;
            }
            LaneOrder::ToolsListed(binding) => self.tools_attached(&binding),
            LaneOrder::Close { closed } => {
                self.closing = Some(closed);
                self.close_session().await;
            }
        }
    }

    async fn cancel_active(
        &mut self,
        answer: tokio::sync::oneshot::Sender<Result<CancelAnswer, Fault>>,
    ) {
        let wait = self.room.timeouts.cancel;
        let Some(turn) = self.turn.as_mut() else {
            return;
        };
        let id = turn.id().clone();
        turn.wait_for_cancel(answer, wait);
        let Ok(next) = turn.state.step(TurnInput::CancelAsked) else {
            // Under way already: one native cancel is enough.
            return;
        };
        turn.state = next;
        if let Err(fault) = self.room.store.cancelling(id.clone()).await {
            // The intent could not be kept; the agent is stopped all the same.
            tracing::warn!(agent = %self.member.agent, %fault, "cancel not written");
        }
        self.tell_session(SessionCommand::Cancel { turn: id }).await;
    }

    /// Cancels a Turn that still waits, or says where it stands.
    async fn cancel_waiting(&mut self, turn: TurnId) -> Result<CancelAnswer, Fault> {
        let row = self.room.store.turn(turn.clone()).await?;
        let Some(row) = row else {
            return Err(unknown_turn(&turn));
        };
        let ending = Ending::of(turn.clone(), TurnStatus::Cancelled);
        let ending = self.ending_of_waiting(&row, End::Cancelled, EventBody::Ended(ending), None);
        let status = self.room.store.end_queued(ending).await?;
        let accepted = status == Some(TurnStatus::Cancelled) && row.status == TurnStatus::Queued;
        if accepted {
            self.room.board.count_queued(-1);
        }
        Ok(CancelAnswer {
            turn_id: turn,
            accepted,
            status: status.unwrap_or(row.status),
        })
    }

    /// Our endpoint saw the tools being asked for; an older session's late request says nothing.
    fn tools_attached(&mut self, binding: &BindingId) {
        if self
            .seat
            .seated()
            .is_none_or(|seated| seated.binding != *binding)
        {
            return;
        }
        if let Seat::Ready(ready) = &mut self.seat {
            ready.tools_due = None;
        }
        let at = self.room.sources.now();
        self.room.board.change(&self.member.agent, at, |notice| {
            notice.tools = ToolsState::Attached
        });
    }

    async fn restart(&mut self) {
        match std::mem::replace(&mut self.seat, Seat::Down) {
            Seat::Down | Seat::Waiting { .. } => {
                self.losses = 0;
                self.start_session().await;
            }
            Seat::Ready(ready) => {
                self.seat = Seat::Leaving {
                    seated: ready.seated,
                    then_start: true,
                };
                self.tell_session(SessionCommand::Close).await;
            }
            Seat::Starting { seated, .. } => {
                self.seat = Seat::Leaving {
                    seated,
                    then_start: true,
                };
                self.tell_session(SessionCommand::Close).await;
            }
            Seat::Leaving { seated, .. } => {
                self.seat = Seat::Leaving {
                    seated,
                    then_start: true,
                }
            }
        }
    }

    /// Tells the session to end; the lane goes on until it has.
    pub(super) async fn close_session(&mut self) {
        match std::mem::replace(&mut self.seat, Seat::Down) {
            Seat::Down | Seat::Waiting { .. } => {}
            Seat::Ready(ready) => {
                self.seat = Seat::Leaving {
                    seated: ready.seated,
                    then_start: false,
                };
                self.tell_session(SessionCommand::Close).await;
            }
            Seat::Starting { seated, .. } | Seat::Leaving { seated, .. } => {
                self.seat = Seat::Leaving {
                    seated,
                    then_start: false,
                };
                self.tell_session(SessionCommand::Close).await;
            }
        }
        if self.closing.is_none() {
            // Nobody can reach the lane, so nobody waits for its end.
            let (closed, _) = tokio::sync::oneshot::channel();
            self.closing = Some(closed);
        }
    }

    pub(super) async fn tell_session(&mut self, command: SessionCommand) {
        if let Some(seated) = self.seat.seated() {
            // A session that is gone says so through its events.
            let _ = seated.link.commands.send(command).await;
        }
    }
}

pub(super) fn unknown_turn(turn: &TurnId) -> Fault {
    Fault::new(
        ErrorCode::UnknownTarget,
        format!("There is no Turn {turn} in this room."),
    )
}
