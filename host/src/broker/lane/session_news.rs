//! The lane's session: starting it, hearing that it is ready or gone, starting it again.

use std::time::Duration;

use tokio::time::Instant;

use super::seat::{ATTEMPTS, Plan, Ready, Seat, Seated};
use super::{Lane, TOOLS_WAIT};
use crate::broker::callers::Caller;
use crate::broker::live::LiveEvent;
use crate::protocol::body::{Continuity, SessionNews, SessionPhase};
use crate::protocol::envelope::SourceKind;
use crate::protocol::reply::{AgentStatus, RestartAnswer, ToolsState};
use crate::protocol::{
    BindingId, CorrelationId, Envelope, ErrorCode, EventBody, Fault, InstanceId, Timestamp,
};
use crate::session::{EndCause, McpMount, SessionFacts, SessionRequest};
use crate::store::NewSession;

/// The first wait between attempts; the second is twice as long.
const RETRY_WAIT: Duration = Duration::from_millis(400);
/// The longest wait before a session that keeps dying is started again.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Sessions lost in a row, without a completed Turn between, before the agent counts as failed.
const MOST_LOSSES: u32 = 6;

impl Lane {
    /// Starts a round: going on with the newest native session that was ever prompted.
    pub(super) async fn start_session(&mut self) {
        let found = self
            .room
            .store
            .resumable(self.member.actor.clone(), self.member.cwd.clone())
            .await;
        let plan = match found {
            Ok(Some(session)) => Plan::resuming(session.native_session_id),
            Ok(None) => Plan::fresh(),
            Err(fault) => {
                tracing::warn!(agent = %self.member.agent, %fault, "no stored session could be looked up");
                Plan::fresh()
            }
        };
        self.attempt(plan).await;
    }

    async fn attempt(&mut self, plan: Plan) {
        let sources = &self.room.sources;
        let instance = InstanceId::of(&self.member.agent, sources.bits());
        let binding = BindingId::of(&self.member.agent, sources.bits());
        let secret = format!("{:032x}", sources.bits());
        let session = NewSession {
            instance: instance.clone(),
            binding: binding.clone(),
            actor: self.member.actor.clone(),
            adapter_id: self.member.driver.clone(),
            cwd: self.member.cwd.clone(),
            at: sources.now(),
        };
        if let Err(fault) = self.room.store.session_opened(session).await {
            // Without its rows no Turn could be written under it. Try again when the store heals.
            tracing::warn!(agent = %self.member.agent, %fault, "session not opened");
            self.seat = Seat::Waiting {
                until: Instant::now() + LONGEST_WAIT,
                plan,
            };
            return;
        }
        let caller = Caller {
            agent: self.member.agent.clone(),
            binding: binding.clone(),
        };
        self.room.callers.admit(secret.clone(), caller);
        let request = SessionRequest {
            agent: self.member.agent.clone(),
            session: instance.to_string(),
            new_session_id: uuid_text(sources.bits()),
            resume: plan.resume.clone(),
            mcp: Some(McpMount {
                url: self.room.mcp_url.clone(),
                secret: secret.clone(),
            }),
        };
        let link = self.room.sessions.open(request);
        let seated = Seated {
            link,
            instance,
            binding,
            secret,
        };
        let (status, now) = (self.status_while_starting(), self.room.sources.now());
        self.room.board.change(&self.member.agent, now, |notice| {
            notice.status = status;
            notice.instance = Some(seated.instance.clone());
            notice.native_session = false;
            notice.tools = ToolsState::Pending;
        });
        self.announce(
            SessionPhase::Starting,
            &plan,
            None,
            None,
            Some(&seated.instance),
        )
        .await;
        self.seat = Seat::Starting { seated, plan };
    }

    /// A first start is `starting`; a lost session that is started again is `degraded`.
    fn status_while_starting(&self) -> AgentStatus {
        let settled = self
            .room
            .board
            .notice(&self.member.agent)
            .is_some_and(|notice| notice.settled);
        if settled {
            AgentStatus::Degraded
        } else {
            AgentStatus::Starting
        }
    }

    pub(super) async fn became_ready(&mut self, facts: SessionFacts) {
        let Seat::Starting { seated, plan } = std::mem::replace(&mut self.seat, Seat::Down) else {
            return;
        };
        let at = self.room.sources.now();
        let native = facts.native_session_id.clone();
        let stored = self
            .room
            .store
            .session_ready(seated.binding.clone(), native, facts.resumed, at)
            .await;
        if let Err(fault) = stored {
            tracing::warn!(agent = %self.member.agent, %fault, "session's readiness not written");
        }
        let (phase, continuity) = match (&plan.resume, facts.resumed) {
            (Some(_), true) => (SessionPhase::Resumed, Continuity::Resumed),
            (Some(lost), false) => {
                self.forget(lost.clone()).await;
                (
                    SessionPhase::Ready,
                    Continuity::NewSessionAfterResumeFailure,
                )
            }
            (None, _) => (SessionPhase::Ready, plan.continuity),
        };
        if !facts.tools {
            self.room.callers.without_tools(&seated.secret);
        }
        let attached = self.tools() == ToolsState::Attached;
        let tools = match (facts.tools, attached) {
            (false, _) => ToolsState::Missing,
            (true, true) => ToolsState::Attached,
            (true, false) => ToolsState::Pending,
        };
        let tools_due = (tools == ToolsState::Pending).then(|| Instant::now() + TOOLS_WAIT);
        self.room.board.change(&self.member.agent, at, |notice| {
            notice.status = AgentStatus::Ready;
            notice.native_session = true;
            notice.tools = tools;
            notice.last_error = None;
            notice.settled = true;
        });
        let done = Plan { continuity, ..plan };
        self.announce(
            phase,
            &done,
            None,
            facts.lost.clone(),
            Some(&seated.instance),
        )
        .await;
        let blank = !facts.resumed;
        self.seat = Seat::Ready(Box::new(Ready {
            seated,
            facts,
            hold: false,
            blank,
            tools_due,
        }));
        self.may_have_work = true;
        self.answer_restarts(Ok(()));
        self.room.settled();
    }

