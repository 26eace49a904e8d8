//! The mark that every child of one run carries in its environment, so that the next run can end
//! what a killed one left behind, and nothing else.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The variable that carries the run's mark.
pub(super) const VARIABLE: &str = "GROUPX_RUN";
/// The variable that carries the session's name.
pub(super) const SESSION_VARIABLE: &str = "GROUPX_SESSION";

/// One run's mark: 128 random bits as hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunMark(String);

impl RunMark {
    /// Ends every process that carries the last run's mark, then writes down a new one beside the
    /// database. Call it while holding the database's lock. Gives the number of processes ended.
    pub fn renew(database: &Path, bits: u128) -> std::io::Result<(Self, usize)> {
        let place = place(database);
        let ended = match std::fs::read_to_string(&place) {
            Ok(old) if old.trim().len() == 32 => end_marked(VARIABLE, old.trim()),
            Ok(_) | Err(_) => 0,
        };
        let mark = Self(format!("{bits:032x}"));
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&place)?;
        file.write_all(mark.0.as_bytes())?;
        Ok((mark, ended))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// A mark that is written nowhere.
    #[cfg(test)]
    pub(super) fn for_test() -> Self {
        Self("0".repeat(32))
    }
}

fn place(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".run");
    PathBuf::from(name)
}

/// Ends whatever still carries this session's name; gives the number of processes ended.
pub(super) fn end_session(session: &str) -> usize {
    end_marked(SESSION_VARIABLE, session)
}

#[cfg(target_os = "linux")]
fn end_marked(variable: &str, mark: &str) -> usize {
    let wanted = format!("{variable}={mark}");
    let own = i32::try_from(std::process::id()).ok();
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return 0;
    };
    let pids = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    // A GroupX that was started from an agent's shell carries that room's mark itself.
    let marked = pids.filter(|pid| Some(*pid) != own).filter(|pid| {
        let environ = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environ
            .split(|b| *b == 0)
            .any(|entry| entry == wanted.as_bytes())
    });
    marked
        .filter_map(rustix::process::Pid::from_raw)
        .filter(|pid| rustix::process::kill_process(*pid, rustix::process::Signal::KILL).is_ok())
        .count()
}

/// Elsewhere a process's environment is not readable: a killed run's children end with their stdin.
#[cfg(not(target_os = "linux"))]
fn end_marked(_: &str, _: &str) -> usize {
    0
}
