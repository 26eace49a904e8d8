use crate::Hermes;
use groupx_driver_sdk::Driver;
use groupx_driver_sdk::story::{Story, config};
use serde_json::{Value, json};

fn greeted(info: Value) -> Story<Hermes> {
    let mut story = Story::<Hermes>::begin(config());
    story.called("initialize");
    story.answers(
        "initialize",
        json!({ "protocolVersion": 1, "agentCapabilities": {}, "agentInfo": info }),
    );
    story
}

fn opened(modes: &[&str]) -> Story<Hermes> {
    let mut story = greeted(json!({ "name": "hermes-agent", "version": "0.19.0" }));
    story.called("session/new");
    let modes: Vec<Value> = modes.iter().map(|id| json!({ "id": id })).collect();
    story.answers(
        "session/new",
        json!({ "sessionId": "s1", "modes": { "availableModes": modes } }),
    );
    story
}

#[test]
fn drv_09_hermes_is_started_with_yolo_and_works_in_its_mode_dont_ask() {
    assert_eq!(Hermes::launch(&config()).unwrap().args, ["--yolo", "acp"]);
    let mut story = opened(&["default", "accept_edits", "dont_ask"]);
    assert_eq!(
        story.called("session/set_mode"),
        json!({ "sessionId": "s1", "modeId": "dont_ask" })
    );
    story
        .answers("session/set_mode", json!({}))
        .told(&["ready s1"]);
}

#[test]
fn drv_09_a_mode_that_hermes_would_silently_ignore_is_not_asked_for() {
    opened(&["default"])
        .told(&["session failed executable-unsupported: this version of Hermes has no mode that asks nobody: update it (hermes update)"])
        .wrote_nothing();
}

#[test]
fn another_program_of_the_same_name_is_refused() {
    for (info, name) in [
        (json!({ "name": "hermes" }), "hermes"),
        (json!(null), "nothing"),
    ] {
        greeted(info).told(&[&format!(
            "session failed executable-unsupported: this program is not Hermes: it calls itself {name:?}"
        )]);
    }
}
