use super::*;

fn resuming() -> SessionConfig {
    SessionConfig {
        resume: Some("s0".into()),
        ..config()
    }
}

/// A session in which `session/load` of `s0` is in flight, after it was looked at.
fn loading(agent: Value) -> Story<Driver> {
    let mut story = greeted(resuming(), agent);
    assert_eq!(
        story.called("session/load"),
        json!({ "sessionId": "s0", "cwd": "/room", "mcpServers": [] })
    );
    story
}

fn replays(story: &mut Story<Driver>, session: &str, kind: &str) {
    let update =
        json!({ "sessionUpdate": kind, "content": { "type": "text", "text": "old words" } });
    story.says(
        "session/update",
        json!({ "sessionId": session, "update": update }),
    );
}

#[test]
fn a_loaded_session_keeps_its_replayed_history_to_itself() {
    let mut story = loading(json!({}));
    for kind in [
        "user_message_chunk",
        "agent_thought_chunk",
        "agent_message_chunk",
    ] {
        replays(&mut story, "s0", kind);
    }
    story
        .answers("session/load", json!(null))
        .told(&["ready s0, resumed"]);
    // Some of it may come after the answer.
    replays(&mut story, "s0", "agent_message_chunk");
    story.told(&[]).wrote_nothing();
    assert!(story.armed().is_empty());
}

#[test]
fn drv_09_the_mode_is_set_again_after_a_load() {
    let mut story = loading(json!({ "agentInfo": { "name": "hermes-agent" } }));
    replays(&mut story, "s0", "user_message_chunk");
    story.answers("session/load", offering(&["default", "dont_ask"]));
    assert_eq!(
        story.called("session/set_mode"),
        json!({ "sessionId": "s0", "modeId": "dont_ask" })
    );
    story
        .answers("session/set_mode", json!({}))
        .told(&["ready s0, resumed"]);
}

fn lost(story: &mut Story<Driver>, why: &str) {
    opens(story, json!({}));
    story.told(&[&format!("ready s1, lost: {why}")]);
}

#[test]
fn w22_a_load_without_history_has_lost_the_session() {
    let mut story = loading(json!({}));
    story.updates(
        "available_commands_update",
        json!({ "availableCommands": [] }),
    );
    replays(&mut story, "another", "user_message_chunk");
    story.answers("session/load", json!({}));
    lost(&mut story, "the agent no longer has its old session");
}

#[test]
fn w22_a_load_that_is_refused_has_lost_the_session() {
    let mut story = loading(json!({}));
    story.refuses("session/load", -32602, "Unknown sessionId: s0");
    lost(
        &mut story,
        "the agent could not load its old session (Unknown sessionId: s0)",
    );
}

#[test]
fn w22_a_load_that_is_never_answered_is_given_up() {
    let mut story = loading(json!({}));
    story.fires("load");
    story.called("session/new");
    story
        .answers("session/load", json!({}))
        .wrote_nothing()
        .answers("session/new", json!({ "sessionId": "s1" }))
        .told(&["ready s1, lost: the agent did not answer when it was asked for its old session"]);
}

#[test]
fn w22_hermes_shows_by_its_modes_whether_a_session_is_one() {
    let mut story = loading(json!({ "agentInfo": { "name": "hermes-agent" } }));
    replays(&mut story, "s0", "user_message_chunk");
    story.answers("session/load", json!({}));
    opens(&mut story, offering(&["default", "dont_ask"]));
    story.called("session/set_mode");
    story
        .answers("session/set_mode", json!({}))
        .told(&["ready s1, lost: Hermes no longer has its old session"]);
}

#[test]
fn an_agent_that_cannot_load_is_not_asked_to() {
    let mut story = greeted(resuming(), json!({ "agentCapabilities": {} }));
    lost(&mut story, "the agent cannot take up an old session");
}