    /// The session is over. The Turn it worked on, if any, is settled already.
    pub(super) async fn session_ended(&mut self, cause: EndCause) {
        let seat = std::mem::replace(&mut self.seat, Seat::Down);
        if let Some(seated) = seat.seated() {
            self.room.callers.dismiss(&seated.secret);
            let failed = !matches!(cause, EndCause::Closed | EndCause::Replace);
            let at = self.room.sources.now();
            let closed = self
                .room
                .store
                .session_closed(seated.binding.clone(), failed, at)
                .await;
            if let Err(fault) = closed {
                tracing::warn!(agent = %self.member.agent, %fault, "session's end not written");
            }
        }
        match (seat, cause) {
            (Seat::Leaving { then_start, .. }, _) => self.left(then_start).await,
            (Seat::Starting { plan, .. }, cause) => self.start_failed(plan, cause).await,
            (Seat::Ready(ready), cause) => self.ready_session_lost(*ready, cause).await,
            (Seat::Down | Seat::Waiting { .. }, _) => {}
        }
    }

    async fn left(&mut self, then_start: bool) {
        let at = self.room.sources.now();
        self.room.board.change(&self.member.agent, at, |notice| {
            notice.status = AgentStatus::Stopped;
            notice.native_session = false;
        });
        self.announce(SessionPhase::Stopped, &Plan::fresh(), None, None, None)
            .await;
        if then_start && self.closing.is_none() {
            self.start_session().await;
        }
    }

    async fn start_failed(&mut self, plan: Plan, cause: EndCause) {
        let (code, message, retry) = match cause {
            EndCause::Failed {
                code,
                message,
                retry,
            } => (code, message, retry),
            EndCause::Exited { message } => (ErrorCode::AdapterStartFailed, message, true),
            EndCause::Closed | EndCause::Replace => (
                ErrorCode::SessionNotAvailable,
                "Its session ended while starting.".into(),
                true,
            ),
        };
        let resume_is_hopeless = code == ErrorCode::NativeResumeUnsupported;
        if retry
            && !resume_is_hopeless
            && let Some(next) = plan.again()
        {
            let wait = RETRY_WAIT * plan.attempt;
            self.wait_and_try(next, wait, code, Some(message)).await;
            return;
        }
        let blocked = code == ErrorCode::NativePolicyBlocked;
        if let Some(lost) = plan.resume.clone()
            && !blocked
            && retry
        {
            self.forget(lost).await;
            self.wait_and_try(
                Plan::fresh_after_loss(),
                Duration::ZERO,
                code,
                Some(message),
            )
            .await;
            return;
        }
        self.give_up(&plan, code, message).await;
    }

    /// A ready session was lost: it is started again, later the more often that happens.
    async fn ready_session_lost(&mut self, ready: Ready, cause: EndCause) {
        let native = ready.facts.native_session_id.clone();
        let resume = match native {
            // A session that was never prompted has nothing to go on with.
            Some(_) if ready.blank => Plan::fresh(),
            Some(native) => Plan::resuming(native),
            None => Plan::fresh(),
        };
        let (code, message) = match cause {
            EndCause::Closed | EndCause::Replace => {
                self.announce(SessionPhase::Stopped, &resume, None, None, None)
                    .await;
                self.wait_and_try(resume, Duration::ZERO, ErrorCode::SessionNotAvailable, None)
                    .await;
                return;
            }
            EndCause::Exited { message } => (ErrorCode::SessionNotAvailable, message),
            EndCause::Failed { code, message, .. } => (code, message),
        };
        self.losses += 1;
        if code == ErrorCode::NativePolicyBlocked || self.losses > MOST_LOSSES {
            self.give_up(&resume, code, message).await;
            return;
        }
        let words = Some(message.clone());
        self.announce(SessionPhase::Failed, &resume, Some(code), words, None)
            .await;
        let wait = RETRY_WAIT
            .saturating_mul(1 << (self.losses - 1).min(10))
            .min(LONGEST_WAIT);
        self.wait_and_try(resume, wait, code, Some(message)).await;
    }

