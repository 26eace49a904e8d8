//! The folder for compiled drivers. It holds native code, so nobody else may write to it.

use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

use wasmtime::{Cache, CacheConfig};

/// Compiled code of drivers that are gone is removed when the folder has grown beyond this.
const FOLDER_BYTES: u64 = 256 << 20;

/// Opens the cache in `folder`, creating it for its owner alone; `Err` says why it stays unused.
pub(super) fn open(folder: &Path) -> Result<Cache, String> {
    make_private(folder).map_err(|reason| {
        format!(
            "Compiled drivers are not kept in {}: {reason}. They are compiled at every start.",
            folder.display()
        )
    })?;
    let mut config = CacheConfig::new();
    config
        .with_directory(folder)
        .with_files_total_size_soft_limit(FOLDER_BYTES);
    Cache::new(config).map_err(|error| {
        format!(
            "Compiled drivers are not kept in {}: {error}. They are compiled at every start.",
            folder.display()
        )
    })
}

fn make_private(folder: &Path) -> Result<(), String> {
    let plain = |error: std::io::Error| error.to_string();
    if !folder.is_absolute() {
        return Err("the path is not absolute".to_owned());
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(plain)?;
    let found = fs::symlink_metadata(folder).map_err(plain)?;
    if !found.is_dir() {
        return Err("it is not a folder itself".to_owned());
    }
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err("it belongs to another user".to_owned());
    }
    if found.mode() & 0o077 != 0 {
        fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(plain)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_made_for_its_owner_alone() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("a/drivers");
        open(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_folder_that_others_could_write_to_is_closed_to_them() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("drivers");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
        open(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_link_to_somewhere_else_is_not_used() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("drivers");
        std::os::unix::fs::symlink(home.path(), &folder).unwrap();
        let said = open(&folder).unwrap_err();
        assert!(said.contains("it is not a folder itself"), "{said}");
    }
}
