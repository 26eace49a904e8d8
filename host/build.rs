//! Builds what the program carries inside: the driver components and the page.
//!
//! It leaves `$OUT_DIR/bundled_drivers.rs` (a table of ids and components) and names the folder of
//! the built page in `GROUPX_WEB_DIST_RESOLVED`. `GROUPX_DRIVERS_DIR` (a folder of `ID.wasm`) and
//! `GROUPX_WEB_DIST` (a folder with `index.html`) take prebuilt ones instead. Nothing is built, and
//! no file touched, when nothing changed; what went wrong is said in one sentence.

#[path = "build/drivers.rs"]
mod drivers;
#[path = "build/page.rs"]
mod page;
#[path = "build/programs.rs"]
mod programs;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            println!("cargo::error={sentence}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), String> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    let manifest = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let root = manifest.parent().unwrap_or(&manifest);

    let components = match prebuilt("GROUPX_DRIVERS_DIR")? {
        Some(folder) => drivers::prebuilt(&folder)?,
        None => drivers::build(root, &target_folder(&out))?,
    };
    drivers::embed(&components, &out)?;

    let page = match prebuilt("GROUPX_WEB_DIST")? {
        Some(folder) => page::prebuilt(folder)?,
        None => page::build(&root.join("web"), &out.join("page"))?,
    };
    println!(
        "cargo::rustc-env=GROUPX_WEB_DIST_RESOLVED={}",
        page.display()
    );
    Ok(())
}

/// The absolute folder that an environment variable names, if it is set.
fn prebuilt(name: &str) -> Result<Option<PathBuf>, String> {
    println!("cargo::rerun-if-env-changed={name}");
    match env::var_os(name).filter(|value| !value.is_empty()) {
        None => Ok(None),
        Some(folder) => Path::new(&folder)
            .canonicalize()
            .map(Some)
            .map_err(|error| format!("{name} names {}: {error}.", Path::new(&folder).display())),
    }
}

/// Cargo's `target` folder, where the nested build keeps its own, shared by all profiles.
fn target_folder(out: &Path) -> PathBuf {
    out.ancestors()
        .filter(|folder| folder.join("CACHEDIR.TAG").is_file())
        .last()
        .unwrap_or(out)
        .to_owned()
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("{name} is not set: this is cargo's build script."))
}
