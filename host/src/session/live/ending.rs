//! How a session ends: what the process still said, then the process and all below it.

use std::time::Duration;

use rustix::process::Signal;
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, timeout};

use super::{CHUNK, Chunk, Live, Over};
use crate::driver::{ExitStatus, Input};
use crate::protocol::ErrorCode;
use crate::session::deadlines::Wait;
use crate::session::event::EndCause;
use crate::session::mark;

/// How long a pipe is read after its process is gone: a grandchild may hold it open for ever.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How long a killed process may take to vanish.
const KILLED: Duration = Duration::from_secs(5);

impl Live {
    /// The process is gone: hear what it still said, then say how it ended.
    pub(super) async fn after_exit(
        &mut self,
        status: std::io::Result<std::process::ExitStatus>,
    ) -> Over {
        let until = Instant::now() + LAST_WORDS;
        self.drain(until).await;
        let mut last = Vec::new();
        self.framer.finish(|line| last.push(line));
        for line in last {
            self.push_line(line);
        }
        let status = status.ok();
        let (code, signal) = status.map_or((None, None), exit_parts);
        self.push(Input::StdoutEof);
        self.push(Input::ProcessExited(ExitStatus {
            code,
            signal,
            expected: false,
        }));
        if let Err(over) = self.step_all().await {
            return over;
        }
        let how = match (code, signal) {
            (Some(code), _) => format!("ended by itself with code {code}"),
            (None, Some(signal)) => format!("was ended by signal {signal}"),
            (None, None) => "ended".to_owned(),
        };
        let last_words = self.stderr.last_words();
        if self.ready {
            return Over::now(EndCause::Exited {
                message: format!("Its process {how}."),
                last_words,
            });
        }
        Over::now(EndCause::Failed {
            code: ErrorCode::AdapterStartFailed,
            message: format!("Its process {how} before it was ready."),
            retry: true,
            last_words,
        })
    }

    /// Ends the process and everything below it. Nothing of them is left when this returns.
    pub(super) async fn end(mut self, over: Over) -> EndCause {
        let Over { cause, gently } = over;
        self.tree.look();
        if gently && !self.exited {
            // Only where nothing is wrong may the driver still end its Turn by itself; otherwise
            // the cause of the end is what the Turn's end has to tell.
            let well = matches!(cause, EndCause::Closed | EndCause::Replace);
            self.say_good_bye(well).await;
        }
        self.stdin.close();
        if !self.exited && gently {
            self.leave(self.close_wait).await;
            if !self.exited {
                self.tree.look();
                self.tree.signal(Signal::TERM);
                self.leave(self.close_wait).await;
            }
        }
        self.tree.look();
        self.tree.signal(Signal::KILL);
        if !self.exited {
            self.leave(KILLED).await;
        }
        // What outlived a process that ended by itself has no parent any more, but its mark.
        let name = self.session.clone();
        if let Ok(ended @ 1..) = tokio::task::spawn_blocking(move || mark::end_session(&name)).await
        {
            tracing::info!(agent = %self.agent, ended, "processes that the session left behind");
        }
        cause
    }

    /// Native cancel of an open Turn, then the driver's own farewell.
    async fn say_good_bye(&mut self, well: bool) {
        if let Some(turn) = self.turn.current().filter(|_| well).cloned() {
            self.push_first(Input::Cancel(turn.to_string()));
            let until = Instant::now() + self.deadlines.limit(Wait::Grace);
            while self.turn.current().is_some() && Instant::now() < until && !self.exited {
                if self.step_all().await.is_err() {
                    break;
                }
                self.read_until(until).await;
            }
        }
        self.push(Input::Close);
        // A driver that fails now has nothing more to say; the process ends all the same.
        let _ = self.step_all().await;
    }

    /// Runs every waiting input through the driver.
    async fn step_all(&mut self) -> Result<(), Over> {
        loop {
            if self.driver.is_busy() {
                match self.driver.answer().await {
                    Some(Ok(result)) => self.act(result).await?,
                    Some(Err(fault)) => return Err(self.driver_failed(&fault)),
                    None => return Err(Over::now(self.broken("its driver's thread ended"))),
                }
            }
            if self.waiting.is_empty() {
                return Ok(());
            }
            self.start_step();
        }
    }

    /// Reads one chunk of stdout into frames, or waits until `until`.
    async fn read_until(&mut self, until: Instant) {
        let mut chunk = Chunk::of(&mut self.stdout);
        if !chunk.is_open() {
            tokio::time::sleep_until(until).await;
            return;
        }
        match tokio::time::timeout_at(until, chunk.read()).await {
            Ok(Ok(1..)) => {
                let bytes = chunk.take();
                self.frames(&bytes);
            }
            Ok(_) => self.stdout = None,
            Err(_) => {}
        }
    }

    async fn drain(&mut self, until: Instant) {
        while self.stdout.is_some() && Instant::now() < until {
            self.read_until(until).await;
        }
        if let Some(mut pipe) = self.stderr_pipe.take() {
            let mut bytes = Vec::with_capacity(CHUNK);
            // What does not come in time is not waited for.
            let _ = tokio::time::timeout_at(until, pipe.read_buf(&mut bytes)).await;
            self.stderr.take(&bytes);
        }
    }

    /// Waits for the exit, reading and dropping what the process still writes, so that a full pipe
    /// does not keep it.
    async fn leave(&mut self, most: Duration) {
        let out = self.stdout.take();
        let err = self.stderr_pipe.take();
        let drains = [tokio::spawn(discard(out)), tokio::spawn(discard(err))];
        self.exited = timeout(most, self.child.wait())
            .await
            .is_ok_and(|waited| waited.is_ok());
        for drain in drains {
            drain.abort();
        }
    }
}

async fn discard<R: AsyncReadExt + Unpin>(pipe: Option<R>) {
    let Some(mut pipe) = pipe else { return };
    let mut bytes = Vec::with_capacity(CHUNK);
    while pipe.read_buf(&mut bytes).await.is_ok_and(|read| read > 0) {
        bytes.clear();
    }
}

fn exit_parts(status: std::process::ExitStatus) -> (Option<i32>, Option<i32>) {
    use std::os::unix::process::ExitStatusExt;
    (status.code(), status.signal())
}
