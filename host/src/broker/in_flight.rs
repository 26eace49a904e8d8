//! Commands that reach outside the store, one at a time per name: the same command sent twice waits
//! for itself and then finds its own receipt (IDEM-01).

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::protocol::ClientCommandId;

/// The names that are in use now.
#[derive(Debug, Default)]
pub struct InFlight(std::sync::Mutex<HashMap<ClientCommandId, Arc<Mutex<()>>>>);

/// Holds a name until it is dropped.
pub struct Held<'a> {
    names: &'a InFlight,
    name: ClientCommandId,
    _guard: OwnedMutexGuard<()>,
}

impl InFlight {
    /// Waits until nobody else works under this name.
    pub async fn hold(&self, name: &ClientCommandId) -> Held<'_> {
        let lock = {
            let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            names.entry(name.clone()).or_default().clone()
        };
        Held {
            names: self,
            name: name.clone(),
            _guard: lock.lock_owned().await,
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut names = self.names.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Two owners are the map and our own guard: nobody waits.
        if names
            .get(&self.name)
            .is_some_and(|lock| Arc::strong_count(lock) <= 2)
        {
            names.remove(&self.name);
        }
    }
}
