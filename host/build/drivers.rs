//! The nested cargo build of the drivers' own workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io};

use crate::programs;

const TARGET: &str = "wasm32-wasip2";

/// A built driver component.
pub(crate) struct Component {
    /// The driver's id.
    pub(crate) id: String,
    /// Its `.wasm`.
    pub(crate) file: PathBuf,
}

/// Every `ID.wasm` of a folder.
pub(crate) fn prebuilt(folder: &Path) -> Result<Vec<Component>, String> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let unreadable = |error: io::Error| format!("{}: {error}.", folder.display());
    let mut components = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if let (Some("wasm"), Some(id)) = (
            file.extension().and_then(|extension| extension.to_str()),
            file.file_stem().and_then(|stem| stem.to_str()),
        ) {
            components.push(Component {
                id: id.to_owned(),
                file: file.clone(),
            });
        }
    }
    components.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(components)
}

/// Builds the workspace in `root/drivers`; its own folder inside `target` keeps the results.
pub(crate) fn build(root: &Path, target: &Path) -> Result<Vec<Component>, String> {
    let workspace = root.join("drivers");
    let manifest = workspace.join("Cargo.toml");
    if !manifest.is_file() {
        return Err(format!(
            "{} is missing: build from the whole repository, or set GROUPX_DRIVERS_DIR to a folder of prebuilt drivers.",
            manifest.display()
        ));
    }
    for path in [&root.join("wit"), &manifest, &workspace.join("Cargo.lock")] {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    ensure_target_installed()?;
    let folder = target.join("drivers");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["build", "--release", "--locked", "--target", TARGET])
        .arg("--manifest-path")
        .arg(&manifest)
        .arg("--target-dir")
        .arg(&folder);
    forget_outer_build(&mut cargo);
    programs::run(&mut cargo)
        .map_err(|happened| format!("The drivers could not be built: {happened}; see above."))?;

    let artifacts = folder.join(TARGET).join("release");
    let mut components = Vec::new();
    for member in members(&manifest)? {
        let member = workspace.join(member);
        let manifest = member.join("Cargo.toml");
        println!("cargo::rerun-if-changed={}", manifest.display());
        println!("cargo::rerun-if-changed={}", member.join("src").display());
        let manifest = read(&manifest)?;
        if let (Some(id), Some(package)) = (
            value(&manifest, "package.metadata.groupx", "driver"),
            value(&manifest, "package", "name"),
        ) {
            components.push(Component {
                id: id.to_owned(),
                file: artifacts.join(format!("{}.wasm", package.replace('-', "_"))),
            });
        }
    }
    components.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(components)
}

/// Copies the components to `out` and writes the table that the crate includes.
pub(crate) fn embed(components: &[Component], out: &Path) -> Result<(), String> {
    let mut table = String::from("&[\n");
    for Component { id, file } in components {
        let bytes = fs::read(file).map_err(|error| format!("{}: {error}.", file.display()))?;
        let copy = out.join(format!("{id}.wasm"));
        write_if_changed(&copy, &bytes)?;
        table += &format!("    ({id:?}, include_bytes!({copy:?}).as_slice()),\n");
    }
    table += "]\n";
    write_if_changed(&out.join("bundled_drivers.rs"), table.as_bytes())
}

/// rustup adds nothing by itself where `RUSTUP_AUTO_INSTALL=0` is set, and a toolchain file with
/// the target in it would move the user to another toolchain; so the target is added here.
fn ensure_target_installed() -> Result<(), String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libraries = programs::answer(Command::new(&rustc).args([
        "--print",
        "target-libdir",
        "--target",
        TARGET,
    ]));
    if libraries.is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    println!("cargo::warning=adding the Rust target {TARGET}, which the drivers are built for");
    programs::run(Command::new("rustup").args(["target", "add", TARGET])).map_err(|happened| {
        format!(
            "The drivers are built for {TARGET}, which is not installed and could not be added ({happened}): run `rustup target add {TARGET}`, or install it with the packages of your Rust, or set GROUPX_DRIVERS_DIR to a folder of prebuilt drivers."
        )
    })
}

/// Cargo tells its build scripts about the outer build in the environment; the nested one must
/// not take that for its own. What says how to reach registries and share the job server stays.
fn forget_outer_build(cargo: &mut Command) {
    const KEPT: &[&str] = &["CARGO_HOME", "CARGO_MAKEFLAGS"];
    const KEPT_PREFIXES: &[&str] = &[
        "CARGO_NET_",
        "CARGO_HTTP_",
        "CARGO_REGISTR",
        "CARGO_SOURCE_",
        "CARGO_TERM_",
    ];
    const OTHERS: &[&str] = &[
        "RUSTFLAGS",
        "RUSTDOCFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_LINKER",
        "TARGET",
        "HOST",
        "PROFILE",
        "OPT_LEVEL",
        "DEBUG",
        "NUM_JOBS",
    ];
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        let kept = KEPT.contains(&&*name) || KEPT_PREFIXES.iter().any(|p| name.starts_with(p));
        if (name.starts_with("CARGO_") && !kept) || OTHERS.contains(&&*name) {
            cargo.env_remove(&*name);
        }
    }
}

fn members(manifest: &Path) -> Result<Vec<String>, String> {
    let text = read(manifest)?;
    let list = text
        .split_once("members = [")
        .and_then(|(_, rest)| rest.split_once(']'))
        .map(|(list, _)| list)
        .ok_or_else(|| format!("{} lists no members.", manifest.display()))?;
    Ok(list
        .split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect())
}

/// A string value of a manifest: enough TOML for the two keys that are looked for.
fn value<'a>(manifest: &'a str, section: &str, key: &str) -> Option<&'a str> {
    let heading = format!("[{section}]");
    manifest
        .lines()
        .skip_while(|line| line.trim() != heading)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once('='))
        .find(|(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim().trim_matches('"'))
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}.", file.display()))
}

fn write_if_changed(file: &Path, content: &[u8]) -> Result<(), String> {
    if fs::read(file).is_ok_and(|present| present == content) {
        return Ok(());
    }
    fs::write(file, content).map_err(|error| format!("{}: {error}.", file.display()))
}
