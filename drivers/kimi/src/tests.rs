use crate::Kimi;
use groupx_driver_sdk::story::{Story, config};
use groupx_driver_sdk::{Driver, ExitStatus, Input};
use serde_json::{Value, json};

const ADVICE: &str = "this is the Python Kimi CLI, which cannot work unattended: install Kimi Code instead (npm i -g @moonshot-ai/kimi-code)";

fn opened(modes: &[&str]) -> Story<Kimi> {
    let mut story = Story::<Kimi>::begin(config());
    story.called("initialize");
    story.answers(
        "initialize",
        json!({
            "protocolVersion": 1,
            "agentCapabilities": { "loadSession": true },
            "agentInfo": { "name": "Kimi Code CLI", "version": "2.1.0" },
        }),
    );
    story.called("session/new");
    let modes: Vec<Value> = modes.iter().map(|id| json!({ "id": id })).collect();
    story.answers(
        "session/new",
        json!({ "sessionId": "s1", "modes": { "currentModeId": "default", "availableModes": modes } }),
    );
    story
}

#[test]
fn drv_07_kimi_is_never_started_without_acp() {
    let spec = Kimi::launch(&config()).unwrap();
    assert_eq!(spec.args, ["acp"]);
    assert_eq!(Kimi::describe().executables[0].version_args, [""; 0]);
}

#[test]
fn drv_09_kimi_code_works_in_its_mode_auto() {
    let mut story = opened(&["default", "plan", "auto", "yolo"]);
    assert_eq!(
        story.called("session/set_mode"),
        json!({ "sessionId": "s1", "modeId": "auto" })
    );
    story
        .told(&[])
        .answers("session/set_mode", json!({}))
        .told(&["ready s1"]);
}

#[test]
fn python_kimi_is_known_by_its_modes_and_refused_with_advice() {
    opened(&["default"])
        .told(&[&format!("session failed executable-unsupported: {ADVICE}")])
        .wrote_nothing();
}

#[test]
fn the_last_python_kimi_says_one_sentence_and_ends() {
    let mut story = Story::<Kimi>::begin(config());
    story
        .prints("kimi-cli has moved")
        .input(Input::StdoutEof)
        .input(Input::ProcessExited(ExitStatus {
            code: Some(0),
            signal: None,
            expected: false,
        }))
        .told(&[&format!(
            "session failed executable-unsupported: Kimi Code ended with exit code 0 before it said anything; perhaps {ADVICE}, its last words: kimi-cli has moved"
        )]);
}

#[test]
fn the_input_of_a_tool_is_not_shown_as_its_output() {
    let mut story = opened(&["default", "auto"]);
    story.called("session/set_mode");
    story.answers("session/set_mode", json!({})).skip();
    story.prompt("t1", "hello").called("session/prompt");
    let text =
        |text: &str| json!([{ "type": "content", "content": { "type": "text", "text": text } }]);
    for (status, content) in [
        ("pending", ""),
        ("in_progress", "{\"comm"),
        ("in_progress", "{\"command\":\"ls\"}"),
        ("completed", "a.txt"),
    ] {
        let update = json!({
            "sessionUpdate": if status == "pending" { "tool_call" } else { "tool_call_update" },
            "toolCallId": "a", "title": "Bash", "kind": "execute",
            "status": status, "content": text(content),
        });
        story.says(
            "session/update",
            json!({ "sessionId": "s1", "update": update }),
        );
    }
    story.told(&[
        "t1 started -",
        r#"t1 tool a pending Bash [execute] "Bash""#,
        r#"t1 tool a running Bash [execute] "Bash""#,
        r#"t1 tool a completed Bash [execute] "Bash" | "a.txt""#,
    ]);
}
