//! Whether the database is whole: looked at once after a run that did not end well, beside the
//! work, since a check reads everything.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The result of the last check; good until a check says otherwise.
#[derive(Debug, Clone)]
pub(super) struct Integrity(Arc<AtomicBool>);

impl Integrity {
    pub(super) fn good() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }

    /// Starts a check on a thread of its own.
    pub(super) fn check(path: &Path) -> Self {
        let integrity = Self::good();
        let verdict = integrity.clone();
        let path = path.to_owned();
        let started = std::thread::Builder::new().name("store-check".into()).spawn(move || {
            let said = super::open::connect(&path).and_then(|connection| {
                connection.pragma_update(None, "query_only", true)?;
                connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
            });
            match said {
                Ok(said) if said == "ok" => {}
                Ok(damage) => {
                    tracing::error!(%damage, "the database is damaged; stop the room and keep a copy of it");
                    verdict.0.store(false, Ordering::Relaxed);
                }
                Err(error) => tracing::warn!(%error, "the database could not be checked"),
            }
        });
        if let Err(error) = started {
            tracing::warn!(%error, "the database could not be checked");
        }
        integrity
    }

    pub(super) fn is_ok(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
