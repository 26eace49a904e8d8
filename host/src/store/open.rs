//! Opening: one runtime per file, owner-only modes, whose file it is, migrations, then the threads.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;
use rustix::fs::FlockOperation;

use super::fault::{OpenFault, StoreFault};
use super::integrity::Integrity;
use super::readers::Readers;
use super::tail::Tail;
use super::writer::Writer;

/// What a commit of a promise costs (contract Ours 16).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// On the disk before anyone hears of it: survives a power cut.
    Full,
    /// In the system's hands: survives a crash of GroupX, not a power cut.
    Normal,
}

/// "GrpX" in the file's header.
const APPLICATION_ID: i64 = 0x4772_7058;
const MIGRATIONS: &[&str] = &[include_str!("../../../migrations/0001_room.sql")];
/// The number of the newest migration.
pub const SCHEMA_VERSION: u32 = MIGRATIONS.len() as u32;
const READERS: usize = 3;

/// The open store; cheap to clone. The last clone dropped closes nothing: call `close`.
#[derive(Clone)]
pub struct Store {
    pub(super) writer: Writer,
    pub(super) readers: Readers,
    pub(super) tail: Arc<Tail>,
    pub(super) integrity: Integrity,
    lock: Arc<File>,
}

impl Store {
    /// Opens or creates the database at `path`.
    pub fn open(path: &Path, durability: Durability) -> Result<Self, OpenFault> {
        let io = |cause: &dyn std::fmt::Display| OpenFault::Io {
            path: path.to_owned(),
            cause: cause.to_string(),
        };
        prepare_folder(path)?;
        let (lock, ended_well) = take_lock(path)?;
        let connection = connect(path).map_err(|e| io(&e))?;
        recognize(&connection, path)?;
        migrate(&connection).map_err(|e| io(&e))?;
        let head = super::events::head(&connection).map_err(|e| io(&e))?;
        let tail = Arc::new(Tail::new(head));
        let readers = Readers::open(path, READERS).map_err(|e| io(&e))?;
        let writer =
            Writer::start(connection, path, durability, tail.clone()).map_err(|e| io(&e))?;
        let integrity = if ended_well {
            Integrity::good()
        } else {
            Integrity::check(path)
        };
        Ok(Self {
            writer,
            readers,
            tail,
            integrity,
            lock: Arc::new(lock),
        })
    }

    /// The live end of the event log.
    pub fn tail(&self) -> &Arc<Tail> {
        &self.tail
    }

    /// Whether the last write went through.
    pub fn is_available(&self) -> bool {
        self.writer.is_available()
    }

    /// How often the disk was flushed since the start; for benches and tests.
    pub fn flushes(&self) -> u64 {
        self.writer.flushes()
    }

    /// Waits for what is under way, then closes; later work is refused.
    pub async fn close(&self) {
        self.writer.close().await;
        self.tail.close();
        self.readers.close();
        // An empty lock file means a clean end: the next start need not look for damage.
        if let Err(error) = self.lock.set_len(0) {
            tracing::debug!(%error, "the next start will check the database");
        }
    }

    /// The result of the last integrity check (contract Ours 7).
    pub fn integrity_ok(&self) -> bool {
        self.integrity.is_ok()
    }
}

fn prepare_folder(path: &Path) -> Result<(), OpenFault> {
    let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) else {
        return Ok(());
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|e| OpenFault::Io {
            path: folder.to_owned(),
            cause: e.to_string(),
        })?;
    // SQLite gives its side files the mode of the database: create that one first, for its owner only.
    OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
        .map(drop)
        .map_err(|e| OpenFault::Io {
            path: path.to_owned(),
            cause: e.to_string(),
        })
}

/// The lock goes with the process, so a crash never leaves it behind (contract Ours 13); what a
/// crash does leave is its text, which says that the last run did not end well.
fn take_lock(path: &Path) -> Result<(File, bool), OpenFault> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let place = PathBuf::from(name);
    let io = |e: std::io::Error| OpenFault::Io {
        path: place.clone(),
        cause: e.to_string(),
    };
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&place)
        .map_err(io)?;
    let free = rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
    let mut holder = String::new();
    file.read_to_string(&mut holder).map_err(io)?;
    if !free {
        return Err(OpenFault::Locked {
            path: path.to_owned(),
            holder: holder.trim().to_owned(),
        });
    }
    file.set_len(0).map_err(io)?;
    file.rewind().map_err(io)?;
    writeln!(file, "groupx, process {}", std::process::id()).map_err(io)?;
    Ok((file, holder.is_empty()))
}

/// A connection with the settings that every one of ours has.
pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn recognize(connection: &Connection, path: &Path) -> Result<(), OpenFault> {
    let foreign = || OpenFault::Foreign {
        path: path.to_owned(),
    };
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (Ok(id), Ok(version)) = (pragma("application_id"), pragma("user_version")) else {
        return Err(foreign());
    };
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(|_| foreign())?;
    if tables == 0 {
        return Ok(());
    }
    if id != APPLICATION_ID {
        let legacy = connection
            .query_row(
                "SELECT 1 FROM sqlite_schema WHERE name = 'delivery_cursors'",
                [],
                |_| Ok(()),
            )
            .is_ok();
        return Err(if legacy {
            OpenFault::Legacy {
                path: path.to_owned(),
            }
        } else {
            foreign()
        });
    }
    let found = u32::try_from(version).unwrap_or(u32::MAX);
    if found > SCHEMA_VERSION {
        return Err(OpenFault::Newer {
            path: path.to_owned(),
            found,
            known: SCHEMA_VERSION,
        });
    }
    Ok(())
}

fn migrate(connection: &Connection) -> Result<(), StoreFault> {
    connection.pragma_update(None, "journal_mode", "wal")?;
    // Checkpoints run in the writer's quiet moments, never inside a commit.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    let done: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    for (at, migration) in MIGRATIONS.iter().enumerate().skip(done as usize) {
        let number = at + 1;
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; {migration}\n PRAGMA user_version = {number}; PRAGMA application_id = {APPLICATION_ID}; COMMIT;"
        ))?;
    }
    Ok(())
}
