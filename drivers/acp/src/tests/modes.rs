use super::*;

fn modes_of(name: &str, offered: &[&str]) -> Story<Driver> {
    let mut story = greeted(config(), json!({ "agentInfo": { "name": name } }));
    opens(&mut story, offering(offered));
    story
}

#[test]
fn drv_09_no_prompt_is_taken_before_the_mode_is_answered() {
    let mut story = modes_of("other", &["ask", "yolo"]);
    assert_eq!(story.called("session/set_mode")["modeId"], "yolo");
    story
        .updates("current_mode_update", json!({ "currentModeId": "yolo" }))
        .updates("agent_message_chunk", block("[MODE_UPDATE] yolo"))
        .told(&[])
        .answers("session/set_mode", json!({}))
        .told(&["ready s1"]);
}

#[test]
fn drv_09_a_refused_mode_that_must_be_ends_the_session() {
    let mut story = modes_of("hermes-agent", &["default", "dont_ask"]);
    story.called("session/set_mode");
    story
        .refuses("session/set_mode", -32603, "no")
        .told(&["session failed internal: Hermes refused the mode in which it asks nobody: no"]);
}

#[test]
fn int_02_only_a_refusal_that_names_a_policy_is_one() {
    let mut story = modes_of("gemini-cli", &["default", "yolo"]);
    story.called("session/set_mode");
    let gemini = "Cannot enable privileged approval modes in an untrusted folder.";
    story
        .refuses("session/set_mode", -32603, gemini)
        .told(&[&format!(
            "session failed policy-blocked: Gemini CLI refused the mode in which it asks nobody: {gemini}"
        )]);
}

#[test]
fn w23_a_refused_mode_that_is_only_preferred_is_noted() {
    let mut story = modes_of("other", &["ask", "yolo"]);
    story.called("session/set_mode");
    story
        .refuses("session/set_mode", -32603, "not now")
        .told(&["ready s1"])
        .noted(&["mode-refused"]);
}

#[test]
fn a_mode_that_is_a_config_option_is_set_as_one_or_by_its_old_name() {
    let mut story = greeted(config(), json!({}));
    let options = json!([{ "value": "ask" }, { "value": "yolo" }]);
    let option =
        json!({ "id": "m", "category": "mode", "currentValue": "ask", "options": options });
    opens(&mut story, json!({ "configOptions": [option] }));
    assert_eq!(
        story.called("session/set_config_option"),
        json!({ "sessionId": "s1", "configId": "m", "value": "yolo" })
    );
    story.refuses("session/set_config_option", -32601, "Method not found");
    assert_eq!(
        story.called("session/set_mode"),
        json!({ "sessionId": "s1", "modeId": "yolo" })
    );
    story
        .answers("session/set_mode", json!(null))
        .told(&["ready s1"]);
}

#[test]
fn no_mode_that_is_known_leaves_it_to_the_arguments() {
    modes_of("OpenCode", &["build", "plan"])
        .wrote_nothing()
        .told(&["ready s1"]);
}
