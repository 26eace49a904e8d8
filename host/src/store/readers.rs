//! A few read-only connections. Every read is one snapshot and runs off the async threads.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, Transaction};
use tokio::sync::Semaphore;

use super::fault::StoreFault;

#[derive(Clone)]
pub(super) struct Readers {
    free: Arc<Mutex<Vec<Connection>>>,
    permits: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn open(path: &Path, count: usize) -> Result<Self, StoreFault> {
        let mut free = Vec::with_capacity(count);
        for _ in 0..count {
            let connection = super::open::connect(path)?;
            connection.pragma_update(None, "query_only", true)?;
            free.push(connection);
        }
        Ok(Self {
            free: Arc::new(Mutex::new(free)),
            permits: Arc::new(Semaphore::new(count)),
        })
    }

    /// Runs `read` on one snapshot.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Transaction<'_>) -> Result<T, StoreFault> + Send + 'static,
    ) -> Result<T, StoreFault> {
        let permit = self
            .permits
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| StoreFault::Closed)?;
        let free = self.free.clone();
        let ran = tokio::task::spawn_blocking(move || {
            let taken = free.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(mut connection) = taken else {
                return Err(StoreFault::Closed);
            };
            let outcome = connection
                .transaction()
                .map_err(StoreFault::from)
                .and_then(|tx| read(&tx));
            free.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(connection);
            drop(permit);
            outcome
        });
        ran.await.unwrap_or(Err(StoreFault::Closed))
    }

    pub(super) fn close(&self) {
        self.permits.close();
        self.free
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }
}
