//! A running session: bytes in, driver steps, bytes out, deadlines, events upward.
//!
//! **The driver sees inputs in the order they came, but for a cancel, which goes ahead of what
//! waits; the room sees outputs in the order the driver gave them.**

mod ending;
mod outputs;
mod stdin;

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, ChildStdout};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::deadlines::{Deadlines, Wait};
use super::driver_thread::DriverThread;
use super::event::{EndCause, SessionEvent, TurnEnd};
use super::frames::{Framer, Line};
use super::native::SessionTimeouts;
use super::stderr::Stderr;
use super::tree::Tree;
use super::turn_watch::TurnWatch;
use super::{SessionCommand, SessionRequest};
use crate::driver::{self, Driver, DriverFault, Input, Oversized, SessionConfig, StepResult};
use crate::protocol::limits::STDOUT_LINE_BYTES;
use crate::protocol::{ErrorCode, TurnId};
use stdin::Stdin;

/// Inputs of one batch at most.
const BATCH_INPUTS: usize = 256;
/// Bytes of one batch, unless one frame alone is bigger; as much may wait before reading pauses.
const BATCH_BYTES: usize = 256 * 1024;
/// Read from a pipe at once.
const CHUNK: usize = 64 * 1024;

/// See the module.
pub(super) struct Live {
    agent: String,
    session: String,
    resume: Option<String>,
    driver_id: String,
    driver: DriverThread,
    child: Child,
    tree: Tree,
    stdin: Stdin,
    stdout: Option<ChildStdout>,
    stderr_pipe: Option<ChildStderr>,
    framer: Framer,
    stderr: Stderr,
    waiting: VecDeque<Input>,
    waiting_bytes: usize,
    turn: TurnWatch,
    deadlines: Deadlines,
    close_wait: Duration,
    timers: BTreeMap<String, Instant>,
    ready: bool,
    /// No prompt may come any more, whatever the driver says.
    leaving: bool,
    hold: bool,
    parked: Option<driver::Prompt>,
    exited: bool,
    events: mpsc::Sender<Vec<SessionEvent>>,
}

/// What woke the loop.
enum Woken {
    Told(Option<SessionCommand>),
    Stepped(Option<Result<StepResult, DriverFault>>),
    Stdout(io::Result<usize>),
    Stderr(io::Result<usize>),
    Exited(io::Result<std::process::ExitStatus>),
    Due,
}

/// Why the loop ended, and how the process is to go.
struct Over {
    cause: EndCause,
    gently: bool,
}

impl Over {
    fn gently(cause: EndCause) -> Self {
        Self {
            cause,
            gently: true,
        }
    }

    fn now(cause: EndCause) -> Self {
        Self {
            cause,
            gently: false,
        }
    }
}

impl Live {
    pub(super) fn open(
        request: &SessionRequest,
        config: SessionConfig,
        driver: Arc<Driver>,
        mut child: Child,
        timeouts: SessionTimeouts,
        events: mpsc::Sender<Vec<SessionEvent>>,
    ) -> io::Result<Self> {
        let driver_id = driver.id().to_owned();
        let thread = DriverThread::start(&request.agent.to_string(), move || driver.open(&config))?;
        let tree = Tree::of(child.id());
        let stdin = Stdin::start(
            child
                .stdin
                .take()
                .ok_or_else(|| io::Error::other("no stdin"))?,
        );
        let mut live = Self {
            agent: request.agent.to_string(),
            session: request.session.clone(),
            resume: request.resume.clone(),
            driver_id,
            driver: thread,
            tree,
            stdin,
            stdout: child.stdout.take(),
            stderr_pipe: child.stderr.take(),
            child,
            framer: Framer::new(STDOUT_LINE_BYTES),
            stderr: Stderr::new(),
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            turn: TurnWatch::default(),
            deadlines: Deadlines::new(timeouts),
            close_wait: timeouts.close,
            timers: BTreeMap::new(),
            ready: false,
            leaving: false,
            hold: false,
            parked: None,
            exited: false,
            events,
        };
        live.deadlines.start(Wait::Handshake, Instant::now());
        live.push(Input::ProcessStarted);
        Ok(live)
    }

    /// Runs until the session is over and its process with all its children is gone.
    pub(super) async fn run(mut self, mut told: mpsc::Receiver<SessionCommand>) -> EndCause {
        let over = loop {
            self.start_step();
            let woken = self.wait(&mut told).await;
            if let Err(over) = self.serve(woken).await {
                break over;
            }
        };
        self.take_no_more_prompts().await;
        self.end(over).await
    }

    fn start_step(&mut self) {
        if !self.driver.is_busy() && !self.waiting.is_empty() {
            let batch = self.batch();
            self.driver.step(batch);
        }
    }

