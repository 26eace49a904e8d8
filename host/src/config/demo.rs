//! The room that needs no CLI: two agents of the `demo` driver, whose process is GroupX itself.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Config, ConfigError, DEFAULT_FILE};

impl Config {
    /// The text of a `groupx.json` for a demo room on this port. `program` is the running
    /// executable: the driver asks it for `demo-agent`.
    pub fn demo_text(program: &Path, port: u16) -> String {
        let agent = |name: &str, identity: &str| {
            json!({
                "driver": "demo",
                "name": name,
                "identity": identity,
                "command": program.to_string_lossy(),
                "cwd": ".",
            })
        };
        let document = json!({
            "server": { "port": port },
            "agents": {
                "ada": agent("Ada", "You think first and answer in full sentences."),
                "grace": agent("Grace", "You are brief and reach for your tools."),
            },
        });
        format!("{document:#}\n")
    }

    /// A demo room in `folder`, as if [`Config::demo_text`] lay there.
    ///
    /// # Errors
    /// When the path of `program` is no path that a configuration can hold.
    pub fn demo(folder: &Path, program: &Path, port: u16) -> Result<Self, ConfigError> {
        let path: PathBuf = folder.join(DEFAULT_FILE);
        Self::parse(&Self::demo_text(program, port), path, None)
    }
}
