//! A process and all that it started. Agents run their shell tools in sessions of their own, so a
//! signal to the group does not reach them: they are found by descent, before the parent is gone.

use std::collections::BTreeSet;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// The processes below one process, as they were found; grows with every look.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    root: Option<Pid>,
    /// Each with its start time, so that a pid that was given to another process is left alone.
    below: BTreeSet<(i32, u64)>,
}

impl Tree {
    pub(super) fn of(pid: Option<u32>) -> Self {
        let root = pid
            .and_then(|p| i32::try_from(p).ok())
            .and_then(Pid::from_raw);
        Self {
            root,
            below: BTreeSet::new(),
        }
    }

    /// Notes everything that descends from the root now.
    pub(super) fn look(&mut self) {
        let Some(root) = self.root else { return };
        let all = processes();
        let mut parents = BTreeSet::from([root.as_raw_nonzero().get()]);
        parents.extend(self.below.iter().map(|(pid, _)| *pid));
        loop {
            let before = parents.len();
            for process in &all {
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
            // An error means that nobody is left to hear it.
            let _ = kill_process_group(root, signal);
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
