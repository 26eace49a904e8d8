//! A process and all that it started. Agents run their shell tools in sessions of their own, so a
//! signal to the group does not reach them: they are found by descent, before the parent is gone.

use std::collections::BTreeSet;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// The processes below one process, as they were found; grows with every look.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    root: Option<Root>,
    /// Each with its start time, so that a pid that was given to another process is left alone.
    below: BTreeSet<(i32, u64)>,
}

#[derive(Debug, Clone, Copy)]
struct Root {
    pid: Pid,
    /// Absent where there is no process table, or where it was gone at once.
    started: Option<u64>,
}

impl Root {
    /// The root ended long ago and its pid was given to another process.
    fn is_somebody_else(self, now: Option<&Process>) -> bool {
        now.is_some_and(|now| Some(now.started) != self.started)
    }
}

impl Tree {
    pub(super) fn of(pid: Option<u32>) -> Self {
        let root = pid
            .and_then(|p| i32::try_from(p).ok())
            .and_then(Pid::from_raw);
        Self {
            root: root.map(|pid| Root {
                pid,
                started: read_process(pid.as_raw_nonzero().get()).map(|now| now.started),
            }),
            below: BTreeSet::new(),
        }
    }

    /// Notes everything that descends from the root now.
    pub(super) fn look(&mut self) {
        self.look_among(&processes());
    }

    fn look_among(&mut self, all: &[Process]) {
        let Some(root) = self.root else { return };
        let at = |pid| all.iter().find(|process| process.pid == pid);
        let root_pid = root.pid.as_raw_nonzero().get();
        let mut parents = BTreeSet::new();
        if !root.is_somebody_else(at(root_pid)) {
            parents.insert(root_pid);
        }
        let below = self.below.iter();
        let alive = below.filter(|(pid, started)| at(*pid).is_some_and(|p| p.started == *started));
        parents.extend(alive.map(|(pid, _)| *pid));
        loop {
            let before = parents.len();
            for process in all {
                if parents.contains(&process.parent) && parents.insert(process.pid) {
                    self.below.insert((process.pid, process.started));
                }
            }
            if parents.len() == before {
                return;
            }
        }
    }

    /// Sends a signal to the root's group and to everything that was noted and is still itself.
    pub(super) fn signal(&self, signal: Signal) {
        if let Some(root) = self.root {
            let now = read_process(root.pid.as_raw_nonzero().get());
            // A group outlives its leader, and nobody else gets its number as long as it lives.
            if !root.is_somebody_else(now.as_ref()) {
                // An error means that nobody is left to hear it.
                let _ = kill_process_group(root.pid, signal);
            }
        }
        self.signal_below(signal);
    }

    /// Sends a signal only to what was noted below the root.
    pub(super) fn signal_below(&self, signal: Signal) {
        for (pid, started) in &self.below {
            let same = read_process(*pid).is_some_and(|now| now.started == *started);
            if let (true, Some(pid)) = (same, Pid::from_raw(*pid)) {
                let _ = kill_process(pid, signal);
            }
        }
    }
}

/// One line of the process table.
struct Process {
    pid: i32,
    parent: i32,
    started: u64,
}

#[cfg(target_os = "linux")]
fn processes() -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(read_process).collect()
}

#[cfg(target_os = "linux")]
fn read_process(pid: i32) -> Option<Process> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in parentheses and may hold anything; the fields go on behind the last one.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let state = *fields.first()?;
    if state == "Z" {
        return None;
    }
    Some(Process {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
    })
}

/// Without a process table only the group is ended.
#[cfg(not(target_os = "linux"))]
fn processes() -> Vec<Process> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
fn read_process(_: i32) -> Option<Process> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: i32, parent: i32, started: u64) -> Process {
        Process {
            pid,
            parent,
            started,
        }
    }

    fn tree() -> Tree {
        Tree {
            root: Pid::from_raw(10).map(|pid| Root {
                pid,
                started: Some(1),
            }),
            below: BTreeSet::new(),
        }
    }

    #[test]
    fn descendants_are_found_and_stay_known_when_their_parent_is_gone() {
        let mut tree = tree();
        tree.look_among(&[process(10, 1, 1), process(11, 10, 2), process(12, 11, 3)]);
        tree.look_among(&[process(12, 1, 3), process(13, 12, 4), process(20, 1, 5)]);
        let known: Vec<_> = tree.below.iter().map(|(pid, _)| *pid).collect();
        assert_eq!(known, [11, 12, 13]);
    }

    #[test]
    fn a_pid_that_was_given_to_another_process_has_no_descendants_of_ours() {
        let mut tree = tree();
        tree.look_among(&[process(10, 1, 1), process(11, 10, 2)]);
        let others = [
            process(10, 1, 90),
            process(11, 1, 91),
            process(30, 10, 92),
            process(31, 11, 93),
        ];
        tree.look_among(&others);
        assert_eq!(tree.below.into_iter().collect::<Vec<_>>(), [(11, 2)]);
    }
}