    async fn wait_and_try(
        &mut self,
        plan: Plan,
        wait: Duration,
        code: ErrorCode,
        message: Option<String>,
    ) {
        let at = self.room.sources.now();
        let status = self.status_while_starting();
        self.room.board.change(&self.member.agent, at, |notice| {
            notice.status = status;
            notice.native_session = false;
            notice.last_error.clone_from(&message);
        });
        if wait > Duration::ZERO {
            let news = self.news(SessionPhase::Retrying, &plan, Some(code), message);
            let news = SessionNews {
                next_delay_ms: u64::try_from(wait.as_millis()).ok(),
                ..news
            };
            let body = EventBody::Session {
                kind: SessionPhase::Retrying,
                news,
            };
            self.publish_news(&body, at);
        }
        self.seat = Seat::Waiting {
            until: Instant::now() + wait,
            plan,
        };
    }

    /// No session for now. What waits in the lane fails with the reason; a new Turn tries again.
    async fn give_up(&mut self, plan: &Plan, code: ErrorCode, message: String) {
        self.losses = 0;
        let at = self.room.sources.now();
        let blocked = code == ErrorCode::NativePolicyBlocked;
        self.room.board.change(&self.member.agent, at, |notice| {
            notice.status = if blocked {
                AgentStatus::NativePolicyBlocked
            } else {
                AgentStatus::Failed
            };
            notice.native_session = false;
            notice.tools = ToolsState::Missing;
            notice.last_error = Some(message.clone());
            notice.settled = true;
        });
        self.announce(
            SessionPhase::Failed,
            plan,
            Some(code),
            Some(message.clone()),
            None,
        )
        .await;
        let name = &self.member.name;
        let text = format!("{name} could not be started: {message}");
        self.fail_queue(code, &text).await;
        self.answer_restarts(Err(Fault::new(ErrorCode::SessionNotAvailable, text)));
        self.room.settled();
    }

    async fn forget(&mut self, native: String) {
        if let Err(fault) = self
            .room
            .store
            .session_lost(self.member.actor.clone(), native)
            .await
        {
            tracing::warn!(agent = %self.member.agent, %fault, "lost session not written");
        }
    }

    /// Something about the session is due: the next attempt, or tools that never came.
    pub(super) async fn seat_due(&mut self) {
        match &mut self.seat {
            Seat::Waiting { plan, .. } => {
                let plan = plan.clone();
                self.attempt(plan).await;
            }
            Seat::Ready(ready) => {
                ready.tools_due = None;
                let at = self.room.sources.now();
                self.room.board.change(&self.member.agent, at, |notice| {
                    notice.tools = ToolsState::Missing
                });
            }
            _ => {}
        }
    }

    pub(super) fn tools(&self) -> ToolsState {
        self.room
            .board
            .notice(&self.member.agent)
            .map_or(ToolsState::Missing, |notice| notice.tools)
    }

    fn answer_restarts(&mut self, outcome: Result<(), Fault>) {
        let actor_id = self.member.actor.clone();
        for waiter in self.restarts.drain(..) {
            let answer = outcome.clone().map(|()| RestartAnswer {
                actor_id: actor_id.clone(),
                accepted: true,
                previous_instance_id: None,
            });
            // Whoever asked may have gone.
            let _ = waiter.send(answer);
        }
    }

    fn news(
        &self,
        phase: SessionPhase,
        plan: &Plan,
        error_code: Option<ErrorCode>,
        message: Option<String>,
    ) -> SessionNews {
        SessionNews {
            phase: phase.word(),
            agent_id: self.member.agent.clone(),
            actor_id: self.member.actor.clone(),
            attempt: plan.attempt,
            max_attempts: ATTEMPTS,
            continuity: plan.continuity,
            next_delay_ms: None,
            error_code,
            message,
        }
    }

    /// Writes a durable session event.
    async fn announce(
        &self,
        phase: SessionPhase,
        plan: &Plan,
        code: Option<ErrorCode>,
        message: Option<String>,
        instance: Option<&InstanceId>,
    ) {
        let body = EventBody::Session {
            kind: phase,
            news: self.news(phase, plan, code, message),
        };
        let event = self.session_event(&body, instance, self.room.sources.now());
        if let Err(fault) = self.room.store.record(vec![event]).await {
            tracing::warn!(agent = %self.member.agent, %fault, "session event not written");
        }
    }

    fn publish_news(&self, body: &EventBody, at: Timestamp) {
        let envelope = self.session_event(body, None, at);
        self.room.live.publish(&LiveEvent {
            envelope: std::sync::Arc::new(envelope),
            body: body.clone(),
            after: self.room.store.tail().committed_through(),
        });
    }

    fn session_event(
        &self,
        body: &EventBody,
        instance: Option<&InstanceId>,
        at: Timestamp,
    ) -> Envelope {
        let correlation: CorrelationId = self.room.sources.mint();
        let id = self.room.sources.mint();
        Envelope::new(id, self.member.author(instance), correlation, at, body)
            .from_door(SourceKind::Adapter)
    }
}

/// The random UUID (version 4) of these bits.
fn uuid_text(bits: u128) -> String {
    let bits = (bits & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ]
    .join("-")
}
