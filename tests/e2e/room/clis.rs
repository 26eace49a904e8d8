//! Real CLIs, pinned: found in the target folder, or installed there once, by one test at a time.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::plan::tool;

/// The pinned Codex CLI. Where it is missing it is installed, unless `GROUPX_REQUIRE_CLIS` says
/// that it must be there.
pub(crate) fn codex_cli() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../clis");
    std::fs::create_dir_all(&folder).expect("the folder of the CLIs");
    let command = folder.join("codex/node_modules/.bin/codex");
    let lock = File::create(folder.join(".lock")).expect("the lock of the CLIs");
    lock.lock().expect("the lock of the CLIs");
    if !command.exists() {
        assert!(
            std::env::var_os("GROUPX_REQUIRE_CLIS").is_none(),
            "the Codex CLI is not installed: run tests/tools/install-clis"
        );
        let status = Command::new(tool("install-clis"))
            .arg(&folder)
            .arg("codex")
            .status();
        let status = status.expect("bash runs the installer");
        assert!(
            status.success(),
            "tests/tools/install-clis could not install Codex"
        );
    }
    command
}
