//! Why a file is not a driver that this host can run, said so that its author can act on it.

use std::fmt;
use std::path::PathBuf;

use super::limits;

/// Where a component came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Part of this program, under this id.
    Bundled(String),
    /// A file that the user put into a drivers folder.
    File(PathBuf),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Bundled(id) => write!(f, "The bundled driver \"{id}\""),
            Source::File(path) => write!(f, "The driver {}", path.display()),
        }
    }
}

/// A component that was not loaded; the others were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedDriver {
    /// The file.
    pub source: Source,
    /// What is wrong with it.
    pub reason: Refusal,
}

impl fmt::Display for RefusedDriver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.source, self.reason)
    }
}

impl std::error::Error for RefusedDriver {}

/// What is wrong with a component; each reads on after the file's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The file cannot be read.
    #[error("cannot be read: {0}.")]
    Unreadable(String),
    /// The file is larger than any driver.
    #[error("has {bytes} bytes; a driver may have {} MiB. Build it in release mode and strip it.", limits::FILE_BYTES >> 20)]
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// No wasm at all.
    #[error("is not WebAssembly. Build it for wasm32-wasip2.")]
    NotWasm,
    /// Native code, which is never taken from outside.
    #[error(
        "is precompiled native code, which GroupX does not run. Give it the .wasm component instead."
    )]
    Precompiled,
    /// A core module.
    #[error(
        "is a core module, not a component. Build it for wasm32-wasip2, or wrap it with `wasm-tools component new`."
    )]
    CoreModule,
    /// It does not parse or compile.
    #[error("is damaged or cut off: {0}. Build or copy it again.")]
    Damaged(String),
    /// It wants something that no driver gets.
    #[error(
        "imports {0}, which drivers do not get: they have no files, network, clock or random numbers. Remove what needs it; time comes as `timer` inputs."
    )]
    ForbiddenImport(String),
    /// It was built against another version of the interface.
    #[error(
        "was built for GroupX driver API {found}; this GroupX speaks {}.x. Build it against this version's wit/driver.wit.",
        api_series()
    )]
    OtherVersion {
        /// The version in its export's name.
        found: String,
    },
    /// A component, but of some other world.
    #[error(
        "is a component but no GroupX driver: it does not export groupx:driver/driver. Build it for the world agent-driver of wit/driver.wit."
    )]
    NotADriver,
    /// The right version by name, but its types differ.
    #[error(
        "was built from a changed driver.wit: {0}. Build it against the original wit/driver.wit."
    )]
    OtherInterface(String),
    /// `describe` trapped, ran too long or asked for too much.
    #[error("could not describe itself: {0}.")]
    Describe(String),
    /// `describe` answered something that cannot be used.
    #[error("describes itself wrongly: {0}.")]
    BadDescription(String),
    /// A file of an earlier folder has the same id.
    #[error("has the id \"{id}\", which {} has already. Remove one of them.", .taken_by.display())]
    Duplicate {
        /// The id of both.
        id: String,
        /// The file that is used.
        taken_by: PathBuf,
    },
}

/// "0.1": all that has to agree between a driver and this host.
pub(super) fn api_series() -> &'static str {
    match limits::API_VERSION.rsplit_once('.') {
        Some((series, _)) => series,
        None => limits::API_VERSION,
    }
}
