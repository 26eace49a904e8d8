use crate::AnyAgent;
use groupx_driver_sdk::story::config;
use groupx_driver_sdk::{Driver, SessionConfig};

fn args(executable: &str) -> String {
    let config = SessionConfig {
        executable: executable.into(),
        ..config()
    };
    AnyAgent::launch(&config).unwrap().args.join(" ")
}

#[test]
fn drv_07_a_known_program_gets_the_arguments_that_make_it_speak_the_protocol() {
    for (program, expected) in [
        ("/usr/bin/gemini", "--acp"),
        ("/usr/bin/qwen", "--acp"),
        ("/usr/bin/opencode", "acp"),
        ("/usr/bin/goose", "acp"),
        ("/usr/bin/vibe-acp", ""),
        ("/usr/bin/hermes", "--yolo acp"),
        (r"C:\npm\gemini.cmd", "--acp"),
    ] {
        assert_eq!(args(program), expected, "{program}");
    }
}

#[test]
fn drv_07_an_unknown_program_is_started_without_arguments() {
    assert_eq!(args("/opt/my-agent"), "");
}

#[test]
fn setup_can_look_for_every_agent_that_is_known() {
    let description = AnyAgent::describe();
    let names: Vec<_> = description
        .executables
        .iter()
        .map(|executable| executable.name.as_str())
        .collect();
    assert!(
        names.contains(&"gemini") && names.contains(&"opencode"),
        "{names:?}"
    );
    assert!(
        description
            .executables
            .iter()
            .all(|executable| !executable.install_hint.is_empty())
    );
}
