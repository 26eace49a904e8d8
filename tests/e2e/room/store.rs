//! The facts on the disk. A copy is read, never the file itself: looking must not change what a
//! killed GroupX left behind.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, Params};
use tempfile::TempDir;

/// A copy of the database, with its write-ahead log.
pub(crate) struct Store {
    connection: Connection,
    _folder: TempDir,
}

impl Store {
    pub(super) fn copy_of(database: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let copy = folder.path().join("copy.db");
        std::fs::copy(database, &copy).expect("the room has a database");
        let log = database.with_extension("db-wal");
        if log.exists() {
            std::fs::copy(log, copy.with_extension("db-wal")).expect("the write-ahead log");
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = Connection::open_with_flags(&copy, flags).expect("a SQLite database");
        Self {
            connection,
            _folder: folder,
        }
    }

    /// One text or number from the first row of a query.
    pub(crate) fn text(&self, query: &str, parameters: impl Params) -> String {
        self.rows(query, parameters)
            .into_iter()
            .next()
            .expect("a row")
    }

    /// The first column of every row, as text.
    pub(crate) fn rows(&self, query: &str, parameters: impl Params) -> Vec<String> {
        let mut statement = self
            .connection
            .prepare(query)
            .expect("a query of our schema");
        let read = |row: &rusqlite::Row<'_>| {
            row.get_ref(0).map(|value| match value {
                rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                rusqlite::types::ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                other => format!("{other:?}"),
            })
        };
        let rows = statement
            .query_map(parameters, read)
            .expect("a readable database");
        rows.collect::<Result<_, _>>().expect("a readable database")
    }
}
