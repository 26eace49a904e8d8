//! Folders and files that only their owner may read (SEC-04).

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// Makes a folder, and those above it that are missing, for the owner alone (0700).
///
/// A folder that is there already keeps its mode: `storage.path` may lie in one that is meant to
/// be shared, and closing that is not for us.
///
/// # Errors
/// Those of the system.
pub fn folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Opens a file for reading and writing, and makes it for the owner alone (0600) if it is not
/// there. What is in it stays. SQLite gives its `-wal` and `-shm` the mode of the database, so a
/// database has to be made here before it is opened there.
///
/// # Errors
/// Those of the system.
pub fn file(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn sec_04_new_folders_and_files_are_for_their_owner_and_old_ones_are_left_alone() {
        let temp = tempfile::tempdir().unwrap();
        let shared = temp.path().join("shared");
        std::fs::create_dir(&shared).unwrap();
        std::fs::set_permissions(&shared, PermissionsExt::from_mode(0o755)).unwrap();

        folder(&shared.join("a/b")).unwrap();
        folder(&shared.join("a/b")).unwrap();
        file(&shared.join("a/b/groupx.db")).unwrap();
        std::fs::write(shared.join("a/b/groupx.db"), "kept").unwrap();
        file(&shared.join("a/b/groupx.db")).unwrap();

        assert_eq!(mode(&shared), 0o755);
        assert_eq!(mode(&shared.join("a")), 0o700);
        assert_eq!(mode(&shared.join("a/b")), 0o700);
        assert_eq!(mode(&shared.join("a/b/groupx.db")), 0o600);
        assert_eq!(
            std::fs::read(shared.join("a/b/groupx.db")).unwrap(),
            b"kept"
        );
    }
}
