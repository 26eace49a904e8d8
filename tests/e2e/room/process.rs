//! The `groupx` process and everything that grew out of it. It owns ends: a process that a story
//! started is gone when the story is over, whatever happened.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::deadline::eventually;
use super::plan::Env;

/// Every process of a room inherits this variable, so that none can hide by changing its parent.
const MARK: &str = "GROUPX_TEST_MARK";

/// A GroupX that can be killed and started again.
pub(crate) struct Groupx {
    folder: PathBuf,
    arguments: Vec<String>,
    env: Env,
    mark: String,
    child: Child,
}

/// How a command ended.
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    /// All that a person at the terminal would have read.
    pub(crate) fn said(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

impl Groupx {
    /// Runs `groupx start --no-open` with these arguments.
    pub(super) fn start(folder: &Path, arguments: &[&str], mut env: Env) -> Self {
        let mark = format!("{}", folder.display());
        env.push((MARK.into(), mark.clone()));
        let arguments: Vec<String> = arguments.iter().map(|&word| word.into()).collect();
        let child = spawn(folder, &arguments, &env);
        Self {
            folder: folder.into(),
            arguments,
            env,
            mark,
            child,
        }
    }

    pub(super) fn start_again(&mut self) {
        self.child = spawn(&self.folder, &self.arguments, &self.env);
    }

    pub(super) fn env(&self) -> &Env {
        &self.env
    }

    /// Where its output goes.
    pub(crate) fn log(&self) -> PathBuf {
        self.folder.join("groupx.log")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// All it has said so far.
    pub(crate) fn said(&self) -> String {
        std::fs::read_to_string(self.log()).unwrap_or_default()
    }

    /// Panics with GroupX's own words when it has ended by itself.
    pub(super) fn must_run(&mut self) {
        if let Some(status) = self.child.try_wait().expect("our own child") {
            panic!("GroupX ended ({status}):\n{}", log_tail(&self.log()));
        }
    }

    pub(super) async fn kill(&mut self) {
        self.child.kill().expect("our own child");
        self.exited().await;
    }

    pub(super) fn signal(&self, signal: Signal) {
        kill_process(pid(self.child.id()), signal).expect("our own child");
    }

    /// Waits for its end.
    pub(crate) async fn exited(&mut self) -> ExitStatus {
        let child = &mut self.child;
        eventually("GroupX ends", async || {
            child.try_wait().expect("our own child")
        })
        .await
    }

    /// The processes of this room that are alive, GroupX itself included: pid and command line.
    pub(crate) fn family(&self) -> Vec<(u32, String)> {
        let wanted = format!("{MARK}={}", self.mark);
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc")
            .expect("a Linux machine")
            .flatten()
        {
            let Some(id) = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok())
            else {
                continue;
            };
            // A process may end while we look at it.
            let Ok(environment) = std::fs::read(entry.path().join("environ")) else {
                continue;
            };
            let marked = environment
                .split(|byte| *byte == 0)
                .any(|variable| variable == wanted.as_bytes());
            if marked {
                let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
                found.push((id, String::from_utf8_lossy(&line).replace('\0', " ")));
            }
        }
        found
    }

    /// Waits until no process of this room is alive.
    pub(crate) async fn nothing_left(&self) {
        let mut left = Vec::new();
        for _ in 0..2_000 {
            left = self.family();
            if left.is_empty() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        panic!("still alive after GroupX: {left:?}");
    }
}

impl Drop for Groupx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        for (id, _) in self.family() {
            let _ = kill_process(pid(id), Signal::KILL);
        }
    }
}

/// Runs `groupx` with these arguments to its end.
pub(crate) async fn run_groupx(folder: &Path, env: &Env, arguments: &[&str]) -> Finished {
    let mut child = command(folder, env)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the built program");
    let what = format!("`groupx {}` ends", arguments.join(" "));
    eventually(&what, async || child.try_wait().expect("our own child")).await;
    let output = child.wait_with_output().expect("our own child");
    Finished {
        status: output.status,
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The end of a log, for the message of a failed story.
pub(super) fn log_tail(path: &Path) -> String {
    let text = std::fs::read(path).unwrap_or_default();
    let start = text.len().saturating_sub(4_000);
    String::from_utf8_lossy(&text[start..]).into_owned()
}

fn spawn(folder: &Path, arguments: &[String], env: &Env) -> Child {
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join("groupx.log"))
        .expect("the room's log");
    let errors: File = log.try_clone().expect("the room's log");
    command(folder, env)
        .args(["start", "--no-open"])
        .args(arguments)
        .stdout(log)
        .stderr(errors)
        .spawn()
        .expect("the built program")
}

fn command(folder: &Path, env: &Env) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_groupx"));
    command
        .current_dir(folder)
        .envs(env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null());
    command
}

fn pid(id: u32) -> Pid {
    i32::try_from(id)
        .ok()
        .and_then(Pid::from_raw)
        .expect("a process id")
}
