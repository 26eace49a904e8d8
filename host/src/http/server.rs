//! The listener and its end: accept, drain, close.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::connection;
use super::entrance::Entrance;

/// Most connections at once; further ones wait in the kernel's queue.
const CONNECTIONS: usize = 512;
/// How long the last responses may take to leave when the server closes.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// The pause after an accept failed, most likely for want of file handles.
const BREATH: Duration = Duration::from_millis(50);

/// A running server. Dropping it closes it at once; [`Self::drain`] and [`Self::close`] in turn
/// are the gentle way.
pub struct Server {
    entrance: Arc<Entrance>,
    accepting: JoinHandle<()>,
    closing: DropGuard,
}

/// Starts to serve; `patience` is what a reader gets that takes nothing.
pub(super) fn start(
    listener: TcpListener,
    entrance: Entrance,
    patience: Duration,
    closing: CancellationToken,
) -> Server {
    let entrance = Arc::new(entrance);
    let accepting = accept(listener, Arc::clone(&entrance), patience, closing.clone());
    Server {
        entrance,
        accepting: tokio::spawn(accepting),
        closing: closing.drop_guard(),
    }
}

impl Server {
    /// Takes nothing more: health answers 503 `closing` with the runtime's identity, all else 503,
    /// event streams end. Requests that are inside get `wait` to finish.
    pub async fn drain(&self, wait: Duration) {
        self.entrance.drain();
        if timeout(wait, self.entrance.emptied()).await.is_err() {
            tracing::warn!("requests were still running after {wait:?} and are cut off");
        }
    }

    /// Ends every connection, then releases the port. To be called last, when everything behind
    /// the door is closed: whoever sees the port free may start again.
    pub async fn close(self) {
        self.entrance.drain();
        drop(self.closing);
        if let Err(error) = self.accepting.await {
            tracing::error!(%error, "the listener ended badly");
        }
    }
}

async fn accept(
    listener: TcpListener,
    entrance: Arc<Entrance>,
    patience: Duration,
    closing: CancellationToken,
) {
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = closing.cancelled() => break,
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept(), if connections.len() < CONNECTIONS => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                let entrance = Arc::clone(&entrance);
                let closing = closing.clone();
                connections.spawn(connection::serve(stream, entrance, patience, closing));
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
                sleep(BREATH).await;
            }
        }
    }
    let last_words = async { while connections.join_next().await.is_some() {} };
    if timeout(LAST_WORDS, last_words).await.is_err() {
        connections.shutdown().await;
    }
    drop(listener);
}

#[cfg(test)]
mod tests;
