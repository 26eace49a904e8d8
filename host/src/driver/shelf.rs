//! All drivers by id: the bundled ones, and those that the user put into a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::bundled::BUNDLED;
use super::fault::DriverFault;
use super::limits;
use super::loaded::Driver;
use super::loader::Loader;
use super::refusal::{Refusal, RefusedDriver, Source};

/// Something that a person who waits or looks for a driver wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DriverNews {
    /// Compiled code cannot be kept, in a sentence.
    Uncached(String),
    /// A component is being compiled, or taken from the cache.
    Loading(Source),
    /// It can be used.
    Ready {
        /// Its id.
        id: String,
        /// Where it came from.
        source: Source,
    },
    /// The user's file is used instead of the bundled driver of the same id.
    ReplacesBundled {
        /// The id of both.
        id: String,
        /// The file.
        by: PathBuf,
    },
    /// It cannot be used.
    Refused(RefusedDriver),
}

/// One row of [`Drivers::list`].
#[derive(Clone)]
pub struct DriverEntry {
    /// Its id.
    pub id: String,
    /// Where it came from.
    pub source: Source,
    /// Whether a bundled driver of this id gave way to it.
    pub replaces_bundled: bool,
    /// The driver, unless it is a bundled one that nobody has asked for yet.
    pub loaded: Option<Arc<Driver>>,
}

type Loaded = Result<Arc<Driver>, RefusedDriver>;

struct Place {
    id: String,
    source: Source,
    replaces_bundled: bool,
    /// Empty for files: those are loaded before they have a place.
    wasm: &'static [u8],
    loaded: OnceLock<Loaded>,
}

/// The drivers of this process. Share it in an `Arc`.
pub struct Drivers {
    loader: Result<Loader, DriverFault>,
    places: Vec<Place>,
    refused: Vec<RefusedDriver>,
    progress: Box<dyn Fn(DriverNews) + Send + Sync>,
}

impl Drivers {
    /// Looks into `folders` (earlier ones win; missing ones are fine) for `.wasm` files.
    ///
    /// Files are compiled here, because only the component knows its id; bundled drivers when they
    /// are first asked for. Nothing here fails as a whole: see [`Drivers::refused`]. `cache` is as
    /// in [`Loader::new`]. `progress` is called from whichever thread loads. As [`Loader::load`], not
    /// for a worker of the async runtime.
    pub fn load(
        folders: &[PathBuf],
        cache: &Path,
        progress: impl Fn(DriverNews) + Send + Sync + 'static,
    ) -> Drivers {
        let mut drivers = Drivers {
            loader: Loader::new(cache),
            places: Vec::new(),
            refused: Vec::new(),
            progress: Box::new(progress),
        };
        if let Ok(Some(reason)) = drivers.loader.as_ref().map(Loader::uncached) {
            (drivers.progress)(DriverNews::Uncached(reason.to_owned()));
        }
        for folder in folders {
            drivers.add_folder(folder);
        }
        for &(id, wasm) in BUNDLED {
            drivers.add_bundled(id, wasm);
        }
        drivers.places.sort_by(|a, b| a.id.cmp(&b.id));
        drivers
    }

    /// The driver of that id. Compiles a bundled one at its first use, once, which takes up to a
    /// second (a few milliseconds when cached): not for a worker of the async runtime.
    ///
    /// # Errors
    /// [`DriverFault::Unknown`], or why it cannot be loaded.
    pub fn get(&self, id: &str) -> Result<Arc<Driver>, DriverFault> {
        let place = self
            .places
            .iter()
            .find(|place| place.id == id)
            .ok_or_else(|| DriverFault::Unknown {
                id: id.to_owned(),
                known: self.ids(),
            })?;
        let loader = self.loader.as_ref().map_err(DriverFault::clone)?;
        let loaded = place
            .loaded
            .get_or_init(|| self.load_bundled(loader, &place.id, place.wasm));
        Ok(Arc::clone(loaded.as_ref().map_err(RefusedDriver::clone)?))
    }

    /// Every driver, by id, loaded or not. Compiles nothing.
    pub fn list(&self) -> Vec<DriverEntry> {
        self.places
            .iter()
            .map(|place| DriverEntry {
                id: place.id.clone(),
                source: place.source.clone(),
                replaces_bundled: place.replaces_bundled,
                loaded: place.loaded.get().and_then(|loaded| loaded.clone().ok()),
            })
            .collect()
    }

