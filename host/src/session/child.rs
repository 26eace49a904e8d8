//! Starting a process so that it cannot outlive us or touch our terminal.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// What to run.
#[derive(Debug, Clone)]
pub(super) struct ChildSpec {
    pub(super) executable: PathBuf,
    pub(super) args: Vec<OsString>,
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) env_remove: Vec<OsString>,
    pub(super) workdir: PathBuf,
}

struct Order {
    spec: ChildSpec,
    runtime: Handle,
    answer: oneshot::Sender<std::io::Result<Child>>,
}

/// Starts the process from the one thread that never ends: the kernel's parent-death signal fires
/// when the spawning *thread* is gone, and an async worker may be.
pub(super) async fn spawn(spec: ChildSpec) -> std::io::Result<Child> {
    static SPAWNER: OnceLock<Option<Sender<Order>>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (orders, waiting) = channel::<Order>();
        let thread = std::thread::Builder::new()
            .name("spawner".into())
            .spawn(move || {
                while let Ok(Order {
                    spec,
                    runtime,
                    answer,
                }) = waiting.recv()
                {
                    let _entered = runtime.enter();
                    // An asker that went away takes its child with it: dropping the child kills it.
                    let _ = answer.send(start(spec));
                }
            });
        thread.ok().map(|_| orders)
    });
    let (answer, heard) = oneshot::channel();
    let gone = || std::io::Error::other("the spawning thread could not be started");
    let order = Order {
        spec,
        runtime: Handle::current(),
        answer,
    };
    spawner
        .as_ref()
        .ok_or_else(gone)?
        .send(order)
        .map_err(|_| gone())?;
    heard.await.map_err(|_| gone())?
}

fn start(spec: ChildSpec) -> std::io::Result<Child> {
    let mut command = Command::new(spec.executable);
    command
        .args(spec.args)
        .current_dir(spec.workdir)
        .envs(spec.env)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    for name in spec.env_remove {
        command.env_remove(name);
    }
    #[allow(unsafe_code)]
    // SAFETY: between fork and exec only async-signal-safe calls are made: setsid and prctl, both
    // plain system calls without allocation.
    unsafe {
        command.pre_exec(|| {
            // A session of its own: no terminal to stop on, and a group that can be ended as one.
            rustix::process::setsid()?;
            #[cfg(target_os = "linux")]
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
            Ok(())
        });
    }
    command.spawn()
}
