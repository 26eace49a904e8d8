//! Real CLIs, pinned: where each lies, how it gets there once, and the private home in which it knows
//! nobody but the scripted model.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::plan::{Env, tool};

/// One of the CLIs that GroupX has a driver for.
#[derive(Clone, Copy)]
pub(crate) struct RealCli {
    /// What the installer, the driver and the agent are called.
    pub(crate) name: &'static str,
    /// Below the folder of the CLIs.
    command: &'static str,
    /// Where its configuration goes, below its home.
    config: &'static str,
    /// The configuration; `{url}` is the model's address, `{root}` the same without its path.
    text: &'static str,
    /// Variables of its process; `{home}` is its home.
    env: &'static [(&'static str, &'static str)],
}

pub(crate) const CODEX: RealCli = RealCli {
    name: "codex",
    command: "codex/node_modules/.bin/codex",
    config: "config.toml",
    text: r#"model = "mock-model"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "{url}"
wire_api = "responses"
env_key = "MOCK_API_KEY"
request_max_retries = 0
stream_max_retries = 0
"#,
    env: &[("CODEX_HOME", "{home}"), ("MOCK_API_KEY", "any")],
};

pub(crate) const CLAUDE: RealCli = RealCli {
    name: "claude",
    command: "claude/node_modules/.bin/claude",
    config: "settings.json",
    text: r#"{"env":{"ANTHROPIC_BASE_URL":"{root}"}}"#,
    env: &[
        ("HOME", "{home}"),
        ("CLAUDE_CONFIG_DIR", "{home}"),
        ("ANTHROPIC_API_KEY", "any"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("CLAUDE_CODE_MAX_RETRIES", "1"),
        // Tests may run as root, in a container.
        ("IS_SANDBOX", "1"),
    ],
};

pub(crate) const KIMI: RealCli = RealCli {
    name: "kimi",
    command: "kimi/kimi",
    config: ".kimi-code/config.toml",
    text: r#"default_model = "mock"
telemetry = false

[providers.mock]
type = "kimi"
base_url = "{url}"
api_key = "any"

[models.mock]
provider = "mock"
model = "mock-model"
max_context_size = 200000
capabilities = ["thinking", "tool_use"]
"#,
    env: &[("HOME", "{home}"), ("KIMI_CODE_NO_AUTO_UPDATE", "1")],
};

pub(crate) const HERMES: RealCli = RealCli {
    name: "hermes",
    command: "hermes/bin/hermes",
    config: ".hermes/config.yaml",
    text: "model:\n  provider: custom\n  default: mock-model\n  base_url: {url}\n  api_key: any\n  context_length: 200000\n",
    env: &[("HOME", "{home}")],
};

pub(crate) const GROK: RealCli = RealCli {
    name: "grok",
    command: "grok/node_modules/.bin/grok",
    config: ".grok/config.toml",
    text: r#"[cli]
auto_update = false

[models]
default = "mock"

[model.mock]
model = "mock-model"
base_url = "{url}"
api_key = "any"
context_window = 200000
name = "Mock"
"#,
    env: &[
        ("HOME", "{home}"),
        ("GROK_TELEMETRY_ENABLED", "0"),
        ("GROK_DISABLE_AUTOUPDATER", "1"),
    ],
};

impl RealCli {
    /// The same with another configuration.
    pub(crate) fn configured(self, text: &'static str) -> Self {
        Self { text, ..self }
    }

    /// The CLI's program. Where it is missing it is installed, by one test at a time, unless
    /// `GROUPX_REQUIRE_CLIS` says that it must be there.
    pub(crate) fn program(&self) -> PathBuf {
        let name = self.name;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../clis");
        std::fs::create_dir_all(&folder).expect("the folder of the CLIs");
        let program = folder.join(self.command);
        let lock = File::create(folder.join(".lock")).expect("the lock of the CLIs");
        lock.lock().expect("the lock of the CLIs");
        if !program.exists() {
            assert!(
                std::env::var_os("GROUPX_REQUIRE_CLIS").is_none(),
                "{name} is not installed: run tests/tools/install-clis"
            );
            let installer = Command::new(tool("install-clis"))
                .arg(&folder)
                .arg(name)
                .status();
            let status = installer.expect("bash runs the installer");
            assert!(
                status.success(),
                "tests/tools/install-clis could not install {name}"
            );
        }
        program
    }

    /// Writes its configuration below `home`, and gives the variables of its process.
    pub(crate) fn settle(&self, home: &Path, model_url: &str) -> Env {
        let config = home.join(self.config);
        let folder = config.parent().expect("a file in a folder");
        std::fs::create_dir_all(folder).expect("the CLI's home");
        let root = model_url.trim_end_matches("/v1");
        let text = self
            .text
            .replace("{url}", model_url)
            .replace("{root}", root);
        std::fs::write(&config, text).expect("its configuration");
        let place = home.display().to_string();
        let variables = self.env.iter();
        variables
            .map(|(name, value)| ((*name).to_owned(), value.replace("{home}", &place)))
            .collect()
    }
}
