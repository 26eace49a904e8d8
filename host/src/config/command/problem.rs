//! Why a command cannot be started: typed, so that it can be said in any language.

use std::path::PathBuf;

/// What is wrong with a command, and what to do. The `Display` is English.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandProblem {
    /// None of these names is in PATH or in a place that the driver knows.
    #[error("{}. Install it, or give its path as `command`.", search(.names))]
    NotInPath {
        /// What was looked for.
        names: Vec<String>,
    },
    /// The path leads to no file.
    #[error("There is no file {}. Correct the path in `command`.", .path.display())]
    NoFile {
        /// Where it should be.
        path: PathBuf,
    },
    /// The file may not be executed.
    #[error("{0} may not be executed. Run `chmod +x {0}`, or correct the path in `command`.", .path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// Arguments were given to something that takes none.
    #[error("`{executable}` takes no `prefixArgs`: the driver alone gives arguments. Remove them.")]
    Arguments {
        /// The executable as configured.
        executable: String,
    },
    /// `node` needs a script.
    #[error(
        "`node` needs exactly one entry in `prefixArgs`: the path of a .js, .mjs or .cjs file."
    )]
    NodeScript,
}

fn search(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.len() {
        1 => format!("{} was not found", quoted[0]),
        _ => format!("None of {} was found", quoted.join(", ")),
    }
}
