//! Which wait is running out. Pure: the time comes in.

use std::time::Duration;

use tokio::time::Instant;

use super::native::SessionTimeouts;

/// A wait that can run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// For the handshake's next step.
    Handshake,
    /// For the first sign of life after a prompt.
    FirstEvent,
    /// For the next sign of life within a Turn.
    Idle,
    /// For the end of a cancelled Turn.
    Cancel,
    /// For a driver that takes no prompt to take one again.
    Hold,
    /// For the exit of a process that closed its output.
    Exit,
    /// For the native cancel of a Turn that is over for us, before the process is replaced.
    Grace,
}

/// The waits of one session; of first-event and idle only one runs.
#[derive(Debug)]
pub(super) struct Deadlines {
    limits: SessionTimeouts,
    running: Vec<(Wait, Instant)>,
}

impl Deadlines {
    pub(super) fn new(limits: SessionTimeouts) -> Self {
        Self {
            limits,
            running: Vec::new(),
        }
    }

    /// The limit of a wait.
    pub(super) fn limit(&self, wait: Wait) -> Duration {
        match wait {
            Wait::Handshake | Wait::Hold => self.limits.handshake,
            Wait::FirstEvent => self.limits.first_event,
            Wait::Idle => self.limits.idle,
            Wait::Cancel => self.limits.cancel,
            Wait::Exit => self.limits.close,
            Wait::Grace => self.limits.cancel.min(Duration::from_secs(2)),
        }
    }

    /// Starts a wait, anew if it runs already.
    pub(super) fn start(&mut self, wait: Wait, now: Instant) {
        self.stop(wait);
        self.running.push((wait, now + self.limit(wait)));
    }

    /// Starts a wait unless it runs already: what is asked again and again gets no more time.
    pub(super) fn start_once(&mut self, wait: Wait, now: Instant) {
        if !self.running.iter().any(|(running, _)| *running == wait) {
            self.start(wait, now);
        }
    }

    /// Stops a wait.
    pub(super) fn stop(&mut self, wait: Wait) {
        self.running.retain(|(running, _)| *running != wait);
    }

    /// Any frame of the CLI counts as life within a Turn (contract Ours 19).
    pub(super) fn sign_of_life(&mut self, now: Instant) {
        let silence = self
            .running
            .iter()
            .any(|(w, _)| matches!(w, Wait::FirstEvent | Wait::Idle));
        if silence {
            self.stop(Wait::FirstEvent);
            self.start(Wait::Idle, now);
        }
    }

    /// A Turn is over: nothing of it is waited for.
    pub(super) fn turn_over(&mut self) {
        for wait in [Wait::FirstEvent, Wait::Idle, Wait::Cancel] {
            self.stop(wait);
        }
    }

    /// The wait that runs out first.
    pub(super) fn next(&self) -> Option<(Wait, Instant)> {
        self.running.iter().copied().min_by_key(|(_, at)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deadlines() -> Deadlines {
        Deadlines::new(SessionTimeouts {
            handshake: Duration::from_secs(60),
            first_event: Duration::from_secs(180),
            idle: Duration::from_secs(300),
            cancel: Duration::from_secs(10),
            close: Duration::from_secs(5),
        })
    }

    #[test]
    fn turn_12_a_talking_agent_is_never_cut_off() {
        let mut deadlines = deadlines();
        let mut now = Instant::now();
        deadlines.start(Wait::FirstEvent, now);
        for _ in 0..100 {
            now += Duration::from_secs(170);
            assert!(deadlines.next().unwrap().1 > now);
            deadlines.sign_of_life(now);
        }
        assert_eq!(
            deadlines.next(),
            Some((Wait::Idle, now + Duration::from_secs(300)))
        );
        deadlines.turn_over();
        assert_eq!(deadlines.next(), None);
    }

    #[test]
    fn life_outside_a_turn_starts_no_wait_and_the_nearest_runs_out_first() {
        let mut deadlines = deadlines();
        let now = Instant::now();
        deadlines.sign_of_life(now);
        assert_eq!(deadlines.next(), None);
        deadlines.start(Wait::Idle, now);
        deadlines.start(Wait::Cancel, now);
        assert_eq!(deadlines.next().unwrap().0, Wait::Cancel);
    }
}
