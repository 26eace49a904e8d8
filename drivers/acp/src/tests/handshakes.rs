use super::*;
use groupx_driver_sdk::{ExitStatus, Input, Output};

#[test]
fn a_session_begins_with_initialize_and_new() {
    let mut story = Story::<Driver>::begin(with_tools());
    assert_eq!(
        story.called("initialize"),
        json!({
            "protocolVersion": 1,
            "clientCapabilities": {},
            "clientInfo": { "name": "groupx", "title": "GroupX", "version": "0.2.0" },
        })
    );
    // No mcpCapabilities: the servers are passed all the same.
    story.answers(
        "initialize",
        json!({ "protocolVersion": 1, "agentCapabilities": {} }),
    );
    let server = json!({
        "type": "http",
        "name": "groupx",
        "url": "http://127.0.0.1:4310/mcp",
        "headers": [{ "name": "X-GroupX-Binding", "value": "secret" }],
    });
    assert_eq!(
        story.called("session/new"),
        json!({ "cwd": "/room", "mcpServers": [server] })
    );
    story
        .answers("session/new", json!({ "sessionId": "s1" }))
        .told(&["ready s1"])
        .wrote_nothing()
        .holds(false);
}

#[test]
fn what_the_agent_says_of_itself_is_told() {
    let info = json!({ "name": "x", "title": "Agent X", "version": "7" });
    let mut story = greeted(
        config(),
        json!({ "agentInfo": info, "agentCapabilities": {} }),
    );
    opens(&mut story, json!({ "models": { "currentModelId": "big" } }));
    let Some(Output::SessionReady(ready)) = story.heard().last() else {
        panic!("not ready");
    };
    assert_eq!(ready.agent_name.as_deref(), Some("Agent X"));
    assert_eq!(ready.agent_version.as_deref(), Some("7"));
    assert_eq!(ready.model.as_deref(), Some("big"));
    assert!(
        !ready
            .capabilities
            .contains(groupx_driver_sdk::Capabilities::RESUME)
    );
}

#[test]
fn updates_before_the_session_has_a_name_are_not_its_answer() {
    let mut story = greeted(config(), json!({}));
    story.updates("usage_update", json!({ "used": 1, "size": 2 }));
    opens(&mut story, json!({}));
    story.told(&["ready s1"]);
}

#[test]
fn another_version_of_the_protocol_is_refused() {
    let mut story = greeted(config(), json!({ "protocolVersion": 2 }));
    story
        .told(&["session failed executable-unsupported: the agent speaks version 2 of the Agent Client Protocol, and only version 1 is known here"])
        .wrote_nothing();
}

#[test]
fn a_session_without_an_id_is_none() {
    let mut story = greeted(config(), json!({}));
    story.called("session/new");
    story
        .answers("session/new", json!({ "modes": null }))
        .told(&["session failed protocol-error: the agent opened a session without an id"]);
}

#[test]
fn a_demand_for_a_login_says_how() {
    let methods = json!([{ "id": "k", "name": "API key" }, { "id": "oauth" }]);
    let mut story = greeted(config(), json!({ "authMethods": methods }));
    story.called("session/new");
    story
        .refuses("session/new", -32000, "Authentication required")
        .told(&["session failed not-authenticated: the agent could not open a session: Authentication required. Sign in with its own command line. It offers: API key, oauth."]);
}

fn exit(code: i32) -> Input {
    Input::ProcessExited(ExitStatus {
        code: Some(code),
        signal: None,
        expected: false,
    })
}

#[test]
fn a_program_that_never_speaks_the_protocol_is_told_apart_from_one_that_fails() {
    let mut story = Story::<Driver>::begin(config());
    story.prints("usage: agent [options]").input(exit(2)).told(&[
        "session failed executable-unsupported: the agent ended with exit code 2 before it said anything; it does not speak the Agent Client Protocol when it is started like this, its last words: usage: agent [options]",
    ]);
    let mut story = Story::<Driver>::begin(config());
    story.complains("ImportError: no module x").input(exit(1)).told(&[
        "session failed process-exited: the agent ended with exit code 1, its last words: ImportError: no module x",
    ]);
    let mut story = Story::<Driver>::begin(config());
    story.complains("Please log in first").input(exit(1)).told(&[
        "session failed not-authenticated: the agent is not logged in: Please log in first. Sign in with its own command line.",
    ]);
}

#[test]
fn what_agents_log_while_they_work_is_no_evidence() {
    let mut story = running();
    story
        .complains("ERROR in: why does it say not logged in?")
        .complains("}")
        .complains("12:00 INFO next")
        .input(exit(1))
        .told(&["t1 failed process-exited: the agent ended with exit code 1, its last words: ERROR in: why does it say not logged in?"]);
}
