//! What can go wrong with the store, in words for the user at the door.

use std::path::PathBuf;

use crate::protocol::{ErrorCode, Fault};

/// A write or read that did not happen. Nothing of it was stored.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreFault {
    /// SQLite refused: disk full, I/O error, a broken rule.
    #[error("the database refused the work: {0}")]
    Refused(String),
    /// The store is closed.
    #[error("the store is closed")]
    Closed,
}

impl StoreFault {
    /// What the user hears: the cause stays in the log.
    pub fn to_fault(&self) -> Fault {
        let text = match self {
            Self::Refused(cause) if cause.contains("full") => {
                "The disk with GroupX's database is full. Nothing was stored; free some space and try again."
            }
            Self::Refused(_) => {
                "GroupX could not write its database. Nothing was stored; look at `groupx doctor`, then try again."
            }
            Self::Closed => {
                "GroupX is closing. Nothing was stored; start it again with `groupx start`."
            }
        };
        Fault::new(ErrorCode::StoreUnavailable, text)
    }
}

impl From<rusqlite::Error> for StoreFault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Refused(error.to_string())
    }
}

impl From<StoreFault> for Fault {
    fn from(fault: StoreFault) -> Self {
        tracing::warn!(%fault, "store");
        fault.to_fault()
    }
}

/// Why the database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenFault {
    /// Another runtime holds it.
    #[error(
        "{path} is already in use by {holder}. Stop that room first (`groupx stop`), or give this one another storage.path."
    )]
    Locked {
        /// The database.
        path: PathBuf,
        /// What the lock file says of its holder.
        holder: String,
    },
    /// It belongs to the TypeScript GroupX.
    #[error(
        "{path} was made by the TypeScript GroupX (0.1). It is left as it is: give storage.path another name in groupx.json."
    )]
    Legacy {
        /// The database.
        path: PathBuf,
    },
    /// It is some other program's.
    #[error("{path} is not a GroupX database. Give storage.path another name in groupx.json.")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It was written by a newer GroupX.
    #[error(
        "{path} was written by a newer GroupX (schema {found}, this one knows {known}). Update GroupX."
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// The disk or the file system refused.
    #[error("{path} cannot be opened: {cause}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
}
