//! The one writer: a thread that runs whatever waits inside one transaction and commits once.
//!
//! **Nobody hears of a write before its commit, and nobody hears of a promise before its flush.**
//! Each piece of work stands in a savepoint of its own, so a refused one takes no other with it.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::events::StoredFrame;
use super::fault::StoreFault;
use super::open::Durability;
use super::tail::Tail;
use crate::protocol::Seq;

/// Pieces of work in one transaction at most.
const BATCH: usize = 256;
/// No new piece of work joins a transaction older than this.
pub(super) const BATCH_TIME: Duration = Duration::from_millis(20);
/// How long a commit that nobody was promised may stay unflushed.
const EVIDENCE_WAIT: Duration = Duration::from_millis(10);
/// How long a flush that failed waits before it is tried again.
const FLUSH_AGAIN: Duration = Duration::from_millis(500);
/// Pieces of work after which the write-ahead log is folded into the database.
const CHECKPOINT_WORKS: usize = 500;

/// How safe a write must be before its caller hears of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Safety {
    /// Only evidence: it may ride with the next flush.
    Evidence,
    /// Somebody outside is told: on the disk first.
    Promise,
}

/// What a piece of work writes through.
pub(super) struct Batch<'a> {
    pub(super) connection: &'a Connection,
    pub(super) frames: &'a mut Vec<StoredFrame>,
}

type Verdict = Result<(), StoreFault>;

/// One piece of work and the caller who waits for it.
trait Work: Send {
    /// Does the work; false undoes it.
    fn run(&mut self, batch: &mut Batch<'_>) -> bool;
    /// Tells the caller, once the transaction's fate is known.
    fn finish(self: Box<Self>, verdict: Verdict);
}

struct Asked<T, F> {
    work: Option<F>,
    done: Option<Result<T, StoreFault>>,
    answer: oneshot::Sender<Result<T, StoreFault>>,
}

impl<T, F> Work for Asked<T, F>
where
    T: Send,
    F: FnOnce(&mut Batch<'_>) -> Result<T, StoreFault> + Send,
{
    fn run(&mut self, batch: &mut Batch<'_>) -> bool {
        self.done = self.work.take().map(|work| work(batch));
        matches!(self.done, Some(Ok(_)))
    }

    fn finish(self: Box<Self>, verdict: Verdict) {
        let done = self.done.unwrap_or(Err(StoreFault::Closed));
        // A caller that went away has no use for the answer; its work stands all the same.
        let _ = self.answer.send(verdict.and(done));
    }
}

struct Job {
    safety: Safety,
    work: Box<dyn Work>,
}

enum Order {
    Work(Job),
    Close(oneshot::Sender<()>),
}

/// The handle; cheap to clone.
#[derive(Clone)]
pub(super) struct Writer {
    orders: Sender<Order>,
    shared: Arc<Shared>,
}

struct Shared {
    available: AtomicBool,
    flushes: AtomicU64,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        path: &Path,
        durability: Durability,
        tail: Arc<Tail>,
    ) -> Result<Self, StoreFault> {
        let (orders, waiting) = channel();
        let shared = Arc::new(Shared {
            available: AtomicBool::new(true),
            flushes: AtomicU64::new(0),
            thread: Mutex::new(None),
        });
        let desk = Desk {
            connection,
            durability,
            tail,
            shared: shared.clone(),
            checkpoints: Checkpoints::start(path)?,
            synchronous: None,
            unflushed: None,
        };
        let thread = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || desk.serve(&waiting))
            .map_err(|e| StoreFault::Refused(e.to_string()))?;
        *shared.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        Ok(Self { orders, shared })
    }

    /// Runs `work` in the next transaction; answers after its commit, and after its flush if it is
    /// a promise. An `Err` of the work undoes only the work.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        safety: Safety,
        work: impl FnOnce(&mut Batch<'_>) -> Result<T, StoreFault> + Send + 'static,
    ) -> Result<T, StoreFault> {
        let (answer, heard) = oneshot::channel();
        let work = Box::new(Asked {
            work: Some(work),
            done: None,
            answer,
        });
        self.orders
            .send(Order::Work(Job { safety, work }))
            .map_err(|_| StoreFault::Closed)?;
        heard.await.unwrap_or(Err(StoreFault::Closed))
    }

