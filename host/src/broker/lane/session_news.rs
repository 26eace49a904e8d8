//! The lane's session: starting it, hearing that it is ready or gone, starting it again.

use std::time::Duration;

use tokio::time::Instant;

use super::owed::FailedRound;
use super::seat::{ATTEMPTS, Plan, Ready, Seat, Seated};
use super::trouble::Trouble;
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
            .resumable(
                self.member.actor.clone(),
                self.member.cwd.clone(),
                self.member.driver.clone(),
            )
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
            adapter_id: self.member.agent.to_string(),
            driver: self.member.driver.clone(),
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
        self.announce(SessionPhase::Starting, &plan, None, Some(&seated.instance))
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
        // A session that was told to leave while it started may still say that it is ready.
        if !matches!(self.seat, Seat::Starting { .. }) {
            return;
        }
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
            (None, _) => {
                // Only now is it certain that the lost one is not wanted any more.
                if let Some(lost) = plan.lost.clone() {
                    self.forget(lost).await;
                }
                (SessionPhase::Ready, plan.continuity)
            }
        };
        // Told before it shows: whoever reads that the agent is ready can read why.
        let done = Plan { continuity, ..plan };
        let news = SessionNews {
            message: facts.lost.clone(),
            ..self.news(phase, &done, None)
        };
        self.record_news(phase, news, Some(&seated.instance)).await;
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
        let blank = !facts.resumed;
        self.seat = Seat::Ready(Box::new(Ready {
            seated,
            facts,
            hold: false,
            blank,
            worked: false,
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
            notice.instance = None;
            notice.native_session = false;
            notice.tools = ToolsState::Pending;
        });
        self.announce(SessionPhase::Stopped, &Plan::fresh(), None, None)
            .await;
        if then_start && self.closing.is_none() {
            self.start_session().await;
        }
    }

    async fn start_failed(&mut self, plan: Plan, cause: EndCause) {
        let why = Trouble::of_start(cause);
        let resume_is_hopeless = why.code == ErrorCode::NativeResumeUnsupported;
        if why.retry
            && !resume_is_hopeless
            && let Some(next) = plan.again()
        {
            self.wait_and_try(next, RETRY_WAIT * plan.attempt, Some(why))
                .await;
            return;
        }
        // A machine that is too slow to answer loses no history by that.
        let says_nothing_of_resume = why.code == ErrorCode::ProtocolHandshakeTimeout;
        if let Some(lost) = plan.resume.clone()
            && why.retry
            && !says_nothing_of_resume
        {
            let fresh = Plan::fresh_after_loss(lost);
            self.wait_and_try(fresh, Duration::ZERO, Some(why)).await;
            return;
        }
        self.give_up(&plan, why).await;
    }

    /// A ready session was lost: it is started again, later the more often that happens.
    async fn ready_session_lost(&mut self, ready: Ready, cause: EndCause) {
        let plan = match ready.facts.native_session_id.clone() {
            // A session that was never prompted has nothing to go on with.
            Some(native) if !ready.blank => Plan::resuming(native),
            _ => Plan::fresh(),
        };
        let Some(why) = Trouble::of_ready(cause, ready.worked) else {
            self.announce(SessionPhase::Stopped, &plan, None, None)
                .await;
            self.wait_and_try(plan, Duration::ZERO, None).await;
            return;
        };
        self.losses += 1;
        if why.code == ErrorCode::NativePolicyBlocked || self.losses > MOST_LOSSES {
            self.give_up(&plan, why).await;
            return;
        }
        self.announce(SessionPhase::Failed, &plan, Some(&why), None)
            .await;
        let wait = RETRY_WAIT
            .saturating_mul(1 << (self.losses - 1).min(10))
            .min(LONGEST_WAIT);
        self.wait_and_try(plan, wait, Some(why)).await;
    }

    async fn wait_and_try(&mut self, plan: Plan, wait: Duration, why: Option<Trouble>) {
        let at = self.room.sources.now();
        let status = self.status_while_starting();
        self.room.board.change(&self.member.agent, at, |notice| {
            notice.status = status;
            notice.instance = None;
            notice.native_session = false;
            notice.tools = ToolsState::Pending;
            notice.last_error = why.as_ref().map(Trouble::with_last_words);
        });
        if wait > Duration::ZERO {
            let news = SessionNews {
                next_delay_ms: u64::try_from(wait.as_millis()).ok(),
                ..self.news(SessionPhase::Retrying, &plan, why.as_ref())
            };
            let kind = SessionPhase::Retrying;
            self.publish_news(&EventBody::Session { kind, news }, at);
        }
        self.seat = Seat::Waiting {
            until: Instant::now() + wait,
            plan,
        };
    }

    /// No session for now. What waits in the lane fails with the reason; a new Turn tries again.
    async fn give_up(&mut self, plan: &Plan, why: Trouble) {
        self.losses = 0;
        let at = self.room.sources.now();
        let blocked = why.code == ErrorCode::NativePolicyBlocked;
        self.room.board.change(&self.member.agent, at, |notice| {
            notice.status = if blocked {
                AgentStatus::NativePolicyBlocked
            } else {
                AgentStatus::Failed
            };
            notice.instance = None;
            notice.native_session = false;
            notice.tools = ToolsState::Missing;
            notice.last_error = Some(why.with_last_words());
            notice.settled = true;
        });
        self.announce(SessionPhase::Failed, plan, Some(&why), None)
            .await;
        let name = &self.member.name;
        let text = format!("{name} could not be started: {}", why.message);
        self.failed_round = Some(FailedRound {
            code: why.code,
            message: text.clone(),
            through: self.room.store.tail().committed_through(),
        });
        self.may_have_work = true;
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

    fn news(&self, phase: SessionPhase, plan: &Plan, why: Option<&Trouble>) -> SessionNews {
        SessionNews {
            phase: phase.word(),
            agent_id: self.member.agent.clone(),
            actor_id: self.member.actor.clone(),
            attempt: plan.attempt,
            max_attempts: ATTEMPTS,
            continuity: plan.continuity,
            next_delay_ms: None,
            error_code: why.map(|why| why.code),
            message: why.map(|why| why.message.clone()),
        }
    }

    /// Writes a durable session event.
    async fn announce(
        &self,
        phase: SessionPhase,
        plan: &Plan,
        why: Option<&Trouble>,
        instance: Option<&InstanceId>,
    ) {
        let news = self.news(phase, plan, why);
        self.record_news(phase, news, instance).await;
    }

    async fn record_news(
        &self,
        kind: SessionPhase,
        news: SessionNews,
        instance: Option<&InstanceId>,
    ) {
        let body = EventBody::Session { kind, news };
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
