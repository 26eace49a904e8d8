//! The budget of one call: CPU time of the thread that runs it, and a wall bound for the rest.
//!
//! Pure but for [`now`]; the engine's epoch callback asks it at every tick.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// One reading of both clocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    cpu: Duration,
    wall: Instant,
}

/// Both clocks, now. The CPU clock is the calling thread's.
pub(super) fn now() -> Reading {
    let cpu = clock_gettime(ClockId::ThreadCPUTime);
    Reading {
        cpu: Duration::new(
            u64::try_from(cpu.tv_sec).unwrap_or_default(),
            u32::try_from(cpu.tv_nsec).unwrap_or_default(),
        ),
        wall: Instant::now(),
    }
}

/// What a call may use, and when it was first looked at.
///
/// The count starts at the first tick, not at the call: reading the CPU clock is a system call,
/// and nearly all calls end before any tick. A call so gets up to one tick more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    cpu: Duration,
    wall: Duration,
    since: Option<Reading>,
}

impl Budget {
    pub(super) fn new(cpu: Duration, wall: Duration) -> Self {
        Budget {
            cpu,
            wall,
            since: None,
        }
    }

    /// Called at every tick; `Some` is what was spent when the budget is used up.
    pub(super) fn overrun(&mut self, now: Reading) -> Option<Duration> {
        let since = *self.since.get_or_insert(now);
        let cpu = now.cpu.saturating_sub(since.cpu);
        let wall = now.wall.saturating_duration_since(since.wall);
        if cpu >= self.cpu {
            Some(cpu)
        } else if wall >= self.wall {
            Some(wall)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(start: Instant, cpu_ms: u64, wall_ms: u64) -> Reading {
        Reading {
            cpu: Duration::from_millis(cpu_ms),
            wall: start + Duration::from_millis(wall_ms),
        }
    }

    #[test]
    fn a_call_that_waits_for_the_cpu_is_not_stopped_before_the_wall_bound() {
        let start = Instant::now();
        let mut budget = Budget::new(Duration::from_millis(400), Duration::from_secs(20));
        assert_eq!(budget.overrun(at(start, 5, 0)), None);
        assert_eq!(budget.overrun(at(start, 15, 19_000)), None);
        assert_eq!(
            budget.overrun(at(start, 16, 20_000)),
            Some(Duration::from_secs(20))
        );
    }

    #[test]
    fn a_call_that_computes_is_stopped_at_its_cpu_time() {
        let start = Instant::now();
        let mut budget = Budget::new(Duration::from_millis(400), Duration::from_secs(20));
        assert_eq!(budget.overrun(at(start, 1_000, 0)), None);
        assert_eq!(budget.overrun(at(start, 1_399, 400)), None);
        assert_eq!(
            budget.overrun(at(start, 1_400, 400)),
            Some(Duration::from_millis(400))
        );
    }
}
