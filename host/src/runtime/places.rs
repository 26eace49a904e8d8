//! Where things lie on this machine, by its customs.

use std::path::{Path, PathBuf};

use crate::config::Config;

/// The owner-only folder for compiled drivers.
pub fn driver_cache() -> PathBuf {
    base(
        "XDG_CACHE_HOME",
        if cfg!(target_os = "macos") {
            "Library/Caches"
        } else {
            ".cache"
        },
    )
    .join("groupx/drivers")
}

/// Where dropped-in drivers are looked for, the first wins: the configured folder or the one
/// beside the configuration, then the user's own.
pub fn driver_folders(config: &Config) -> Vec<PathBuf> {
    let beside = || config.folder().join(".groupx/drivers");
    let own = if cfg!(target_os = "macos") {
        "Library/Application Support"
    } else {
        ".local/share"
    };
    vec![
        config.drivers_dir.clone().unwrap_or_else(beside),
        base("XDG_DATA_HOME", own).join("groupx/drivers"),
    ]
}

/// Where sessions' private files lie while they run.
pub(super) fn private_files(database: &Path) -> PathBuf {
    database.with_extension("sessions")
}

fn base(variable: &str, below_home: &str) -> PathBuf {
    let set = std::env::var_os(variable)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    set.or_else(|| std::env::home_dir().map(|home| home.join(below_home)))
        .unwrap_or_else(std::env::temp_dir)
}
