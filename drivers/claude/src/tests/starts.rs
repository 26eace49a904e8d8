use super::*;
use groupx_driver_sdk::{Driver, McpAttachment, Pair, SessionConfig};

fn with_tools() -> SessionConfig {
    SessionConfig {
        mcp: vec![McpAttachment {
            name: "groupx".into(),
            url: "http://127.0.0.1:1/mcp".into(),
            headers: vec![Pair {
                name: "X-GroupX-Binding".into(),
                value: "secret".into(),
            }],
        }],
        ..config()
    }
}

#[test]
fn a_new_session_has_the_id_that_the_host_chose() {
    let spec = Claude::launch(&config()).unwrap();
    assert_eq!(
        spec.args.join(" "),
        format!(
            "--print --input-format stream-json --output-format stream-json --verbose \
             --include-partial-messages --permission-mode bypassPermissions --session-id {SESSION}"
        )
    );
    assert!(spec.files.is_empty());
}

#[test]
fn a_session_is_resumed_by_its_own_id() {
    let resume = Some("native".to_owned());
    let spec = Claude::launch(&SessionConfig { resume, ..config() }).unwrap();
    assert!(spec.args.ends_with(&["--resume".into(), "native".into()]));
    assert!(!spec.args.contains(&"--session-id".to_owned()));
}

#[test]
fn the_tools_secret_stands_in_a_private_file_and_in_no_argument() {
    let spec = Claude::launch(&with_tools()).unwrap();
    let place = spec.args.iter().position(|arg| arg == "--mcp-config");
    assert_eq!(spec.args[place.unwrap() + 1], "{files}/mcp.json");
    assert!(!spec.args.iter().any(|arg| arg.contains("secret")));
    let [file] = &spec.files[..] else {
        panic!("one file: {:?}", spec.files);
    };
    assert_eq!(file.name, "mcp.json");
    let written: Value = serde_json::from_slice(&file.content).unwrap();
    assert_eq!(
        written["mcpServers"]["groupx"],
        json!({
            "type": "http",
            "url": "http://127.0.0.1:1/mcp",
            "headers": { "X-GroupX-Binding": "secret" },
            "timeout": 600_000,
        })
    );
}

#[test]
fn claude_is_kept_from_turns_of_its_own_and_nothing_is_said_about_root() {
    let names: Vec<_> = Claude::launch(&config())
        .unwrap()
        .env
        .into_iter()
        .map(|pair| pair.name)
        .collect();
    assert_eq!(
        names,
        [
            "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS",
            "CLAUDE_CODE_DISABLE_CRON"
        ]
    );
}

/// A session with tools, up to the first look at them (request 3).
fn looking() -> Story<Claude> {
    let mut story = greeted(Story::begin(with_tools()));
    story
        .wrote_json(asked(3, json!({ "subtype": "mcp_status" })))
        .told(&[]);
    story
}

fn servers(status: &str) -> Value {
    json!({ "mcpServers": [
        { "name": "the user's own", "status": "pending" },
        { "name": "groupx", "status": status, "error": "refused" },
    ] })
}

#[test]
fn the_session_is_ready_when_its_tools_are_there() {
    let mut story = looking();
    answers(&mut story, 3, servers("pending"));
    story
        .told(&[])
        .fires("tools")
        .wrote_json(asked(4, json!({ "subtype": "mcp_status" })));
    answers(&mut story, 4, servers("connected"));
    story
        .told(&[&format!("ready {SESSION}")])
        .noted(&[])
        .wrote_nothing();
    assert!(story.armed().is_empty());
}

#[test]
fn tools_that_failed_are_noted_and_the_session_goes_on_without_them() {
    let mut story = looking();
    answers(&mut story, 3, servers("failed"));
    story
        .told(&[&format!("ready {SESSION}")])
        .noted(&["mcp-failed"]);
    let mut story = looking();
    refuses(
        &mut story,
        3,
        "Unsupported control request subtype: mcp_status",
    );
    story
        .told(&[&format!("ready {SESSION}")])
        .noted(&["mcp-unknown"]);
}

#[test]
fn tools_that_stay_pending_are_not_waited_for_without_end() {
    let mut story = looking();
    let mut looks = 1;
    loop {
        answers(&mut story, 2 + looks, servers("pending"));
        if story.armed().is_empty() {
            break;
        }
        story.fires("tools");
        looks += 1;
    }
    assert_eq!(looks, 160);
    story
        .told(&[&format!("ready {SESSION}")])
        .noted(&["mcp-failed"]);
}

#[test]
fn tools_that_are_lost_later_are_noted_in_the_turn() {
    let mut story = looking();
    answers(&mut story, 3, servers("connected"));
    story.skip();
    let mut init = init();
    init["mcp_servers"] = servers("failed")["mcpServers"].clone();
    story
        .prompt("t1", "hello")
        .prints(init.to_string())
        .noted(&["mcp-failed"]);
}
