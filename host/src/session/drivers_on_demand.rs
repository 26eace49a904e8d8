//! The drivers, looked for when the first agent needs one: a room answers before it compiles.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::driver::{DriverNews, Drivers};

/// Told what is being compiled, from whichever thread does it.
type Progress = Box<dyn Fn(DriverNews) + Send + Sync>;

/// See the module.
pub struct DriversOnDemand {
    folders: Vec<PathBuf>,
    cache: PathBuf,
    progress: std::sync::Mutex<Option<Progress>>,
    loaded: OnceLock<Drivers>,
}

impl DriversOnDemand {
    /// Will look into `folders` and keep compiled code in `cache`.
    pub fn new(
        folders: Vec<PathBuf>,
        cache: PathBuf,
        progress: impl Fn(DriverNews) + Send + Sync + 'static,
    ) -> Self {
        let progress = std::sync::Mutex::new(Some(Box::new(progress) as Progress));
        Self {
            folders,
            cache,
            progress,
            loaded: OnceLock::new(),
        }
    }

    /// The drivers. The first call reads the folders and compiles what lies there: not for an
    /// async thread.
    pub fn load(&self) -> &Drivers {
        self.loaded.get_or_init(|| {
            let mut progress = self
                .progress
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            let progress = progress.take();
            Drivers::load(&self.folders, &self.cache, move |news| {
                if let Some(tell) = &progress {
                    tell(news);
                }
            })
        })
    }

    /// The drivers, if anything needed them yet.
    pub fn loaded(&self) -> Option<&Drivers> {
        self.loaded.get()
    }
}
