//! The npm build of the page.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::programs;

/// The oldest Node that the page's tools run on.
const NODE: (u32, u32) = (20, 19);

/// `npm install` writes the lock file and what it installed from it in either order.
const WRITTEN_TOGETHER: Duration = Duration::from_secs(5);

/// A page that was built before.
pub(crate) fn prebuilt(folder: PathBuf) -> Result<PathBuf, String> {
    println!("cargo::rerun-if-changed={}", folder.display());
    if folder.join("index.html").is_file() {
        Ok(folder)
    } else {
        Err(format!(
            "GROUPX_WEB_DIST names {}, which has no index.html.",
            folder.display()
        ))
    }
}

/// Builds the page in `web` into `page`, unless that is newer than everything it is made of.
pub(crate) fn build(web: &Path, page: &Path) -> Result<PathBuf, String> {
    let lock = web.join("package-lock.json");
    if !lock.is_file() {
        return Err(format!(
            "{} is missing: build from the whole repository, or set GROUPX_WEB_DIST to a built page.",
            lock.display()
        ));
    }
    let mut newest = SystemTime::UNIX_EPOCH;
    for source in sources(web)? {
        println!("cargo::rerun-if-changed={}", source.display());
        newest = newest.max(last_change(&source)?);
    }
    if last_change(&page.join("index.html")).is_ok_and(|built| built > newest) {
        return Ok(page.to_owned());
    }
    ensure_node()?;
    install(web, &lock)?;
    let mut npm = npm(web);
    npm.args(["run", "build", "--", "--outDir"]).arg(page);
    programs::run(&mut npm)
        .map_err(|happened| format!("The page could not be built: {happened}; see above."))?;
    Ok(page.to_owned())
}

fn install(web: &Path, lock: &Path) -> Result<(), String> {
    // Two cargo builds (an editor's and a terminal's) share this folder.
    let guard = File::open(lock).map_err(at(lock))?;
    guard.lock().map_err(at(lock))?;
    // npm writes it last, whoever has run npm.
    let installed = last_change(&web.join("node_modules/.package-lock.json"));
    let wanted = last_change(lock)?;
    if installed.is_ok_and(|installed| installed + WRITTEN_TOGETHER >= wanted) {
        return Ok(());
    }
    let mut npm = npm(web);
    npm.args(["ci", "--include=dev", "--no-audit", "--no-fund"]);
    programs::run(&mut npm).map_err(|happened| {
        format!(
            "The page's packages could not be installed: {happened}; see above. Run `npm ci` in {}, or set GROUPX_WEB_DIST to a built page.",
            web.display()
        )
    })
}

fn npm(web: &Path) -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(web);
    npm
}

fn ensure_node() -> Result<(), String> {
    let (major, minor) = NODE;
    let wanted = format!(
        "The page is built with Node {major}.{minor} or newer and its npm: install them from https://nodejs.org, or set GROUPX_WEB_DIST to a built page"
    );
    let version = programs::answer(Command::new("node").arg("--version"))
        .ok_or_else(|| format!("{wanted} (no node was found)."))?;
    let mut parts = version.trim_start_matches('v').split('.').map(str::parse);
    match (parts.next(), parts.next()) {
        (Some(Ok(found_major)), Some(Ok(found_minor))) if (found_major, found_minor) >= NODE => {}
        _ => return Err(format!("{wanted} (node is {version}).")),
    }
    programs::answer(Command::new("npm").arg("--version"))
        .map(|_| ())
        .ok_or_else(|| format!("{wanted} (no npm was found)."))
}

/// Everything in the folder but what builds and editors leave there.
fn sources(web: &Path) -> Result<Vec<PathBuf>, String> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(web).map_err(at(web))? {
        let entry = entry.map_err(at(web))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name != "node_modules" && name != "dist" && !name.starts_with('.') {
            sources.push(entry.path());
        }
    }
    Ok(sources)
}

fn last_change(path: &Path) -> Result<SystemTime, String> {
    let found = fs::metadata(path).map_err(at(path))?;
    let mut newest = found.modified().map_err(at(path))?;
    if found.is_dir() {
        for entry in fs::read_dir(path).map_err(at(path))? {
            newest = newest.max(last_change(&entry.map_err(at(path))?.path())?);
        }
    }
    Ok(newest)
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}.", path.display())
}
