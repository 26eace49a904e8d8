//! What Codex is and how it is started.

use groupx_driver_sdk::{Capabilities, Description, Executable, LaunchSpec};

pub(crate) const CAPABILITIES: Capabilities = Capabilities::all();

pub(crate) fn description() -> Description {
    Description {
        id: "codex".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        display_name: "Codex".into(),
        native_protocol: "codex app-server v2".into(),
        capabilities: CAPABILITIES,
        executables: vec![Executable {
            name: "codex".into(),
            places: [
                "~/.local/bin/codex",
                "~/.npm-global/bin/codex",
                "/opt/homebrew/bin/codex",
                "/usr/local/bin/codex",
            ]
            .map(String::from)
            .into(),
            version_args: vec!["--version".into()],
            install_hint: "npm i -g @openai/codex".into(),
        }],
        unrestricted: "approval policy \"never\", sandbox \"danger-full-access\"".into(),
    }
}

pub(crate) fn spec() -> LaunchSpec {
    LaunchSpec {
        // Both flags belong to the root command. A goal would make Codex begin turns by itself, without end.
        args: [
            "--dangerously-bypass-hook-trust",
            "--disable",
            "goals",
            "app-server",
            "--listen",
            "stdio://",
        ]
        .map(String::from)
        .into(),
        env: Vec::new(),
        env_remove: Vec::new(),
        files: Vec::new(),
    }
}