    /// The files that are no usable drivers, each with what to do about it.
    pub fn refused(&self) -> &[RefusedDriver] {
        &self.refused
    }

    fn ids(&self) -> Vec<String> {
        self.places.iter().map(|place| place.id.clone()).collect()
    }

    fn add_folder(&mut self, folder: &Path) {
        let files = match wasm_files(folder) {
            Ok(files) => files,
            Err(reason) => return self.refuse(Source::File(folder.to_owned()), reason),
        };
        for file in files {
            let source = Source::File(file.clone());
            (self.progress)(DriverNews::Loading(source.clone()));
            match self.load_file(&file) {
                Ok(driver) => self.add_file(driver, file),
                Err(reason) => self.refuse(source, reason),
            }
        }
    }

    fn load_file(&self, file: &Path) -> Result<Driver, Refusal> {
        let bytes = read_bounded(file)?;
        match &self.loader {
            Ok(loader) => loader
                .load(Source::File(file.to_owned()), &bytes)
                .map_err(|refused| refused.reason),
            Err(fault) => Err(Refusal::Unreadable(fault.to_string())),
        }
    }

    fn add_file(&mut self, driver: Driver, file: PathBuf) {
        let id = driver.id().to_owned();
        let source = Source::File(file.clone());
        let earlier = self.places.iter().find(|place| place.id == id);
        if let Some(Source::File(taken_by)) = earlier.map(|place| place.source.clone()) {
            return self.refuse(source, Refusal::Duplicate { id, taken_by });
        }
        (self.progress)(DriverNews::Ready {
            id: id.clone(),
            source: source.clone(),
        });
        let replaces_bundled = BUNDLED.iter().any(|&(bundled, _)| bundled == id);
        if replaces_bundled {
            (self.progress)(DriverNews::ReplacesBundled {
                id: id.clone(),
                by: file,
            });
        }
        self.places.push(Place {
            id,
            source,
            replaces_bundled,
            wasm: &[],
            loaded: OnceLock::from(Ok(Arc::new(driver))),
        });
    }

    fn add_bundled(&mut self, id: &str, wasm: &'static [u8]) {
        if self.places.iter().any(|place| place.id == id) {
            return;
        }
        self.places.push(Place {
            id: id.to_owned(),
            source: Source::Bundled(id.to_owned()),
            replaces_bundled: false,
            wasm,
            loaded: OnceLock::new(),
        });
    }

    fn load_bundled(&self, loader: &Loader, id: &str, wasm: &[u8]) -> Loaded {
        let source = Source::Bundled(id.to_owned());
        (self.progress)(DriverNews::Loading(source.clone()));
        let loaded = loader.load(source.clone(), wasm).and_then(|driver| {
            if driver.id() == id {
                return Ok(Arc::new(driver));
            }
            let reason = Refusal::BadDescription(format!("it calls itself {:?}", driver.id()));
            Err(RefusedDriver {
                source: source.clone(),
                reason,
            })
        });
        (self.progress)(match &loaded {
            Ok(_) => DriverNews::Ready {
                id: id.to_owned(),
                source,
            },
            Err(refused) => DriverNews::Refused(refused.clone()),
        });
        loaded
    }

    fn refuse(&mut self, source: Source, reason: Refusal) {
        let refused = RefusedDriver { source, reason };
        (self.progress)(DriverNews::Refused(refused.clone()));
        self.refused.push(refused);
    }
}

/// The `.wasm` files of a folder by name; none when there is no such folder.
fn wasm_files(folder: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let unreadable = |error: std::io::Error| Refusal::Unreadable(error.to_string());
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "wasm")
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read_bounded(file: &Path) -> Result<Vec<u8>, Refusal> {
    let unreadable = |error: std::io::Error| Refusal::Unreadable(error.to_string());
    let bytes = fs::metadata(file).map_err(unreadable)?.len();
    if bytes > limits::FILE_BYTES {
        return Err(Refusal::TooLarge { bytes });
    }
    fs::read(file).map_err(unreadable)
}
