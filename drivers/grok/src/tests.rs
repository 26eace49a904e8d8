use crate::Grok;
use groupx_driver_sdk::story::{Story, config};
use groupx_driver_sdk::{Driver, Output};
use serde_json::json;

#[test]
fn drv_07_only_its_flags_make_grok_unattended() {
    assert_eq!(
        Grok::launch(&config()).unwrap().args.join(" "),
        "--no-auto-update --permission-mode bypassPermissions --sandbox off --no-plan agent stdio"
    );
}

#[test]
fn grok_is_ready_without_a_mode_and_gives_its_version_in_its_own_place() {
    let mut story = Story::<Grok>::begin(config());
    story.called("initialize");
    story.answers(
        "initialize",
        json!({ "protocolVersion": 1, "agentCapabilities": {}, "_meta": { "agentVersion": "1.0.41" } }),
    );
    story.called("session/new");
    story
        .answers("session/new", json!({ "sessionId": "s1" }))
        .wrote_nothing()
        .told(&["ready s1"]);
    let ready = story.heard().iter().find_map(|output| match output {
        Output::SessionReady(ready) => ready.agent_version.as_deref(),
        _ => None,
    });
    assert_eq!(ready, Some("1.0.41"));
}
