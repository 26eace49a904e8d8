//! From the text of the file to a [`Config`]: key by key, all mistakes at once.

use std::path::{Path, PathBuf};

use super::agent::{AgentConfig, AssistantConfig, BUILT_IN, BrainConfig, CommandConfig};
use super::choice::Durability;
use super::document::Node;
use super::key::Shape;
use super::keys;
use super::paths::absolute;
use super::problem::{ConfigError, Kind, Reason};
use super::section::Section;
use super::{Config, Limits, StorageConfig, Timeouts};
use crate::protocol::AgentId;

/// Agents of a file that names none.
const DEFAULT_AGENTS: [&str; 3] = ["codex", "grok", "kimi"];

/// Where relative paths start, and what `~/` is.
struct Places<'a> {
    folder: &'a Path,
    home: Option<&'a Path>,
}

impl Places<'_> {
    fn absolute(&self, text: &str) -> PathBuf {
        absolute(text, self.folder, self.home)
    }
}

pub(super) fn config(
    text: &str,
    path: PathBuf,
    home: Option<&Path>,
) -> Result<Config, ConfigError> {
    // Editors on Windows put a byte order mark there.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document: Node = serde_json::from_str(text).map_err(|error| ConfigError::Syntax {
        path: path.clone(),
        reason: error.to_string(),
    })?;
    let mut problems = vec![];
    let mut root = Section::open(String::new(), Some(&document), keys::ROOT.0, &mut problems);
    let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
    let places = Places {
        folder: &folder,
        home,
    };

    transport(&mut root);
    root.text(&keys::SCHEMA);
    let mut server = root.group(&keys::SERVER);
    server.choice(&keys::HOST);
    let port = server.whole(&keys::PORT);
    let config = Config {
        // The bounds of the key are those of the type.
        port: u16::try_from(port).unwrap_or(u16::MAX),
        storage: storage(&mut root.group(&keys::STORAGE), &places),
        agents: agents(&mut root, &places),
        assistant: assistant(&mut root, &places),
        limits: Limits::read(&mut root.group(&keys::LIMITS)),
        timeouts: Timeouts::read(&mut root.group(&keys::TIMEOUTS)),
        drivers_dir: root
            .group(&keys::DRIVERS)
            .text(&keys::DRIVERS_DIR)
            .map(|dir| places.absolute(dir)),
        ui_language: root.group(&keys::UI).choice(&keys::LANGUAGE),
        path: path.clone(),
    };
    if problems.is_empty() {
        Ok(config)
    } else {
        Err(ConfigError::Invalid { path, problems })
    }
}

fn transport(root: &mut Section<'_>) {
    match root.value(keys::TRANSPORT.name) {
        Some(Node::Text(word)) if word == "direct" => {
            root.note(keys::TRANSPORT.name, Reason::DirectTransport);
        }
        _ => {
            root.choice(&keys::TRANSPORT);
        }
    }
}

fn storage(section: &mut Section<'_>, places: &Places<'_>) -> StorageConfig {
    StorageConfig {
        path: places.absolute(section.text(&keys::STORAGE_PATH).unwrap_or_default()),
        durability: section
            .choice(&keys::DURABILITY)
            .unwrap_or(Durability::Full),
    }
}

fn agents(root: &mut Section<'_>, places: &Places<'_>) -> Vec<AgentConfig> {
    match root.value(keys::AGENTS.name) {
        None => {
            return DEFAULT_AGENTS
                .iter()
                .map(|id| default_agent(id, places))
                .collect();
        }
        Some(Node::Object(entries)) if entries.is_empty() => {
            root.note(keys::AGENTS.name, Reason::NoAgents);
        }
        Some(_) => {}
    }
    let mut members = root.members(&keys::AGENTS);
    let mut agents = vec![];
    for key in members.keys() {
        match AgentId::parse(key) {
            Ok(id) => {
                let mut section = members.member(key, keys::AGENTS.shape.inside());
                agents.push(agent(id, &mut section, places));
            }
            Err(why) => members.note(key, Reason::AgentId(why)),
        }
    }
    agents
}

fn default_agent(id: &str, places: &Places<'_>) -> AgentConfig {
    AgentConfig {
        id: AgentId::trusted(id),
        driver: id.into(),
        name: None,
        identity: None,
        command: CommandConfig::bare(id),
        cwd: places.absolute("."),
        enabled: true,
    }
}

fn agent(id: AgentId, section: &mut Section<'_>, places: &Places<'_>) -> AgentConfig {
    let names_its_driver = BUILT_IN.iter().any(|(key, _)| *key == id.as_str());
    let driver = match section.text(&keys::DRIVER) {
        Some(driver) => {
            check_driver(driver, section);
            driver.to_owned()
        }
        None => {
            if !names_its_driver
                && section.is_object()
                && section.value(keys::DRIVER.name).is_none()
            {
                section.note(keys::DRIVER.name, Reason::DriverNeeded);
            }
            id.as_str().to_owned()
        }
    };
    AgentConfig {
        driver,
        name: section.text(&keys::AGENT_NAME).map(str::to_owned),
        identity: told(section.text(&keys::AGENT_IDENTITY)),
        command: command(section),
        cwd: places.absolute(section.required(&keys::CWD)),
        enabled: section.flag(&keys::ENABLED),
        id,
    }
}

/// An empty text tells nothing and is as good as none.
fn told(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
        .map(str::to_owned)
}

fn check_driver(driver: &str, section: &mut Section<'_>) {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    // Blank and too long were noted when the text was read.
    if !driver.trim().is_empty() && driver.len() <= 32 && !driver.bytes().all(fits) {
        section.note(keys::DRIVER.name, Reason::DriverId);
    }
}

fn command(section: &mut Section<'_>) -> CommandConfig {
    let name = keys::COMMAND.name;
    match section.value(name) {
        Some(Node::Text(text)) if text.trim().is_empty() => section.note(name, Reason::Blank),
        Some(Node::Text(text)) => return CommandConfig::bare(text),
        Some(Node::Object(_)) => {
            let mut inside = section.group(&keys::COMMAND);
            return CommandConfig {
                executable: inside.required(&keys::EXECUTABLE).to_owned(),
                prefix_args: inside.texts(&keys::PREFIX_ARGS),
            };
        }
        Some(_) => section.note(name, Reason::Kind(Kind::Command)),
        None => section.missing(name),
    }
    CommandConfig::bare("")
}

fn assistant(root: &mut Section<'_>, places: &Places<'_>) -> Option<AssistantConfig> {
    root.value(keys::ASSISTANT.name)?;
    let mut section = root.group(&keys::ASSISTANT);
    let enabled = section.flag(&keys::ASSISTANT_ENABLED);
    let name = section
        .text(&keys::ASSISTANT_NAME)
        .unwrap_or_default()
        .to_owned();
    let extra_instructions = told(section.text(&keys::EXTRA_INSTRUCTIONS));
    if section.value(keys::BRAIN.name).is_none() {
        section.missing(keys::BRAIN.name);
        return None;
    }
    let mut brain = section.group(&keys::BRAIN);
    let driver = brain.required(&keys::BRAIN_DRIVER);
    check_driver(driver, &mut brain);
    let brain = BrainConfig {
        driver: driver.to_owned(),
        command: command(&mut brain),
        cwd: places.absolute(brain.required(&keys::CWD)),
    };
    Some(AssistantConfig {
        enabled,
        name,
        brain,
        extra_instructions,
    })
}
