//! One agent's lane: a task that owns the agent's session and works off its Turns, one at a time
//! and in the order they were queued (TURN-02).
//!
//! **Every step of a Turn is on the disk before its effect; every Turn that was claimed here ends
//! here, exactly once.** The lane knows no CLI: it speaks to a session, and to the store.

mod active;
mod dispatch;
mod ending;
mod orders;
mod owed;
mod seat;
mod session_news;
mod trouble;
mod work;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use super::room::Room;
use super::roster::Member;
use crate::protocol::reply::{CancelAnswer, RestartAnswer};
use crate::protocol::{BindingId, Fault, TurnId};
use crate::session::SessionEvent;
use active::ActiveTurn;
use owed::{FailedRound, OwedEnd};
use seat::Seat;

/// What a lane can be told.
#[derive(Debug)]
pub enum LaneOrder {
    /// A Turn was queued.
    Wake,
    /// Stop this Turn.
    Cancel {
        /// The Turn.
        turn: TurnId,
        /// Where the answer goes.
        answer: oneshot::Sender<Result<CancelAnswer, Fault>>,
    },
    /// Replace the session.
    Restart {
        /// Where the answer goes, once the new session is ready or could not be started.
        answer: oneshot::Sender<Result<RestartAnswer, Fault>>,
    },
    /// Our endpoint answered `tools/list` under this binding.
    ToolsListed(BindingId),
    /// End the session and the lane.
    Close {
        /// Told when nothing is left.
        closed: oneshot::Sender<()>,
    },
}

/// Orders that may wait for a lane.
pub const INBOX: usize = 256;

/// How long tools may stay pending after a session is ready before they count as missing.
const TOOLS_WAIT: Duration = Duration::from_secs(20);

/// See the module.
pub struct Lane {
    room: Arc<Room>,
    member: Member,
    inbox: mpsc::Receiver<LaneOrder>,
    seat: Seat,
    turn: Option<ActiveTurn>,
    /// Something may wait in the store.
    may_have_work: bool,
    /// The end of a Turn that is not written yet.
    owed: Option<OwedEnd>,
    /// No session came: what waited for it has to fail.
    failed_round: Option<FailedRound>,
    /// The store refused; until then it is left alone.
    retry_at: Option<Instant>,
    /// Sessions lost in a row without a completed Turn between.
    losses: u32,
    restarts: Vec<oneshot::Sender<Result<RestartAnswer, Fault>>>,
    closing: Option<oneshot::Sender<()>>,
}

/// What woke the lane.
enum Woken {
    Order(Option<LaneOrder>),
    News(Option<Vec<SessionEvent>>),
    Due,
}

impl Lane {
    /// Starts the task.
    pub fn start(room: Arc<Room>, member: Member, inbox: mpsc::Receiver<LaneOrder>) {
        let lane = Self {
            room,
            member,
            inbox,
            seat: Seat::Down,
            turn: None,
            may_have_work: true,
            owed: None,
            failed_round: None,
            retry_at: None,
            losses: 0,
            restarts: Vec::new(),
            closing: None,
        };
        tokio::spawn(lane.run());
    }

    async fn run(mut self) {
        self.start_session().await;
        loop {
            self.work().await;
            if self.closing.is_some() && matches!(self.seat, Seat::Down) {
                break;
            }
            match self.wait().await {
                Woken::Order(Some(order)) => self.obey(order).await,
                // Nobody can reach this lane any more.
                Woken::Order(None) => self.close_session().await,
                Woken::News(Some(batch)) => self.hear(batch).await,
                Woken::News(None) => self.lost_without_a_word().await,
                Woken::Due => self.due().await,
            }
        }
        if let Some(closed) = self.closing.take() {
            // Whoever waited may be gone.
            let _ = closed.send(());
        }
    }

    async fn wait(&mut self) -> Woken {
        let due = self.next_due();
        let news = self.seat.events();
        tokio::select! {
            order = self.inbox.recv(), if self.closing.is_none() => Woken::Order(order),
            batch = news => Woken::News(batch),
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => Woken::Due,
        }
    }

    fn next_due(&self) -> Option<Instant> {
        let cancel = self.turn.as_ref().and_then(ActiveTurn::cancel_answer_due);
        let due = self.seat.due().into_iter();
        due.chain(cancel).chain(self.retry_at).min()
    }

    async fn due(&mut self) {
        let now = Instant::now();
        if let Some(turn) = &mut self.turn {
            turn.answer_cancels_if_due(now);
        }
        if self.seat.due().is_some_and(|at| at <= now) {
            self.seat_due().await;
        }
    }
}
