//! The agents that are known by name, each as it was met on the wire.

use crate::agent::{Agent, Mode};

/// Kimi Code, npm `@moonshot-ai/kimi-code`. Python's `kimi-cli` has the same program name, the same
/// arguments and calls itself the same, but offers no `auto`, so it cannot work unattended.
pub const KIMI: Agent = Agent {
    calls_itself: "Kimi Code CLI",
    title: "Kimi Code",
    program: "kimi",
    places: &["~/.local/bin/kimi", "~/.npm-global/bin/kimi"],
    // Without `acp` the last Python release downloads and runs an installer.
    version_args: &[],
    install_hint: "npm i -g @moonshot-ai/kimi-code (Node 22.19 or newer)",
    args: &["acp"],
    mode: Mode::Must("auto"),
    without_mode: "this is the Python Kimi CLI, which cannot work unattended: install Kimi Code instead (npm i -g @moonshot-ai/kimi-code)",
    login: "Run `kimi login`.",
    on_silence: "as it does when its model refuses a request",
    shows_input_as_content: true,
    ..Agent::UNKNOWN
};

/// Nous Research's Hermes Agent, PyPI `hermes-agent[acp,mcp]`.
pub const HERMES: Agent = Agent {
    calls_itself: "hermes-agent",
    title: "Hermes",
    program: "hermes",
    places: &["~/.local/bin/hermes", "~/.hermes/bin/hermes"],
    install_hint: "pipx install 'hermes-agent[acp,mcp]'",
    args: &["--yolo", "acp"],
    mode: Mode::Must("dont_ask"),
    without_mode: "this version of Hermes has no mode that asks nobody: update it (hermes update)",
    login: "Run `hermes setup`.",
    usage_is_cumulative: true,
    usage_proves_success: true,
    failure_words: &["HTTP ", "API call failed"],
    stuck: Some("Queued for the next turn."),
    unheard_cancel_sticks: true,
    loads_with_modes: true,
    ..Agent::UNKNOWN
};

/// xAI's Grok CLI, npm `@xai-official/grok`. It gives no `agentInfo` and offers no modes: only its flags
/// make it unattended.
pub const GROK: Agent = Agent {
    title: "Grok",
    program: "grok",
    places: &["~/.grok/bin/grok", "~/.local/bin/grok"],
    install_hint: "npm i -g @xai-official/grok",
    args: &[
        "--no-auto-update",
        "--permission-mode",
        "bypassPermissions",
        "--sandbox",
        "off",
        "--no-plan",
        "agent",
        "stdio",
    ],
    login: "Run `grok login`.",
    tools_sign: Some("_x.ai/mcp_initialized"),
    vendor_news: Some("_x.ai/session_notification"),
    ..Agent::UNKNOWN
};

/// Google's Gemini CLI. It refuses `yolo` in a folder that is not trusted.
pub const GEMINI: Agent = Agent {
    calls_itself: "gemini-cli",
    title: "Gemini CLI",
    program: "gemini",
    install_hint: "npm i -g @google/gemini-cli",
    args: &["--acp"],
    mode: Mode::Prefer(&["yolo"]),
    login: "Run `gemini` once and sign in.",
    ..Agent::UNKNOWN
};

/// OpenCode. Its modes are config options, and none of them needs to be set.
pub const OPENCODE: Agent = Agent {
    calls_itself: "OpenCode",
    title: "OpenCode",
    program: "opencode",
    places: &["~/.opencode/bin/opencode"],
    install_hint: "npm i -g opencode-ai",
    args: &["acp"],
    login: "Run `opencode auth login`.",
    ..Agent::UNKNOWN
};

/// Alibaba's Qwen Code.
pub const QWEN: Agent = Agent {
    calls_itself: "qwen-code",
    title: "Qwen Code",
    program: "qwen",
    install_hint: "npm i -g @qwen-code/qwen-code",
    args: &["--acp"],
    mode: Mode::Prefer(&["yolo"]),
    login: "Run `qwen` once and sign in.",
    ..Agent::UNKNOWN
};

/// Mistral's Vibe, whose ACP form is a program of its own.
pub const VIBE: Agent = Agent {
    calls_itself: "@mistralai/mistral-vibe",
    title: "Vibe",
    program: "vibe-acp",
    places: &["~/.local/bin/vibe-acp"],
    install_hint: "pipx install mistral-vibe",
    mode: Mode::Prefer(&["auto-approve"]),
    login: "Run `vibe --setup`.",
    usage_is_cumulative: true,
    ..Agent::UNKNOWN
};

/// Block's Goose.
pub const GOOSE: Agent = Agent {
    title: "Goose",
    program: "goose",
    places: &["~/.local/bin/goose"],
    install_hint: "https://block.github.io/goose",
    args: &["acp"],
    mode: Mode::Prefer(&["auto"]),
    login: "Run `goose configure`.",
    ..Agent::UNKNOWN
};

/// Augment's Auggie.
pub const AUGGIE: Agent = Agent {
    title: "Auggie",
    program: "auggie",
    install_hint: "npm i -g @augmentcode/auggie",
    args: &["--acp"],
    login: "Run `auggie login`.",
    ..Agent::UNKNOWN
};

/// GitHub's Copilot CLI.
pub const COPILOT: Agent = Agent {
    title: "Copilot CLI",
    program: "copilot",
    install_hint: "npm i -g @github/copilot",
    args: &["--acp"],
    login: "Run `copilot login`.",
    ..Agent::UNKNOWN
};

/// All of them, as the generic driver looks for them.
pub const ALL: [&Agent; 10] = [
    &GEMINI, &OPENCODE, &QWEN, &VIBE, &GOOSE, &AUGGIE, &COPILOT, &KIMI, &HERMES, &GROK,
];
