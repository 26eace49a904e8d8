//! How a configured command becomes something to start: an absolute executable and, for `node`
//! alone, its script. Never a shell, never an argument from the file (DRV-07).
//!
//! What a driver looks for when an agent names it and nothing else comes in as [`Candidate`]s:
//! this room knows no CLI. Linux and macOS; the environment comes in as arguments.

mod problem;

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

pub use problem::CommandProblem;

use super::CommandConfig;
use super::paths::absolute;

/// Where to look.
#[derive(Debug, Clone, Copy)]
pub struct Lookup<'a> {
    /// The folder of the configuration: relative paths start here.
    pub base: &'a Path,
    /// The value of PATH.
    pub path: Option<&'a OsStr>,
    /// What `~/` is.
    pub home: Option<&'a Path>,
    /// The id of the agent's driver. A command of exactly this word means `candidates`.
    pub driver: &'a str,
    /// What the driver looks for, most preferred first; none means the word itself in PATH.
    pub candidates: &'a [Candidate<'a>],
}

/// An executable that a driver can run.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// A name to look for in PATH.
    pub name: &'a str,
    /// Where to look after PATH: absolute, from `~/`, or relative to npm's global packages. A
    /// `.js` file is run by `node`.
    pub places: &'a [String],
}

/// Something that can be started; the driver's own arguments come after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedCommand {
    /// Absolute, and executable when it was looked at.
    pub executable: PathBuf,
    /// Empty, or the absolute script of `node`.
    pub prefix_args: Vec<OsString>,
}

/// Finds what a command names.
///
/// # Errors
/// A [`CommandProblem`] says what was looked for and what to do.
pub fn resolve(
    command: &CommandConfig,
    lookup: &Lookup<'_>,
) -> Result<ResolvedCommand, CommandProblem> {
    let CommandConfig {
        executable,
        prefix_args,
    } = command;
    if executable == lookup.driver && prefix_args.is_empty() && !lookup.candidates.is_empty() {
        let found = lookup
            .candidates
            .iter()
            .find_map(|candidate| default(candidate, lookup));
        let names = || {
            lookup
                .candidates
                .iter()
                .map(|candidate| candidate.name.to_owned())
        };
        return found.ok_or_else(|| CommandProblem::NotInPath {
            names: names().collect(),
        });
    }
    let found = if executable.contains('/') {
        let path = absolute(executable, lookup.base, lookup.home);
        match (path.is_file(), runs(&path)) {
            (_, true) => path,
            (true, false) => return Err(CommandProblem::NotExecutable { path }),
            (false, false) => return Err(CommandProblem::NoFile { path }),
        }
    } else {
        let missing = || CommandProblem::NotInPath {
            names: vec![executable.clone()],
        };
        in_path(executable, lookup).ok_or_else(missing)?
    };
    let prefix_args = if found.file_name() == Some(OsStr::new("node")) {
        vec![script(prefix_args, lookup)?.into_os_string()]
    } else if prefix_args.is_empty() {
        vec![]
    } else {
        return Err(CommandProblem::Arguments {
            executable: executable.clone(),
        });
    };
    Ok(ResolvedCommand {
        executable: found,
        prefix_args,
    })
}

fn default(candidate: &Candidate<'_>, lookup: &Lookup<'_>) -> Option<ResolvedCommand> {
    let bare = |executable| ResolvedCommand {
        executable,
        prefix_args: vec![],
    };
    if let Some(found) = in_path(candidate.name, lookup) {
        return Some(bare(found));
    }
    let mut files = candidate
        .places
        .iter()
        .flat_map(|place| place_files(place, lookup));
    files.find_map(|file| match (is_script(&file), file.is_file()) {
        (true, true) => {
            let executable = in_path("node", lookup)?;
            Some(ResolvedCommand {
                executable,
                prefix_args: vec![file.into_os_string()],
            })
        }
        (false, _) if runs(&file) => Some(bare(file)),
        _ => None,
    })
}

/// The files that a place may mean. npm puts programs into a folder that is in PATH, and their
/// packages into `../lib/node_modules` beside it, so npm itself need not be asked.
fn place_files(place: &str, lookup: &Lookup<'_>) -> Vec<PathBuf> {
    if place.starts_with('/') || place.starts_with("~/") {
        return vec![absolute(place, lookup.base, lookup.home)];
    }
    let packages = |folder: PathBuf| Some(folder.parent()?.join("lib/node_modules").join(place));
    path_folders(lookup).filter_map(packages).collect()
}

fn path_folders<'a>(lookup: &Lookup<'a>) -> impl Iterator<Item = PathBuf> + use<'a> {
    let folders = std::env::split_paths(lookup.path.unwrap_or_default());
    // A relative folder in PATH would depend on where GroupX was started.
    folders.filter(|folder| folder.is_absolute())
}

fn in_path(name: &str, lookup: &Lookup<'_>) -> Option<PathBuf> {
    path_folders(lookup)
        .map(|folder| folder.join(name))
        .find(|file| runs(file))
}

fn runs(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

fn is_script(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    matches!(extension, Some("js" | "mjs" | "cjs"))
}

fn script(prefix_args: &[String], lookup: &Lookup<'_>) -> Result<PathBuf, CommandProblem> {
    let [script] = prefix_args else {
        return Err(CommandProblem::NodeScript);
    };
    let path = absolute(script, lookup.base, lookup.home);
    match (is_script(&path), path.is_file()) {
        (false, _) => Err(CommandProblem::NodeScript),
        (true, false) => Err(CommandProblem::NoFile { path }),
        (true, true) => Ok(path),
    }
}

#[cfg(test)]
mod tests;