    pub(super) fn is_available(&self) -> bool {
        self.shared.available.load(Ordering::Relaxed)
    }

    pub(super) fn flushes(&self) -> u64 {
        self.shared.flushes.load(Ordering::Relaxed)
    }

    pub(super) async fn close(&self) {
        let (closed, heard) = oneshot::channel();
        if self.orders.send(Order::Close(closed)).is_ok() {
            let _ = heard.await;
        }
        let thread = self
            .shared
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread {
            let _ = tokio::task::spawn_blocking(move || thread.join()).await;
        }
    }
}

/// What the writer's thread owns.
struct Desk {
    connection: Connection,
    durability: Durability,
    tail: Arc<Tail>,
    shared: Arc<Shared>,
    checkpoints: Checkpoints,
    synchronous: Option<&'static str>,
    /// The newest committed seq that is not flushed yet, and since when it waits.
    unflushed: Option<(Seq, Instant)>,
}

impl Desk {
    fn serve(mut self, waiting: &Receiver<Order>) {
        loop {
            let order = match self.unflushed {
                None => waiting.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some((_, since)) => {
                    let due = since + EVIDENCE_WAIT;
                    waiting.recv_timeout(due.saturating_duration_since(Instant::now()))
                }
            };
            let closing = match order {
                Ok(Order::Work(job)) => self.work_off(job, waiting),
                Ok(Order::Close(closed)) => Some(closed),
                Err(RecvTimeoutError::Timeout) => {
                    self.flush();
                    None
                }
                Err(RecvTimeoutError::Disconnected) => return self.end(),
            };
            if let Some(closed) = closing {
                self.end();
                let _ = closed.send(());
                return;
            }
        }
    }

    /// Commits `first` and whatever else waits. Gives back a close order met on the way.
    fn work_off(&mut self, first: Job, waiting: &Receiver<Order>) -> Option<oneshot::Sender<()>> {
        let mut closing = None;
        let mut jobs = VecDeque::from([first]);
        while jobs.len() < BATCH && closing.is_none() {
            match waiting.try_recv() {
                Ok(Order::Work(job)) => jobs.push_back(job),
                Ok(Order::Close(closed)) => closing = Some(closed),
                Err(_) => break,
            }
        }
        while !jobs.is_empty() {
            self.transact(&mut jobs);
        }
        closing
    }

    /// One transaction over as many of `jobs` as fit into its time, at least one.
    fn transact(&mut self, jobs: &mut VecDeque<Job>) {
        let started = Instant::now();
        // `synchronous` cannot change inside a transaction, so the strictest member decides first.
        let strictest = jobs.iter().map(|job| job.safety).max();
        let safety = strictest.unwrap_or(Safety::Promise);
        let mut frames = Vec::new();
        let mut ran = Vec::new();
        let changes = self.connection.total_changes();
        let mut verdict = self.begin(safety);
        while let Some(mut job) = jobs.pop_front() {
            if verdict.is_ok() {
                verdict = self.savepoint(job.work.as_mut(), &mut frames);
            }
            ran.push(job.work);
            if verdict.is_err() || started.elapsed() > BATCH_TIME {
                break;
            }
        }
        let verdict = verdict.and_then(|()| Ok(self.connection.execute_batch("COMMIT")?));
        self.shared
            .available
            .store(verdict.is_ok(), Ordering::Relaxed);
        match &verdict {
            // A commit without a change writes nothing, so it flushes nothing either.
            Ok(()) if self.connection.total_changes() == changes => {}
            Ok(()) => self.committed(safety, frames),
            Err(fault) => {
                tracing::error!(%fault, "a transaction was lost as a whole");
                // Fails where SQLite has rolled back by itself: then there is nothing to do.
                let _ = self.connection.execute_batch("ROLLBACK");
            }
        }
        self.checkpoints.count(ran.len());
        for work in ran {
            work.finish(verdict.clone());
        }
    }

