use super::*;
use crate::launch;
use groupx_driver_sdk::{McpAttachment, Output, Pair, SessionConfig};

fn resuming() -> SessionConfig {
    SessionConfig {
        resume: Some("thread-0".into()),
        ..config()
    }
}

fn with_room_tools() -> SessionConfig {
    let headers = vec![Pair {
        name: "X-GroupX-Binding".into(),
        value: "b-1".into(),
    }];
    let server = McpAttachment {
        name: "groupx".into(),
        url: "http://127.0.0.1:4310/mcp".into(),
        headers,
    };
    SessionConfig {
        mcp: vec![server],
        ..config()
    }
}

#[test]
fn drv_07_argv_is_fixed_and_has_no_goals() {
    assert_eq!(
        launch::spec().args.join(" "),
        "--dangerously-bypass-hook-trust --disable goals app-server --listen stdio://"
    );
}

#[test]
fn a_new_thread_is_asked_for_unrestricted_and_with_the_rooms_tools() {
    let mut story = greeted(Story::begin(with_room_tools()));
    assert_eq!(
        story.called("thread/start"),
        json!({
            "cwd": "/room",
            "approvalPolicy": "never",
            "sandbox": "danger-full-access",
            "config": { "mcp_servers.groupx": {
                "url": "http://127.0.0.1:4310/mcp",
                "http_headers": { "X-GroupX-Binding": "b-1" },
                "required": true,
                "tool_timeout_sec": 600,
                "startup_timeout_sec": 20,
            } },
        })
    );
    story
        .answers("thread/start", opened("thread-1"))
        .told(&["ready thread-1"]);
    let Some(Output::SessionReady(ready)) = story.heard().last() else {
        panic!("not ready")
    };
    assert_eq!(ready.agent_version.as_deref(), Some("0.171.0"));
    assert_eq!(ready.model.as_deref(), Some("mock-model"));
}