    async fn wait(&mut self, told: &mut mpsc::Receiver<SessionCommand>) -> Woken {
        let due = self.next_due();
        // More is read while a step runs, but never more than one batch ahead.
        let may_read = self.waiting_bytes < BATCH_BYTES;
        let busy = self.driver.is_busy();
        let mut out = Chunk::of(&mut self.stdout);
        let mut err = Chunk::of(&mut self.stderr_pipe);
        let woken = tokio::select! {
            biased;
            command = told.recv() => Woken::Told(command),
            answer = self.driver.answer(), if busy => Woken::Stepped(answer),
            read = out.read(), if may_read && out.is_open() => Woken::Stdout(read),
            read = err.read(), if err.is_open() => Woken::Stderr(read),
            status = self.child.wait(), if !self.exited => Woken::Exited(status),
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => Woken::Due,
        };
        match &woken {
            Woken::Stdout(Ok(1..)) => {
                let bytes = out.take();
                self.frames(&bytes);
            }
            Woken::Stderr(Ok(1..)) => {
                let bytes = err.take();
                for line in self.stderr.take(&bytes) {
                    tracing::debug!(agent = %self.agent, %line, "stderr");
                    self.push(Input::StderrLine(line));
                }
            }
            _ => {}
        }
        woken
    }

    async fn serve(&mut self, woken: Woken) -> Result<(), Over> {
        match woken {
            Woken::Told(Some(command)) => self.obey(command).await,
            // The broker is gone: so are we.
            Woken::Told(None) => Err(Over::gently(EndCause::Closed)),
            Woken::Stepped(Some(Ok(result))) => self.act(result).await,
            Woken::Stepped(Some(Err(fault))) => Err(self.driver_failed(&fault)),
            Woken::Stepped(None) => Err(Over::now(self.broken("its driver's thread ended"))),
            Woken::Stdout(Ok(1..)) => {
                self.deadlines.sign_of_life(Instant::now());
                Ok(())
            }
            Woken::Stdout(_) => {
                self.stdout = None;
                // Its exit follows at once, or it cannot speak to us any more.
                self.deadlines.start(Wait::Exit, Instant::now());
                Ok(())
            }
            Woken::Stderr(Ok(1..)) => Ok(()),
            Woken::Stderr(_) => {
                self.stderr_pipe = None;
                Ok(())
            }
            Woken::Exited(status) => {
                self.exited = true;
                self.take_no_more_prompts().await;
                Err(self.after_exit(status).await)
            }
            Woken::Due => self.run_out().await,
        }
    }

    async fn obey(&mut self, command: SessionCommand) -> Result<(), Over> {
        match command {
            SessionCommand::Prompt { turn, text } => {
                self.turn.open(turn.clone());
                let content = vec![driver::Content::Text(text)];
                let prompt = driver::Prompt {
                    turn: turn.to_string(),
                    content,
                };
                if self.hold {
                    self.parked = Some(prompt);
                } else {
                    self.hand_over(prompt);
                }
                Ok(())
            }
            SessionCommand::Cancel { turn } => {
                if self.withdraw(&turn) {
                    // The driver never heard of it.
                    self.turn.close();
                    self.tell(vec![SessionEvent::TurnEnded(TurnEnd::Cancelled {
                        forced: None,
                    })])
                    .await;
                } else if self.turn.is_open(&turn) {
                    self.deadlines.start(Wait::Cancel, Instant::now());
                    self.push_first(Input::Cancel(turn.to_string()));
                }
                Ok(())
            }
            SessionCommand::Close => Err(Over::gently(EndCause::Closed)),
        }
    }

    /// Takes back a prompt that the driver has not been given yet.
    fn withdraw(&mut self, turn: &TurnId) -> bool {
        if self
            .parked
            .take_if(|prompt| prompt.turn == turn.as_str())
            .is_some()
        {
            return true;
        }
        let before = self.waiting.len();
        self.waiting.retain(
            |input| !matches!(input, Input::Prompt(prompt) if prompt.turn == turn.as_str()),
        );
        let withdrawn = self.waiting.len() < before;
        if withdrawn {
            self.deadlines.turn_over();
        }
        withdrawn
    }

    fn hand_over(&mut self, prompt: driver::Prompt) {
        self.deadlines.start(Wait::FirstEvent, Instant::now());
        self.push(Input::Prompt(prompt));
    }

    /// Something has run out: a timer of the driver's, or one of our own waits.
    async fn run_out(&mut self) -> Result<(), Over> {
        let now = Instant::now();
        let due: Vec<String> = self
            .timers
            .iter()
            .filter(|(_, at)| **at <= now)
            .map(|(name, _)| name.clone())
            .collect();
        for name in due {
            self.timers.remove(&name);
            self.push(Input::Timer(name));
        }
        let Some((wait, at)) = self.deadlines.next() else {
            return Ok(());
        };
        if at > now {
            return Ok(());
        }
        self.deadlines.stop(wait);
        let limit = self.deadlines.limit(wait);
        let seconds = limit.as_secs_f64();
        match wait {
            Wait::Handshake => Err(Over::now(EndCause::Failed {
                code: ErrorCode::ProtocolHandshakeTimeout,
                message: format!("It did not answer within {seconds} s while starting."),
                retry: true,
                last_words: self.stderr.last_words(),
            })),
            Wait::FirstEvent => self.silent(ErrorCode::TurnFirstEventTimeout, seconds).await,
            Wait::Idle => self.silent(ErrorCode::TurnIdleTimeout, seconds).await,
            Wait::Cancel => {
                let forced =
                    format!("It did not stop within {seconds} s, so its process was ended.");
                self.end_turn(TurnEnd::Cancelled {
                    forced: Some(forced),
                })
                .await;
                Err(Over::now(EndCause::Replace))
            }
            Wait::Hold => Err(self.broke_its_word(&format!("took no prompt for {seconds} s"))),
            Wait::Exit => Err(Over::gently(EndCause::Exited {
                message: "Its process closed its output.".into(),
                last_words: self.stderr.last_words(),
            })),
            Wait::Grace => Err(Over::gently(EndCause::Replace)),
        }
    }

