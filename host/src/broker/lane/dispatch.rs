//! From the lane to the agent: claim, packet, `prompt_invoked`, prompt.

use tokio::time::Instant;

use super::Lane;
use super::active::ActiveTurn;
use super::seat::Seat;
use crate::broker::callers::CallersTurn;
use crate::broker::scribe::Scribe;
use crate::broker::turn::{Attempt, Reach, TurnInput, TurnState};
use crate::context::{self, PacketParts, Tools};
use crate::protocol::reply::ToolsState;
use crate::protocol::{AttemptId, ErrorCode, EventBody, Seq};
use crate::session::SessionCommand;
use crate::store::{Claim, Claimed, PacketQuery, TurnRow};

/// Messages of a reply chain that stand in a packet.
const REPLY_DEPTH: usize = 64;

impl Lane {
    /// Pays what is owed, then starts whatever can be started now.
    pub(super) async fn work(&mut self) {
        if self.retry_at.is_some_and(|at| Instant::now() < at) {
            return;
        }
        self.retry_at = None;
        if !self.pay().await || !self.may_have_work || self.turn.is_some() || self.closing.is_some()
        {
            return;
        }
        match &self.seat {
            Seat::Ready(ready) if !ready.hold => self.claim_next().await,
            Seat::Down => self.wake_for_work().await,
            _ => {}
        }
    }

    /// No session, but a Turn: that is what a new round of attempts is for.
    async fn wake_for_work(&mut self) {
        self.may_have_work = false;
        match self.room.store.next_queued(self.member.actor.clone()).await {
            Ok(Some(_)) => self.start_session().await,
            Ok(None) => {}
            Err(fault) => self.ask_again(&fault),
        }
    }

    async fn claim_next(&mut self) {
        self.may_have_work = false;
        let Some(ready) = self.seat.ready() else {
            return;
        };
        let attempt_id: AttemptId = self.room.sources.mint();
        let author = self.member.author(Some(&ready.seated.instance));
        let sources = self.room.sources.clone();
        let attempt = attempt_id.clone();
        let target = self.member.actor.clone();
        let dispatched = move |turn: &TurnRow| {
            let body = EventBody::TurnDispatched {
                turn_id: turn.turn_id.clone(),
                attempt_id: attempt,
                target_actor_id: target,
            };
            Scribe::of(turn, author, sources).by_system(&body)
        };
        let claim = Claim {
            target: self.member.actor.clone(),
            attempt_id: attempt_id.clone(),
            binding: ready.seated.binding.clone(),
            instance: ready.seated.instance.clone(),
            at: self.room.sources.now(),
            dispatched: Box::new(dispatched),
        };
        match self.room.store.claim(claim).await {
            Ok(Claimed::Turn(row)) => self.dispatch(row, attempt_id).await,
            Ok(Claimed::Nothing) => {}
            Err(fault) => self.ask_again(&fault),
        }
    }

    async fn dispatch(&mut self, row: TurnRow, attempt_id: AttemptId) {
        self.may_have_work = true;
        self.room.board.count_queued(-1);
        self.room.board.count_active(1);
        let Some(ready) = self.seat.ready() else {
            return;
        };
        let author = self.member.author(Some(&ready.seated.instance));
        let (secret, blank) = (ready.seated.secret.clone(), ready.blank);
        let scribe = Scribe::of(&row, author, self.room.sources.clone());
        let attempt = Attempt {
            id: attempt_id.clone(),
            reach: Reach::Prepared,
        };
        let mut turn = ActiveTurn::new(TurnState::Dispatching(attempt), scribe, Seq::START);
        let packet = self.packet(&row, blank).await;
        let (text, through) = match packet {
            Ok(packet) => packet,
            Err((code, message)) => {
                self.turn = Some(turn);
                self.end_unprepared(code, message).await;
                return;
            }
        };
        turn.through = through;
        let id = row.turn_id.clone();
        self.turn = Some(turn);
        let at = self.room.sources.now();
        match self
            .room
            .store
            .prompt_invoked(id.clone(), attempt_id, through, at)
            .await
        {
            Ok(true) => {}
            refused => {
                tracing::warn!(agent = %self.member.agent, ?refused, "prompt not handed over");
                let code = ErrorCode::StoreUnavailable;
                let message = "GroupX could not write that the prompt is being sent, so it was not sent. Free disk space or look at `groupx doctor`, then send it again.".into();
                self.end_unprepared(code, message).await;
                return;
            }
        }
        self.step_turn(TurnInput::PromptInvoked);
        let callers_turn = CallersTurn {
            turn_id: id.clone(),
            source_event_id: row.source_event_id,
            correlation_id: row.correlation_id,
            root_correlation_id: row.root_correlation_id,
            hop_count: row.hop_count,
        };
        self.room.callers.works_on(&secret, Some(callers_turn));
        self.tell_session(SessionCommand::Prompt { turn: id, text })
            .await;
    }

    /// The packet and how far it tells the room, or why there is none, in words.
    async fn packet(
        &self,
        row: &TurnRow,
        blank: bool,
    ) -> Result<(String, Seq), (ErrorCode, String)> {
        let budget = self.room.limits.context_characters;
        let query = PacketQuery {
            target: self.member.actor.clone(),
            source: row.source_event_id.clone(),
            blank,
            bytes: budget,
            reply_depth: REPLY_DEPTH,
        };
        let rows = self.room.store.packet_rows(query).await.map_err(|fault| {
            let fault = fault.to_fault();
            (fault.code, fault.message)
        })?;
        let rows = rows.ok_or_else(|| {
            let text = "The message behind this Turn cannot be found.";
            (ErrorCode::InternalError, text.to_owned())
        })?;
        let through = rows.current.event.seq.unwrap_or(Seq::START);
        // Its own answers are in the native session's history already, as long as that lives.
        let own = &self.member.actor;
        let unread = rows
            .unread
            .into_iter()
            .filter(|said| blank || said.event.actor.actor_id != *own);
        let parts = PacketParts {
            target: own.clone(),
            identity: self.member.identity.clone(),
            after: rows.after,
            through,
            tools: match self.tools() {
                ToolsState::Attached => Tools::Attached,
                ToolsState::Pending => Tools::Pending,
                ToolsState::Missing => Tools::Missing,
            },
            unread: unread.collect(),
            omitted: rows.omitted,
            replies: rows.replies,
            current: rows.current,
            budget,
        };
        let packet = context::build(&parts).map_err(|long| {
            let text = format!("Its context does not fit: {long}. Send less at once, or raise limits.contextCharacters.");
            (ErrorCode::ContextBudgetExceeded, text)
        })?;
        Ok((packet.text, through))
    }
}