    fn begin(&mut self, safety: Safety) -> Verdict {
        let wanted = match (self.durability, safety) {
            (Durability::Full, Safety::Promise) => "FULL",
            _ => "NORMAL",
        };
        if self.synchronous != Some(wanted) {
            self.connection.pragma_update(None, "synchronous", wanted)?;
            self.synchronous = Some(wanted);
        }
        Ok(self.connection.execute_batch("BEGIN IMMEDIATE")?)
    }

    fn savepoint(&self, work: &mut dyn Work, frames: &mut Vec<StoredFrame>) -> Verdict {
        self.connection
            .prepare_cached("SAVEPOINT work")?
            .execute([])?;
        let before = frames.len();
        let keep = work.run(&mut Batch {
            connection: &self.connection,
            frames,
        });
        // A full disk or an I/O error may have rolled back the whole transaction under us.
        if self.connection.is_autocommit() {
            return Err(StoreFault::Refused(
                "disk full or I/O error in the transaction".into(),
            ));
        }
        if !keep {
            frames.truncate(before);
            self.connection
                .prepare_cached("ROLLBACK TO work")?
                .execute([])?;
        }
        self.connection
            .prepare_cached("RELEASE work")?
            .execute([])?;
        Ok(())
    }

    fn committed(&mut self, safety: Safety, frames: Vec<StoredFrame>) {
        let newest = frames.last().map(|frame| frame.seq);
        self.tail.push(frames);
        let waiting = self.unflushed.take();
        let newest = newest.or(waiting.map(|(seq, _)| seq));
        match (self.durability, safety) {
            (Durability::Full, Safety::Evidence) => {
                let since = waiting.map_or_else(Instant::now, |(_, since)| since);
                self.unflushed = newest.map(|seq| (seq, since));
                return;
            }
            (Durability::Full, Safety::Promise) => {
                self.shared.flushes.fetch_add(1, Ordering::Relaxed);
            }
            (Durability::Normal, _) => {}
        }
        if let Some(seq) = newest {
            self.tail.show_up_to(seq);
        }
    }

    /// Brings to the disk what was committed as evidence only: the flush of any later commit
    /// carries all earlier frames of the log with it.
    fn flush(&mut self) {
        let Some((seq, _)) = self.unflushed else {
            return;
        };
        let mark = "UPDATE flush_mark SET flushed_at = flushed_at + 1; COMMIT";
        let marked = self.begin(Safety::Promise);
        match marked.and_then(|()| Ok(self.connection.execute_batch(mark)?)) {
            Ok(()) => {
                self.shared.flushes.fetch_add(1, Ordering::Relaxed);
                self.unflushed = None;
                self.tail.show_up_to(seq);
            }
            Err(fault) => {
                tracing::error!(%fault, "what was committed could not be flushed yet");
                let _ = self.connection.execute_batch("ROLLBACK");
                self.shared.available.store(false, Ordering::Relaxed);
                self.unflushed = Some((seq, Instant::now() + FLUSH_AGAIN));
            }
        }
    }

    fn end(&mut self) {
        self.flush();
        let folded = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        if let Err(error) = folded {
            tracing::debug!(%error, "the write-ahead log stays for the next start");
        }
    }
}

/// Folds the write-ahead log into the database beside the commits, from a thread of its own.
struct Checkpoints {
    due: SyncSender<()>,
    since: usize,
}

impl Checkpoints {
    fn start(path: &Path) -> Result<Self, StoreFault> {
        let connection = super::open::connect(path)?;
        let (due, asked) = sync_channel::<()>(1);
        std::thread::Builder::new()
            .name("store-checkpoint".into())
            .spawn(move || {
                while asked.recv().is_ok() {
                    let folded =
                        connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
                    if let Err(error) = folded {
                        tracing::debug!(%error, "checkpoint put off");
                    }
                }
            })
            .map_err(|e| StoreFault::Refused(e.to_string()))?;
        Ok(Self { due, since: 0 })
    }

    fn count(&mut self, works: usize) {
        self.since += works;
        // A full channel means that one is under way or due already.
        if self.since >= CHECKPOINT_WORKS && self.due.try_send(()).is_ok() {
            self.since = 0;
        }
    }
}
