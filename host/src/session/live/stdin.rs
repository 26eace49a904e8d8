//! The way to a process's stdin: a task of its own, so that a process which writes before it reads
//! cannot stop us from reading.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::mpsc;

/// Bytes that may wait for a process that does not read.
const BACKLOG: usize = 64 * 1024 * 1024;

/// The writing end. Dropping it closes stdin once everything is written.
pub(super) struct Stdin {
    queue: Option<mpsc::UnboundedSender<Vec<u8>>>,
    waiting: Arc<AtomicUsize>,
}

/// The process does not read what it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stuffed;

impl Stdin {
    pub(super) fn start(mut pipe: ChildStdin) -> Self {
        // Unbounded as a channel, bounded in bytes by `BACKLOG`.
        let (queue, mut waiting_bytes) = mpsc::unbounded_channel::<Vec<u8>>();
        let waiting = Arc::new(AtomicUsize::new(0));
        let left = waiting.clone();
        tokio::spawn(async move {
            while let Some(bytes) = waiting_bytes.recv().await {
                // A closed pipe means that the process is gone or going; its exit says so.
                let written = pipe.write_all(&bytes).await;
                left.fetch_sub(bytes.len(), Ordering::Relaxed);
                if written.is_err() || pipe.flush().await.is_err() {
                    return;
                }
            }
        });
        Self {
            queue: Some(queue),
            waiting,
        }
    }

    pub(super) fn write(&self, bytes: Vec<u8>) -> Result<(), Stuffed> {
        let before = self.waiting.fetch_add(bytes.len(), Ordering::Relaxed);
        if before + bytes.len() > BACKLOG {
            return Err(Stuffed);
        }
        if let Some(queue) = &self.queue {
            let _ = queue.send(bytes);
        }
        Ok(())
    }

    pub(super) fn close(&mut self) {
        self.queue = None;
    }
}
