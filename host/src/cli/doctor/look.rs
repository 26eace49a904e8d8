//! Looks at the configuration, its folder, its port, and for every CLI.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread;

use rustix::fs::{Access, access};

use super::program::{self, NoVersion};
use super::report::{AgentRow, Configuration, Database, DriverRow, Found, Report, Room, RoomState};
use crate::cli::language::Sentence;
use crate::cli::neighbour::{Kinship, Neighbour, kinship};
use crate::cli::voice::Voice;
use crate::config::command::{Candidate, CommandProblem, Lookup, ResolvedCommand, resolve};
use crate::config::{AgentConfig, CommandConfig, Config, ConfigError};
use crate::driver::{Driver, DriverEntry, Drivers, Executable, Source};
use crate::runtime::{driver_cache, driver_folders};

/// What of the process's environment matters.
pub(super) struct Surroundings {
    pub(super) path: Option<OsString>,
    pub(super) home: Option<PathBuf>,
    pub(super) program: Option<PathBuf>,
}

impl Surroundings {
    pub(super) fn of_process() -> Self {
        Self {
            path: std::env::var_os("PATH"),
            home: std::env::home_dir(),
            program: std::env::current_exe().ok(),
        }
    }
}

/// One look, with its words in one language.
struct Look<'a> {
    surroundings: &'a Surroundings,
    drivers: &'a Drivers,
    folder: &'a Path,
    voice: Voice,
}

/// Looks at everything.
pub(super) fn around(
    file: &Path,
    config: Result<Config, ConfigError>,
    surroundings: &Surroundings,
    voice: Voice,
) -> Report {
    let folders = config.as_ref().map(driver_folders).unwrap_or_default();
    let drivers = Drivers::load(&folders, &driver_cache(), |_| {});
    let folder = match &config {
        Ok(config) => config.folder(),
        Err(_) => file.parent().unwrap_or(Path::new(".")),
    };
    let look = Look {
        surroundings,
        drivers: &drivers,
        folder,
        voice,
    };
    let problem = config
        .as_ref()
        .err()
        .map(|error| look.words(&Sentence::BadConfiguration(error)));
    let path = config
        .as_ref()
        .map_or(file, |config| &config.path)
        .display()
        .to_string();
    Report {
        version: env!("CARGO_PKG_VERSION"),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        configuration: Configuration { path, problem },
        database: config
            .as_ref()
            .ok()
            .map(|config| database(&config.storage.path, voice)),
        room: config.as_ref().ok().map(room),
        drivers: look.all_drivers(),
        agents: config
            .as_ref()
            .map_or(vec![], |config| look.all_agents(&config.agents)),
    }
}

fn room(config: &Config) -> Room {
    let state = match Neighbour::on(config.port) {
        Neighbour::Nobody => RoomState::Stopped,
        Neighbour::Groupx { identity, .. }
            if kinship(&identity, &config.identity()) != Kinship::Other =>
        {
            RoomState::Running
        }
        _ => RoomState::Taken,
    };
    Room {
        port: config.port,
        state,
    }
}

fn database(path: &Path, voice: Voice) -> Database {
    let exists = path.exists();
    // A folder that is not there yet is made in the first one above that is.
    let folder = path.ancestors().skip(1).find(|folder| folder.exists());
    let problem = match folder {
        _ if exists && access(path, Access::READ_OK | Access::WRITE_OK).is_err() => {
            Some(Sentence::FileNotWritable { path })
        }
        Some(folder) if access(folder, Access::WRITE_OK | Access::EXEC_OK).is_err() => {
            Some(Sentence::FolderNotWritable { path: folder })
        }
        _ => None,
    };
    Database {
        path: path.display().to_string(),
        exists,
        problem: problem.map(|problem| problem.in_language(voice.language())),
    }
}

