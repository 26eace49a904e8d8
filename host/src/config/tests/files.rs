//! Whole files: what they become, and who the runtime is that runs them.

use std::path::PathBuf;
use std::time::Duration;

use super::*;
use crate::config::{CommandConfig, Durability, Language};

const LEGACY: &str = include_str!("../fixtures/groupx-0.1.16.json");

#[test]
fn life_06_a_file_of_the_first_edition_loads_and_its_generated_defaults_are_raised() {
    let config = parse(LEGACY).unwrap();
    let ids: Vec<_> = config
        .agents
        .iter()
        .map(|agent| agent.id.as_str())
        .collect();
    assert_eq!(
        ids,
        ["kimi", "codex", "second.claude"],
        "the order is the file's"
    );
    let names: Vec<_> = config
        .agents
        .iter()
        .map(|agent| agent.display_name())
        .collect();
    assert_eq!(names, ["Kimi", "Codex", "second.claude"]);
    assert_eq!(config.enabled_agents().count(), 2);
    assert_eq!(
        config.agents[1].identity.as_deref(),
        Some("Reviews what others write.")
    );
    assert_eq!(config.agents[2].cwd, PathBuf::from("/other"));
    assert_eq!(
        config.agents[2].command,
        CommandConfig {
            executable: "node".into(),
            prefix_args: vec!["./tools/cli.js".into()]
        }
    );
    assert!(
        config
            .assistant
            .as_ref()
            .is_some_and(|assistant| assistant.enabled)
    );
    let ours = parse("{}").unwrap();
    assert_eq!(config.limits, ours.limits);
    assert_eq!(config.timeouts, ours.timeouts);
}

#[test]
fn an_empty_file_means_the_defaults() {
    let config = parse("\u{feff}{}").unwrap();
    assert_eq!(config.port, 4310);
    assert_eq!(
        config.storage.path,
        PathBuf::from("/room/.groupx/groupx.db")
    );
    assert_eq!(config.storage.durability, Durability::Full);
    let ids: Vec<_> = config
        .agents
        .iter()
        .map(|agent| agent.id.as_str())
        .collect();
    assert_eq!(ids, ["codex", "grok", "kimi"]);
    assert!(
        config
            .agents
            .iter()
            .all(|agent| agent.cwd == Path::new("/room") && agent.enabled)
    );
    assert_eq!(
        (config.assistant, config.drivers_dir, config.ui_language),
        (None, None, None)
    );
    assert_eq!(config.limits.message_characters, 131_072);
    assert_eq!(config.limits.context_characters, 256_000);
    assert_eq!(config.limits.root_turns, 48);
    assert_eq!(config.timeouts.handshake, Duration::from_secs(60));
    assert_eq!(config.timeouts.idle, Duration::from_secs(300));
}

#[test]
fn a_number_that_is_no_old_default_stays_as_it_is() {
    let config = parse(r#"{"limits":{"rootTurns":23.0},"timeouts":{"handshakeMs":15001}}"#);
    let config = config.unwrap();
    assert_eq!(config.limits.root_turns, 23);
    assert_eq!(config.timeouts.handshake, Duration::from_millis(15_001));
}

#[test]
fn the_new_keys_are_read_and_paths_start_at_the_file_or_at_home() {
    let config = parse(
        r#"{
            "$schema": "./groupx.schema.json",
            "storage": {"path": "../data/./room.db", "durability": "normal"},
            "drivers": {"dir": "~/drivers"},
            "ui": {"language": "zh"},
            "agents": {"bot": {"driver": "my-bot", "command": "bot", "cwd": "~/work/..", "identity": ""}}
        }"#,
    )
    .unwrap();
    assert_eq!(config.storage.path, PathBuf::from("/data/room.db"));
    assert_eq!(config.storage.durability, Durability::Normal);
    assert_eq!(config.drivers_dir, Some("/home/ada/drivers".into()));
    assert_eq!(config.ui_language, Some(Language::Chinese));
    assert_eq!(config.agents[0].cwd, PathBuf::from("/home/ada"));
    assert_eq!(config.agents[0].identity, None);
    assert_eq!(config.agents[0].driver, "my-bot");
}

#[test]
fn the_keys_of_a_runtime_follow_its_path_and_what_the_file_means() {
    let at = |text: &str, path: &str| Config::parse(text, path.into(), None).unwrap().identity();
    let one = at("{}", "/room/groupx.json");
    assert_eq!(one.runtime_key.len(), 64);
    assert_eq!(one.runtime_scope_key.len(), 64);

    let spelled_out = at(r#"{ "server": {"port": 4310} }"#, "/room/groupx.json");
    assert_eq!(
        one, spelled_out,
        "a default that is written down changes nothing"
    );

    let edited = at(r#"{"server":{"port":4311}}"#, "/room/groupx.json");
    assert_eq!(one.runtime_scope_key, edited.runtime_scope_key);
    assert_ne!(one.runtime_key, edited.runtime_key);

    let elsewhere = at("{}", "/other/groupx.json");
    assert_ne!(one.runtime_scope_key, elsewhere.runtime_scope_key);
    assert_ne!(one.runtime_key, elsewhere.runtime_key);
}

#[test]
fn the_same_file_by_another_name_is_the_same_runtime() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("groupx.json");
    std::fs::write(&file, LEGACY).unwrap();
    let link = folder.path().join("link.json");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let identities = [file, link].map(|path| Config::load(&path).unwrap().identity());
    assert_eq!(identities[0], identities[1]);
}

#[test]
fn a_demo_room_is_a_room_like_any_other() {
    let program = Path::new("/opt/group x/\"groupx\"");
    let config = Config::demo(Path::new("/tmp/demo"), program, 40_000).unwrap();
    assert_eq!(config.port, 40_000);
    assert_eq!(
        config.storage.path,
        PathBuf::from("/tmp/demo/.groupx/groupx.db")
    );
    let names: Vec<_> = config
        .agents
        .iter()
        .map(|agent| agent.display_name())
        .collect();
    assert_eq!(names, ["Ada", "Grace"]);
    for agent in &config.agents {
        assert_eq!(agent.driver, "demo");
        assert_eq!(
            agent.command,
            CommandConfig::bare(program.to_str().unwrap())
        );
        assert_eq!(agent.cwd, PathBuf::from("/tmp/demo"));
    }
}
