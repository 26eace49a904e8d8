use std::fs;

use super::*;

struct Machine {
    root: tempfile::TempDir,
    path: OsString,
}

impl Machine {
    /// A home, a folder of the configuration, and PATH with `bin` and `usr/bin`.
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let folders = ["bin", "usr/bin"].map(|folder| root.path().join(folder));
        let path = std::env::join_paths(&folders).unwrap();
        Self { root, path }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn put(&self, name: &str, mode: u32) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        path
    }

    fn find(
        &self,
        command: &[&str],
        driver: &str,
        candidates: &[Candidate<'_>],
    ) -> Result<ResolvedCommand, CommandProblem> {
        let command = CommandConfig {
            executable: command[0].into(),
            prefix_args: command[1..].iter().map(|text| (*text).to_owned()).collect(),
        };
        let (base, home) = (self.at("project"), self.at("home"));
        let lookup = Lookup {
            base: &base,
            path: Some(&self.path),
            home: Some(&home),
            driver,
            candidates,
        };
        resolve(&command, &lookup)
    }

    fn plain(&self, command: &[&str]) -> Result<ResolvedCommand, CommandProblem> {
        self.find(command, "codex", &[])
    }
}

fn bare(executable: PathBuf) -> Result<ResolvedCommand, CommandProblem> {
    Ok(ResolvedCommand {
        executable,
        prefix_args: vec![],
    })
}

fn said(result: Result<ResolvedCommand, CommandProblem>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_name_is_searched_in_path_in_its_order_and_only_what_runs_counts() {
    let machine = Machine::new();
    machine.put("bin/codex", 0o644);
    let second = machine.put("usr/bin/codex", 0o755);
    assert_eq!(machine.plain(&["codex"]), bare(second));
    let first = machine.put("bin/other", 0o755);
    machine.put("usr/bin/other", 0o755);
    assert_eq!(machine.plain(&["other"]), bare(first));
    assert_eq!(
        said(machine.plain(&["codex --yolo"])),
        "`codex --yolo` was not found. Install it, or give its path as `command`."
    );
}

#[test]
fn a_path_starts_at_the_configuration_or_at_home() {
    let machine = Machine::new();
    let tool = machine.put("project/tools/agent", 0o755);
    let own = machine.put("home/.local/bin/agent", 0o755);
    assert_eq!(machine.plain(&["./tools/agent"]), bare(tool.clone()));
    assert_eq!(machine.plain(&["tools/../tools/agent"]), bare(tool.clone()));
    assert_eq!(machine.plain(&[tool.to_str().unwrap()]), bare(tool));
    assert_eq!(machine.plain(&["~/.local/bin/agent"]), bare(own));
}

#[test]
fn a_path_to_nothing_or_to_a_plain_file_says_what_to_do() {
    let machine = Machine::new();
    let plain = machine.put("project/notes", 0o644).display().to_string();
    let gone = machine.at("project/gone").display().to_string();
    assert_eq!(
        said(machine.plain(&["./gone"])),
        format!("There is no file {gone}. Correct the path in `command`.")
    );
    assert_eq!(
        said(machine.plain(&["./notes"])),
        format!(
            "{plain} may not be executed. Run `chmod +x {plain}`, or correct the path in `command`."
        )
    );
    assert_eq!(
        machine.plain(&["./."]),
        Err(CommandProblem::NoFile {
            path: machine.at("project")
        })
    );
}

#[test]
fn drv_07_node_takes_exactly_one_existing_script_and_nothing_else_takes_anything() {
    let machine = Machine::new();
    let node = machine.put("bin/node", 0o755);
    machine.put("bin/codex", 0o755);
    let script = machine.put("project/agent.mjs", 0o644);
    machine.put("project/agent.sh", 0o644);
    let gone = machine.at("project/gone.js");

    let with_script = ResolvedCommand {
        executable: node.clone(),
        prefix_args: vec![script.into_os_string()],
    };
    assert_eq!(
        machine.plain(&["node", "agent.mjs"]),
        Ok(with_script.clone())
    );
    assert_eq!(
        machine.plain(&[node.to_str().unwrap(), "./agent.mjs"]),
        Ok(with_script)
    );

    let usage =
        "`node` needs exactly one entry in `prefixArgs`: the path of a .js, .mjs or .cjs file.";
    assert_eq!(said(machine.plain(&["node"])), usage);
    assert_eq!(
        said(machine.plain(&["node", "agent.mjs", "--inspect"])),
        usage
    );
    assert_eq!(said(machine.plain(&["node", "agent.sh"])), usage);
    assert_eq!(
        machine.plain(&["node", "gone.js"]),
        Err(CommandProblem::NoFile { path: gone })
    );
    assert_eq!(
        said(machine.plain(&["codex", "--yolo"])),
        "`codex` takes no `prefixArgs`: the driver alone gives arguments. Remove them."
    );
}

#[test]
fn a_drivers_bare_name_means_what_the_driver_looks_for() {
    let machine = Machine::new();
    let places = [
        "~/.local/bin/claude".to_owned(),
        "@vendor/claude/cli.js".to_owned(),
    ];
    let candidates = [
        Candidate {
            name: "claude",
            places: &places,
        },
        Candidate {
            name: "claude-code",
            places: &[],
        },
    ];
    let find = || machine.find(&["claude"], "claude", &candidates);

    assert_eq!(
        said(find()),
        "None of `claude`, `claude-code` was found. Install it, or give its path as `command`."
    );
    let second_name = machine.put("bin/claude-code", 0o755);
    assert_eq!(find(), bare(second_name));

    let package = machine.put("usr/lib/node_modules/@vendor/claude/cli.js", 0o644);
    let node = machine.put("usr/bin/node", 0o755);
    let by_node = ResolvedCommand {
        executable: node,
        prefix_args: vec![package.into()],
    };
    assert_eq!(find(), Ok(by_node));

    let local = machine.put("home/.local/bin/claude", 0o755);
    assert_eq!(find(), bare(local));
    let in_path = machine.put("usr/bin/claude", 0o755);
    assert_eq!(find(), bare(in_path));
}

#[test]
fn a_relative_folder_in_path_is_not_searched() {
    let machine = Machine::new();
    machine.put("project/codex", 0o755);
    let base = machine.at("project");
    let lookup = Lookup {
        base: &base,
        path: Some(OsStr::new(".:")),
        home: None,
        driver: "codex",
        candidates: &[],
    };
    assert!(resolve(&CommandConfig::bare("codex"), &lookup).is_err());
}