#[test]
fn codex_frames_carry_no_jsonrpc_member_and_ids_count_from_one() {
    let story = Story::<Codex>::begin(config());
    let Some(Output::WriteStdin(line)) = story.heard().first() else {
        panic!("nothing written")
    };
    assert!(line.starts_with(br#"{"id":1,"method":"initialize","params":{"#));
}

#[test]
fn a_resume_sends_everything_again_and_wants_no_history() {
    let mut story = greeted(Story::begin(resuming()));
    assert_eq!(
        story.called("thread/resume"),
        json!({
            "threadId": "thread-0",
            "excludeTurns": true,
            "cwd": "/room",
            "approvalPolicy": "never",
            "sandbox": "danger-full-access",
        })
    );
    story
        .answers("thread/resume", opened("thread-0"))
        .told(&["ready thread-0, resumed"]);
}

#[test]
fn w05_a_thread_without_a_rollout_is_replaced_and_its_loss_is_said() {
    let mut story = greeted(Story::begin(resuming()));
    story.called("thread/resume");
    story.refuses(
        "thread/resume",
        -32600,
        "no rollout found for thread id thread-0",
    );
    story.called("thread/start");
    story.answers("thread/start", opened("thread-1")).told(&[
        "ready thread-1, lost: Codex no longer has this session (no rollout found for thread id thread-0)",
    ]);
}

#[test]
fn w05_another_refusal_to_resume_is_not_guessed_at() {
    for words in ["cannot load configuration: bad key", "something new"] {
        let mut story = greeted(Story::begin(resuming()));
        story.called("thread/resume");
        story
            .refuses("thread/resume", -32600, words)
            .told(&[&format!(
                "session failed internal: Codex could not resume its session: {words}"
            )])
            .wrote_nothing();
    }
}

#[test]
fn int_02_a_policy_that_forbids_the_mode_blocks_the_session() {
    let allowing = json!({ "allowedApprovalPolicies": ["never", "on-request"], "allowedSandboxModes": ["danger-full-access"] });
    let no_never = json!({ "allowedApprovalPolicies": ["on-request"] });
    let no_access =
        json!({ "allowedApprovalPolicies": null, "allowedSandboxModes": ["read-only"] });
    for (requirements, told) in [
        (json!({}), None),
        (allowing, None),
        (
            no_never,
            Some(
                "session failed policy-blocked: a managed policy of this Codex forbids \"never\" (allowedApprovalPolicies)",
            ),
        ),
        (
            no_access,
            Some(
                "session failed policy-blocked: a managed policy of this Codex forbids \"danger-full-access\" (allowedSandboxModes)",
            ),
        ),
    ] {
        let mut story = Story::<Codex>::begin(config());
        story.called("initialize");
        story.answers("initialize", json!({})).called("initialized");
        story.called("configRequirements/read");
        story.answers(
            "configRequirements/read",
            json!({ "requirements": requirements }),
        );
        match told {
            Some(told) => story.told(&[told]).wrote_nothing(),
            None => {
                story.called("thread/start");
                story.told(&[])
            }
        };
    }
}

#[test]
fn a_codex_without_requirements_is_still_checked_by_its_threads_answer() {
    let mut story = Story::<Codex>::begin(config());
    story.called("initialize");
    story.answers("initialize", json!({})).called("initialized");
    story.called("configRequirements/read");
    story
        .refuses("configRequirements/read", -32600, "unknown variant")
        .noted(&["no-requirements"]);
    story.called("thread/start");
    story
        .answers("thread/start", opened("thread-1"))
        .told(&["ready thread-1"]);
}

#[test]
fn a_thread_that_is_not_what_was_asked_for_fails_the_session() {
    for (key, value, told) in [
        (
            "approvalPolicy",
            json!("on-request"),
            "session failed policy-blocked: Codex opened the thread with approval policy \"on-request\" although \"never\" was asked",
        ),
        (
            "sandbox",
            json!({ "type": "readOnly" }),
            "session failed policy-blocked: Codex opened the thread with sandbox {\"type\":\"readOnly\"} although full access was asked",
        ),
        (
            "cwd",
            json!("/elsewhere"),
            "session failed protocol-error: Codex works in /elsewhere instead of /room",
        ),
        (
            "thread",
            json!({}),
            "session failed protocol-error: Codex opened a thread without an id",
        ),
    ] {
        let mut story = greeted(Story::begin(config()));
        story.called("thread/start");
        let mut answer = opened("thread-1");
        answer[key] = value;
        story.answers("thread/start", answer).told(&[told]);
    }
}

#[test]
fn what_the_answer_leaves_out_is_not_held_against_it() {
    let mut story = greeted(Story::begin(config()));
    story.called("thread/start");
    story
        .answers("thread/start", json!({ "thread": { "id": "thread-1" } }))
        .told(&["ready thread-1"]);
}

#[test]
fn room_tools_that_cannot_be_reached_fail_the_start_by_name() {
    let mut story = greeted(Story::begin(with_room_tools()));
    story.called("thread/start");
    story
        .refuses(
            "thread/start",
            -32603,
            "Fatal error: required MCP servers failed to initialize: groupx: transport [a::B<[u8]>] error: refused",
        )
        .told(&[
            "session failed internal: Codex could not attach the room's tools: groupx: transport error: refused",
        ]);
}

#[test]
fn a_missing_login_is_named_when_the_start_fails() {
    Story::<Codex>::begin(config())
        .complains("\u{1b}[31mERROR\u{1b}[0m Not logged in. Please run codex login")
        .exits(1)
        .told(&["session failed not-authenticated: Codex is not logged in: ERROR Not logged in. Please run codex login"]);
}

#[test]
fn an_exit_in_the_handshake_gives_codexs_last_words() {
    Story::<Codex>::begin(config())
        .complains("thread main panicked")
        .complains("WARNING: proceeding, even though we could not create PATH aliases:")
        .exits(101)
        .told(&["session failed process-exited: Codex ended with exit code 101, its last words: thread main panicked"]);
}

#[test]
fn a_codex_that_does_not_know_its_arguments_is_unsupported() {
    Story::<Codex>::begin(config())
        .complains("error: unexpected argument '--disable' found")
        .exits(2)
        .told(&["session failed executable-unsupported: this version of Codex cannot be used, it says: error: unexpected argument '--disable' found"]);
}

#[test]
fn notifications_and_requests_in_the_handshake_do_not_disturb_it() {
    let mut story = Story::<Codex>::begin(config());
    story
        .says("configWarning", json!({ "summary": "no bubblewrap" }))
        .says("remoteControl/status/changed", json!({}))
        .asks(json!(0), "account/chatgptAuthTokens/refresh", json!({}))
        .noted(&["config-warning", "unsupported-request"]);
    story.called("initialize");
    story.answered(
        json!({ "id": 0, "error": { "code": -32601, "message": "not supported by this client" } }),
    );
    story.told(&[]);
}
