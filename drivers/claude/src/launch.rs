//! What Claude is and how it is started.

use groupx_driver_sdk::{
    Capabilities, Description, Executable, LaunchFile, LaunchSpec, McpAttachment, Pair,
    SessionConfig,
};
use serde_json::{Map, Value, json};

pub(crate) const CAPABILITIES: Capabilities = Capabilities::all();
/// The one permission mode that asks nothing.
pub(crate) const UNRESTRICTED: &str = "bypassPermissions";

const TOOLS_FILE: &str = "mcp.json";
/// A tool of the room may wait for another agent's turn; Claude's own limit is a minute.
const TOOL_MILLIS: u32 = 600_000;

pub(crate) fn description() -> Description {
    Description {
        id: "claude".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        display_name: "Claude Code".into(),
        native_protocol: "claude stream-json".into(),
        capabilities: CAPABILITIES,
        executables: vec![Executable {
            name: "claude".into(),
            places: [
                "~/.local/bin/claude",
                "~/.claude/local/claude",
                "~/.npm-global/bin/claude",
                "/opt/homebrew/bin/claude",
                "/usr/local/bin/claude",
            ]
            .map(String::from)
            .into(),
            version_args: vec!["--version".into()],
            install_hint: "npm i -g @anthropic-ai/claude-code".into(),
        }],
        unrestricted: "permission mode \"bypassPermissions\"".into(),
    }
}

pub(crate) fn spec(config: &SessionConfig) -> LaunchSpec {
    let mut args: Vec<String> = [
        "--print",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--verbose",
        "--include-partial-messages",
        "--permission-mode",
        UNRESTRICTED,
    ]
    .map(String::from)
    .into();
    let mut files = Vec::new();
    if !config.mcp.is_empty() {
        // A file, because every process of this machine can read another one's arguments.
        args.extend(["--mcp-config".into(), format!("{{files}}/{TOOLS_FILE}")]);
        files.push(LaunchFile {
            name: TOOLS_FILE.into(),
            content: tools(&config.mcp).to_string().into_bytes(),
        });
    }
    args.extend(match &config.resume {
        Some(session) => ["--resume".into(), session.clone()],
        None => ["--session-id".into(), config.new_session_id.clone()],
    });
    LaunchSpec {
        args,
        // What runs in the background ends in a turn that nobody asked for, and so does a schedule.
        env: [
            "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS",
            "CLAUDE_CODE_DISABLE_CRON",
        ]
        .map(|name| Pair {
            name: name.into(),
            value: "1".into(),
        })
        .into(),
        env_remove: Vec::new(),
        files,
    }
}

fn tools(servers: &[McpAttachment]) -> Value {
    let servers: Map<_, _> = servers
        .iter()
        .map(|server| {
            let headers: Map<_, _> = server
                .headers
                .iter()
                .map(|header| (header.name.clone(), json!(header.value)))
                .collect();
            let settings = json!({
                "type": "http",
                "url": server.url,
                "headers": headers,
                "timeout": TOOL_MILLIS,
            });
            (server.name.clone(), settings)
        })
        .collect();
    json!({ "mcpServers": servers })
}
