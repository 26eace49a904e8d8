use super::*;
use groupx_driver_sdk::SessionConfig;

fn resuming() -> Story<Claude> {
    let resume = Some(SESSION.to_owned());
    Story::begin(SessionConfig { resume, ..config() })
}

#[test]
fn initialize_then_the_unrestricted_mode_then_ready() {
    let mut story = ready();
    story.wrote_nothing().noted(&[]).holds(false);
    assert!(story.armed().is_empty());
}

#[test]
fn an_answer_that_tells_the_current_mode_is_no_different() {
    let mut story = Story::<Claude>::begin(config());
    answers(
        &mut story,
        1,
        json!({ "current_permission_mode": "default" }),
    );
    answers(&mut story, 2, json!({}));
    story.told(&[&format!("ready {SESSION}")]);
}

#[test]
fn a_resumed_session_keeps_its_id() {
    greeted(resuming()).told(&[&format!("ready {SESSION}, resumed")]);
}

#[test]
fn a_session_that_is_gone_is_told_by_its_code() {
    let words = format!("No conversation found with session ID: {SESSION}");
    let result = result(json!({
        "subtype": "error_during_execution",
        "is_error": true,
        "terminal_reason": null,
        "result": null,
        "num_turns": 0,
        "errors": [words],
    }));
    resuming()
        .complains(&words)
        .prints(result.to_string())
        .told(&[&format!(
            "session failed resume-not-found: Claude did not begin a session: {words}"
        )])
        .exits(1)
        .told(&[]);
    resuming().complains(&words).exits(1).told(&[
        "session failed resume-not-found: Claude no longer has this session for this folder",
    ]);
}

#[test]
fn int_02_a_policy_that_forbids_the_mode_is_told_as_one() {
    let mut story = Story::<Claude>::begin(config());
    answers(&mut story, 1, json!({}));
    let policy = "Cannot set permission mode to bypassPermissions because it is disabled by settings or configuration";
    refuses(&mut story, 2, policy);
    story.told(&[&format!(
        "session failed policy-blocked: Claude refuses the unrestricted mode: {policy}"
    )]);
}

#[test]
fn int_02_a_refusal_that_names_no_policy_is_not_called_one() {
    let mut story = Story::<Claude>::begin(config());
    answers(&mut story, 1, json!({}));
    refuses(
        &mut story,
        2,
        "because the session was not launched with it",
    );
    story.told(&[
        "session failed internal: Claude refuses the unrestricted mode: because the session was not launched with it",
    ]);
    let mut story = Story::<Claude>::begin(config());
    answers(&mut story, 1, json!({}));
    answers(&mut story, 2, json!({ "mode": "plan" }));
    story.told(&[
        "session failed policy-blocked: Claude works in permission mode \"plan\" although \"bypassPermissions\" was asked",
    ]);
}

#[test]
fn a_handshake_that_is_refused_fails_the_session() {
    let mut story = Story::<Claude>::begin(config());
    refuses(&mut story, 1, "no");
    story.told(&["session failed internal: Claude did not accept the handshake: no"]);
    answers(&mut story, 1, json!({}));
    story.told(&[]);
}

#[test]
fn a_refusal_to_run_as_root_comes_with_advice() {
    Story::<Claude>::begin(config())
        .complains("--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons")
        .exits(1)
        .told(&[
            "session failed policy-blocked: Claude refuses to work without questions as root. Run GroupX as another user; in a container that is a sandbox anyway, set IS_SANDBOX=1 in the environment of GroupX",
        ]);
}

#[test]
fn an_end_before_the_answer_is_explained_by_the_last_words() {
    Story::<Claude>::begin(config())
        .complains("error: unknown option '--include-partial-messages'")
        .exits(1)
        .told(&[
            "session failed executable-unsupported: this version of Claude cannot be used, it says: error: unknown option '--include-partial-messages'",
        ]);
    Story::<Claude>::begin(config())
        .complains("Error: Session ID 1 is already in use.")
        .exits(1)
        .told(&[
            "session failed process-exited: Claude ended with exit code 1, its last words: Error: Session ID 1 is already in use.",
        ]);
    Story::<Claude>::begin(config())
        .complains("Invalid API key · Please run /login")
        .exits(1)
        .told(&[
            "session failed not-authenticated: Claude is not logged in: Invalid API key · Please run /login",
        ]);
}

#[test]
fn an_end_between_turns_is_left_to_the_host() {
    ready().exits(1).told(&[]);
}