    /// The Turn fails by silence; the process gets a moment for the native cancel, then is replaced.
    async fn silent(&mut self, code: ErrorCode, seconds: f64) -> Result<(), Over> {
        let Some(turn) = self.turn.current().cloned() else {
            return Ok(());
        };
        let message = format!(
            "It was silent for {seconds} s. It is being restarted; send the message again to retry."
        );
        self.push_first(Input::Cancel(turn.to_string()));
        self.end_turn(TurnEnd::Failed { code, message }).await;
        self.deadlines.start(Wait::Grace, Instant::now());
        Ok(())
    }

    /// Ends the Turn against the agent's will. The session is not to be used again, and says so
    /// first: the next prompt must not go to a process that is on its way out.
    async fn end_turn(&mut self, end: TurnEnd) {
        if self.turn.close().is_some() {
            self.deadlines.turn_over();
            self.take_no_more_prompts().await;
            self.tell(vec![SessionEvent::TurnEnded(end)]).await;
        }
    }

    /// Says that this session is on its way out, once.
    async fn take_no_more_prompts(&mut self) {
        if !self.leaving {
            self.leaving = true;
            self.hold = true;
            self.tell(vec![SessionEvent::Hold(true)]).await;
        }
    }

    async fn tell(&mut self, events: Vec<SessionEvent>) {
        if !events.is_empty() {
            // A broker that is gone closes the command channel too; the loop ends by that.
            let _ = self.events.send(events).await;
        }
    }

    fn frames(&mut self, bytes: &[u8]) {
        let mut lines = Vec::new();
        self.framer.feed(bytes, |line| lines.push(line));
        for line in lines {
            self.push_line(line);
        }
    }

    fn push_line(&mut self, line: Line) {
        match line {
            Line::Whole(bytes) => self.push(Input::Frame(bytes)),
            Line::Oversized { bytes, head, tail } => {
                self.push(Input::FrameOversized(Oversized { bytes, head, tail }));
            }
        }
    }

    fn push(&mut self, input: Input) {
        self.waiting_bytes += weight(&input);
        self.waiting.push_back(input);
    }

    fn push_first(&mut self, input: Input) {
        self.waiting_bytes += weight(&input);
        self.waiting.push_front(input);
    }

    fn batch(&mut self) -> Vec<Input> {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while batch.len() < BATCH_INPUTS {
            let Some(next) = self.waiting.front().map(weight) else {
                break;
            };
            if !batch.is_empty() && bytes + next > BATCH_BYTES {
                break;
            }
            bytes += next;
            self.waiting_bytes -= next;
            batch.extend(self.waiting.pop_front());
        }
        batch
    }

    fn next_due(&self) -> Option<Instant> {
        let own = self.deadlines.next().map(|(_, at)| at);
        own.into_iter().chain(self.timers.values().copied()).min()
    }

    fn broken(&self, what: &str) -> EndCause {
        EndCause::Failed {
            code: ErrorCode::ProtocolInvalidMessage,
            message: format!("The session cannot go on: {what}. It is being restarted."),
            retry: true,
            last_words: self.stderr.last_words(),
        }
    }

    fn driver_failed(&self, fault: &DriverFault) -> Over {
        tracing::warn!(agent = %self.agent, %fault, "driver");
        Over::now(EndCause::Failed {
            code: ErrorCode::ProtocolInvalidMessage,
            message: fault.to_string(),
            retry: true,
            last_words: self.stderr.last_words(),
        })
    }
}

fn weight(input: &Input) -> usize {
    match input {
        Input::Frame(bytes) => bytes.len(),
        Input::StderrLine(line) => line.len(),
        Input::FrameOversized(ends) => ends.head.len() + ends.tail.len(),
        _ => 0,
    }
}

/// One read of a pipe; the bytes stay here when another branch of the loop wins.
struct Chunk<'a, R> {
    pipe: Option<&'a mut R>,
    bytes: Vec<u8>,
}

impl<'a, R: AsyncReadExt + Unpin> Chunk<'a, R> {
    fn of(pipe: &'a mut Option<R>) -> Self {
        Self {
            pipe: pipe.as_mut(),
            bytes: Vec::new(),
        }
    }

    fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    async fn read(&mut self) -> io::Result<usize> {
        let Some(pipe) = self.pipe.as_mut() else {
            return Ok(0);
        };
        self.bytes.reserve(CHUNK);
        pipe.read_buf(&mut self.bytes).await
    }

    fn take(self) -> Vec<u8> {
        self.bytes
    }
}