impl Look<'_> {
    fn words(&self, sentence: &Sentence<'_>) -> String {
        sentence.in_language(self.voice.language())
    }

    fn all_drivers(&self) -> Vec<DriverRow> {
        let refused = self.drivers.refused().iter().map(|refused| DriverRow {
            id: refused.source.to_string(),
            driver_version: None,
            file: file_of(&refused.source),
            cli: Found {
                problem: Some(refused.to_string()),
                ..Found::default()
            },
            is_ourselves: false,
        });
        let entries = self.drivers.list();
        let looked = thread::scope(|scope| {
            let look = |entry| scope.spawn(move || self.driver(entry));
            let running: Vec<_> = entries.iter().map(look).collect();
            // A thread that panicked has no row; its panic is on stderr.
            running
                .into_iter()
                .filter_map(|thread| thread.join().ok())
                .collect::<Vec<_>>()
        });
        looked.into_iter().chain(refused).collect()
    }

    fn driver(&self, entry: &DriverEntry) -> DriverRow {
        let mut row = DriverRow {
            id: entry.id.clone(),
            driver_version: None,
            file: file_of(&entry.source),
            cli: Found::default(),
            is_ourselves: false,
        };
        match self.drivers.get(&entry.id) {
            Ok(driver) => {
                let description = driver.description();
                row.driver_version = Some(description.version.clone());
                let ourselves = self.ourselves(&description.executables);
                row.is_ourselves = ourselves.is_some();
                row.cli = match ourselves {
                    Some(program) => self.version(&program, &description.executables),
                    None => self.cli(&CommandConfig::bare(&entry.id), &driver),
                };
            }
            Err(fault) => row.cli.problem = Some(fault.to_string()),
        }
        row
    }

    /// This program, where a driver looks for one of its name: it need not be in PATH.
    fn ourselves(&self, executables: &[Executable]) -> Option<ResolvedCommand> {
        let program = self.surroundings.program.as_ref()?;
        let name = program.file_name()?.to_str()?;
        let wanted = executables.iter().any(|executable| executable.name == name);
        wanted.then(|| ResolvedCommand {
            executable: program.clone(),
            prefix_args: vec![],
        })
    }

    fn all_agents(&self, agents: &[AgentConfig]) -> Vec<AgentRow> {
        thread::scope(|scope| {
            let look = |agent| scope.spawn(move || self.agent(agent));
            let running: Vec<_> = agents.iter().map(look).collect();
            // A thread that panicked has no row; its panic is on stderr.
            running
                .into_iter()
                .filter_map(|thread| thread.join().ok())
                .collect()
        })
    }

    fn agent(&self, agent: &AgentConfig) -> AgentRow {
        let mut cli = match self.drivers.get(&agent.driver) {
            _ if !agent.enabled => Found::default(),
            Ok(driver) => self.cli(&agent.command, &driver),
            Err(fault) => Found {
                problem: Some(fault.to_string()),
                ..Found::default()
            },
        };
        if agent.enabled && cli.problem.is_none() && !agent.cwd.is_dir() {
            cli.problem = Some(self.words(&Sentence::NoFolder { path: &agent.cwd }));
        }
        AgentRow {
            id: agent.id.to_string(),
            name: agent.display_name().to_owned(),
            driver: agent.driver.clone(),
            enabled: agent.enabled,
            cli,
        }
    }

    fn cli(&self, command: &CommandConfig, driver: &Driver) -> Found {
        let executables = &driver.description().executables;
        let candidates: Vec<_> = executables
            .iter()
            .map(|executable| Candidate {
                name: &executable.name,
                places: &executable.places,
            })
            .collect();
        let lookup = Lookup {
            base: self.folder,
            path: self.surroundings.path.as_deref(),
            home: self.surroundings.home.as_deref(),
            driver: driver.id(),
            candidates: &candidates,
        };
        match resolve(command, &lookup) {
            Ok(resolved) => self.version(&resolved, executables),
            Err(problem) => {
                let problem = Some(self.missing(&problem, executables));
                Found {
                    problem,
                    ..Found::default()
                }
            }
        }
    }

    /// A driver knows how its CLI is installed; that is the one thing to do.
    fn missing(&self, problem: &CommandProblem, executables: &[Executable]) -> String {
        let hint = executables
            .iter()
            .map(|executable| executable.install_hint.as_str());
        match (problem, hint.into_iter().find(|hint| !hint.is_empty())) {
            (CommandProblem::NotInPath { names }, Some(hint)) => {
                self.words(&Sentence::NotInstalled {
                    names: &names.join(", "),
                    hint,
                })
            }
            _ => self.words(&Sentence::Command(problem)),
        }
    }

    fn version(&self, command: &ResolvedCommand, executables: &[Executable]) -> Found {
        let named = command
            .executable
            .file_name()
            .and_then(|name| name.to_str());
        let known = executables
            .iter()
            .find(|one| Some(one.name.as_str()) == named);
        let args = known
            .or(executables.first())
            .map_or(&[][..], |one| &one.version_args);
        let executable = Some(command.executable.display().to_string());
        if args.is_empty() {
            return Found {
                executable,
                ..Found::default()
            };
        }
        match program::version(command, args) {
            Ok(version) => Found {
                executable,
                version: Some(version),
                problem: None,
            },
            Err(NoVersion::Silent) => Found {
                executable,
                ..Found::default()
            },
            Err(NoVersion::TooSlow) => Found {
                executable,
                version: None,
                problem: Some(self.words(&Sentence::VersionTooSlow)),
            },
            Err(NoVersion::NotStarted(error)) => Found {
                executable: None,
                version: None,
                problem: Some(self.words(&Sentence::DoesNotStart {
                    path: &command.executable,
                    reason: &error.to_string(),
                })),
            },
        }
    }
}

fn file_of(source: &Source) -> Option<String> {
    match source {
        Source::Bundled(_) => None,
        Source::File(path) => Some(path.display().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Language;

    fn look_at(path: &Path) -> Database {
        database(path, Voice::new(Language::English))
    }

    #[test]
    fn life_04_a_database_that_is_not_there_yet_needs_a_folder_to_be_made_in() {
        let folder = tempfile::tempdir().unwrap();
        let fresh = look_at(&folder.path().join(".groupx/groupx.db"));
        assert_eq!((fresh.exists, fresh.problem), (false, None));

        let file = folder.path().join("notes");
        std::fs::write(&file, "").unwrap();
        let blocked = look_at(&file.join("groupx.db"));
        assert_eq!(
            blocked.problem,
            Some(format!(
                "Nothing can be written in {}. Correct its permissions, or choose another \
                 `storage.path`.",
                file.display()
            ))
        );
        assert!(look_at(&file).exists);
    }
}
