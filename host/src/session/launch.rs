//! From what a driver wants to be run to a process that may be run: placeholders filled in, the
//! environment guarded, private files written.

use std::ffi::OsString;
use std::fs::{DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use super::child::ChildSpec;
use super::mark::{RunMark, SESSION_VARIABLE, VARIABLE};
use crate::config::command::ResolvedCommand;
use crate::driver::LaunchSpec;

/// Why a launch was refused, in words that follow "the driver asked for".
#[derive(Debug, thiserror::Error)]
pub(super) enum LaunchRefused {
    #[error("the environment variable {0}, which GroupX does not let a driver set")]
    Environment(String),
    #[error("a file named {0}, which would lie outside its private folder")]
    FileName(String),
    #[error("private files, which could not be written: {0}")]
    Files(#[from] std::io::Error),
}

/// A process to start and its private folder, which goes with it.
#[derive(Debug)]
pub(super) struct Launch {
    pub(super) child: ChildSpec,
    pub(super) files: Option<PrivateFiles>,
}

/// An owner-only folder, removed when the session is over.
#[derive(Debug)]
pub(super) struct PrivateFiles(PathBuf);

impl Drop for PrivateFiles {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::debug!(%error, "a session's private files stay behind");
        }
    }
}

pub(super) fn prepare(
    command: ResolvedCommand,
    spec: &LaunchSpec,
    workdir: &Path,
    private: &Path,
    mark: &RunMark,
    session: &str,
) -> Result<Launch, LaunchRefused> {
    let files = write_files(spec, private)?;
    let fill = |text: &str| -> OsString {
        let folder = private.to_string_lossy();
        let workdir = workdir.to_string_lossy();
        text.replace("{files}", &folder)
            .replace("{workdir}", &workdir)
            .into()
    };
    let names = spec
        .env
        .iter()
        .map(|pair| &pair.name)
        .chain(&spec.env_remove);
    for name in names {
        if is_denied(name) {
            return Err(LaunchRefused::Environment(name.clone()));
        }
    }
    let mut env: Vec<(OsString, OsString)> = spec
        .env
        .iter()
        .map(|pair| (pair.name.clone().into(), fill(&pair.value)))
        .collect();
    env.push((VARIABLE.into(), mark.as_str().into()));
    env.push((SESSION_VARIABLE.into(), session.into()));
    let args = command
        .prefix_args
        .into_iter()
        .chain(spec.args.iter().map(|arg| fill(arg)))
        .collect();
    let child = ChildSpec {
        executable: command.executable,
        args,
        env,
        env_remove: spec.env_remove.iter().map(OsString::from).collect(),
        workdir: workdir.to_owned(),
    };
    Ok(Launch { child, files })
}

/// Variables that change which code a process runs: never a driver's business.
fn is_denied(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let exact = [
        "PATH",
        "NODE_OPTIONS",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "BASH_ENV",
        "ENV",
        "SHELL",
        VARIABLE,
        SESSION_VARIABLE,
    ];
    name.is_empty()
        || name.contains(['=', '\0'])
        || name.starts_with("LD_")
        || name.starts_with("DYLD_")
        || exact.contains(&name.as_str())
}

fn write_files(spec: &LaunchSpec, private: &Path) -> Result<Option<PrivateFiles>, LaunchRefused> {
    if spec.files.is_empty() {
        return Ok(None);
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(private)?;
    let files = PrivateFiles(private.to_owned());
    for file in &spec.files {
        let name = Path::new(&file.name);
        let inside = name
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !inside || file.name.is_empty() {
            return Err(LaunchRefused::FileName(file.name.clone()));
        }
        let place = private.join(name);
        if let Some(folder) = place.parent() {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)?;
        }
        let mut out = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&place)?;
        out.write_all(&file.content)?;
    }
    Ok(Some(files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::{LaunchFile, Pair};

    fn spec() -> LaunchSpec {
        LaunchSpec {
            args: vec!["--in={workdir}".into()],
            env: vec![],
            env_remove: vec![],
            files: vec![],
        }
    }

    fn prepare_in(folder: &Path, spec: &LaunchSpec) -> Result<Launch, LaunchRefused> {
        let command = ResolvedCommand {
            executable: "/bin/true".into(),
            prefix_args: vec!["a.js".into()],
        };
        prepare(
            command,
            spec,
            Path::new("/work dir"),
            &folder.join("s"),
            &RunMark::for_test(),
            "session_1",
        )
    }

    #[test]
    fn drv_07_what_changes_the_code_that_runs_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "PATH",
            "LD_PRELOAD",
            "dyld_insert_libraries",
            "NODE_OPTIONS",
            "A=B",
            "",
        ] {
            let mut spec = spec();
            spec.env.push(Pair {
                name: name.into(),
                value: "x".into(),
            });
            let refused = prepare_in(folder.path(), &spec).unwrap_err();
            assert!(matches!(refused, LaunchRefused::Environment(n) if n == name));
        }
    }

    #[test]
    fn private_files_are_owner_only_stay_inside_and_go_with_the_session() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mut spec = spec();
        spec.args.push("{files}/mcp.json".into());
        spec.files.push(LaunchFile {
            name: "mcp.json".into(),
            content: b"{}".to_vec(),
        });
        let launch = prepare_in(folder.path(), &spec).unwrap();
        let place = folder.path().join("s/mcp.json");
        assert_eq!(
            std::fs::metadata(&place).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(
            launch.child.args,
            [
                "a.js".into(),
                "--in=/work dir".into(),
                place.clone().into_os_string()
            ]
        );
        drop(launch);
        assert!(!place.exists());
        spec.files[0].name = "../out".into();
        assert!(matches!(
            prepare_in(folder.path(), &spec),
            Err(LaunchRefused::FileName(_))
        ));
    }
}
