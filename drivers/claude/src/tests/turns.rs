use super::*;
use groupx_driver_sdk::SessionConfig;

#[test]
fn a_turn_begins_with_init_and_ends_with_its_result() {
    let mut story = running();
    says(
        &mut story,
        [json!({ "type": "system", "subtype": "status", "status": "requesting" })],
    );
    says(&mut story, streamed("m1", "hi"));
    says(&mut story, [result(json!({ "result": "hi" }))]);
    story
        .told(&[r#"t1 says m1:0 "hi""#, "t1 completed"])
        .noted(&[])
        .wrote_nothing()
        .holds(false);
    begin(&mut story, "t2");
}

#[test]
fn a_claude_that_says_init_only_once_is_understood() {
    let mut story = running();
    says(&mut story, streamed("m1", "hi"));
    says(&mut story, [result(json!({}))]);
    story.prompt("t2", "again").skip();
    says(&mut story, streamed("m2", "two"));
    says(&mut story, [result(json!({}))]);
    story
        .told(&["t2 started -", r#"t2 says m2:0 "two""#, "t2 completed"])
        .noted(&[]);
}

#[test]
fn text_that_begins_with_a_slash_is_no_command() {
    ready().prompt("t1", "/clear").wrote_json(prompt(" /clear"));
    ready()
        .prompt("t1", "not /clear")
        .wrote_json(prompt("not /clear"));
}

#[test]
fn w10_the_first_result_wins() {
    let mut story = running();
    says(&mut story, [result(json!({ "result": "Hello" }))]);
    story.told(&[r#"t1 completed with "Hello""#]);
    says(
        &mut story,
        [result(
            json!({ "subtype": "error_during_execution", "is_error": true }),
        )],
    );
    story.told(&[]).noted(&["stray-result"]).exits(1).told(&[]);
}

#[test]
fn w11_on_resume_a_result_before_any_work_on_our_prompt_is_not_ours() {
    let resume = Some(SESSION.to_owned());
    let mut story = greeted(Story::begin(SessionConfig { resume, ..config() }));
    story.skip().prompt("t1", "hello").skip();
    says(&mut story, [result(json!({ "result": "of old" }))]);
    story.told(&[]).noted(&["stray-result"]);
    let requesting = json!({ "type": "system", "subtype": "status", "status": "requesting" });
    let old = result(json!({ "result": "of old" }));
    says(&mut story, [init(), requesting, old]);
    story.told(&["t1 started -"]).noted(&["stray-result"]);
    says(&mut story, [init()]);
    says(&mut story, streamed("m1", "new"));
    says(&mut story, [result(json!({ "result": "new" }))]);
    story.told(&[r#"t1 says m1:0 "new""#, "t1 completed"]);
}

#[test]
fn w15_a_success_that_is_an_error_has_failed_with_its_reason() {
    let mut story = running();
    says(
        &mut story,
        [synthetic("API Error: 400 bad thing", "unknown")],
    );
    let words =
        json!({ "is_error": true, "api_error_status": 400, "result": "API Error: 400 bad thing" });
    says(&mut story, [result(words)]);
    story
        .told(&["t1 failed internal: API Error: 400 bad thing"])
        .holds(false);
    begin(&mut story, "t2");
}

#[test]
fn w15_an_empty_result_has_the_streamed_text() {
    let mut story = running();
    says(&mut story, streamed("m1", "all of it"));
    says(&mut story, [result(json!({ "result": "" }))]);
    story.told(&[r#"t1 says m1:0 "all of it""#, "t1 completed"]);
}

#[test]
fn a_failed_turn_has_the_code_of_its_reason() {
    let mut story = running();
    says(
        &mut story,
        [synthetic("Invalid API key", "authentication_failed")],
    );
    says(&mut story, [result(json!({ "is_error": true }))]);
    story.told(&["t1 failed not-authenticated: Invalid API key"]);
    let mut story = running();
    let words = json!({ "is_error": true, "subtype": "error_max_turns", "errors": ["too many"] });
    says(&mut story, [result(words)]);
    story.told(&["t1 failed internal: too many"]);
}

#[test]
fn a_turn_without_text_and_without_a_tool_is_an_empty_answer() {
    let mut story = running();
    says(
        &mut story,
        [
            message_start("m1"),
            text(0, " \n"),
            message_stop(),
            result(json!({})),
        ],
    );
    story.told(&[
        r#"t1 says m1:0 " \n""#,
        "t1 failed empty-answer: Claude ended the turn without an answer",
    ]);
}

#[test]
fn a_turn_that_claude_interrupts_by_itself_has_failed() {
    let mut story = running();
    says(&mut story, [aborted()]);
    story.told(&["t1 failed internal: Claude stopped the turn by itself"]);
}

#[test]
fn retries_are_progress_while_the_user_waits() {
    let mut story = running();
    let retry = json!({ "type": "system", "subtype": "api_retry", "attempt": 2, "max_retries": 10,
        "retry_delay_ms": 1240.04, "error_status": 401, "error": "authentication_failed" });
    let compacting = json!({ "type": "system", "subtype": "status", "status": "compacting" });
    says(&mut story, [retry, compacting]);
    story.told(&[
        r#"t1 progress "Claude tries again (2 of 10) in 1.2 s: authentication failed (HTTP 401)""#,
        r#"t1 progress "Claude compacts its context""#,
    ]);
}

#[test]
fn a_turn_in_a_stricter_mode_is_stopped_and_ends_the_session() {
    let mut story = ready();
    let mut strict = init();
    strict["permissionMode"] = json!("default");
    story
        .prompt("t1", "hello")
        .skip()
        .prints(strict.to_string());
    let told = "policy-blocked: Claude works in permission mode \"default\" although \"bypassPermissions\" was asked";
    story.wrote_json(interrupt(3)).told(&[
        "t1 started -",
        &format!("t1 failed {told}"),
        &format!("session failed {told}"),
    ]);
}

#[test]
fn a_turn_in_another_folder_ends_the_session() {
    let mut story = ready();
    let mut astray = init();
    astray["cwd"] = json!("/elsewhere");
    story.prompt("t1", "hello").prints(astray.to_string());
    let told = "protocol-error: Claude works in /elsewhere instead of /room";
    story.told(&[
        "t1 started -",
        &format!("t1 failed {told}"),
        &format!("session failed {told}"),
    ]);
}

#[test]
fn a_session_that_changes_under_a_turn_is_left_after_it() {
    let mut story = ready();
    let mut moved = init();
    moved["session_id"] = json!("another");
    story
        .prompt("t1", "hello")
        .prints(moved.to_string())
        .noted(&["session-changed"]);
    says(&mut story, streamed("m1", "hi"));
    says(&mut story, [result(json!({ "session_id": "another" }))]);
    story
        .told(&[
            "t1 started -",
            r#"t1 says m1:0 "hi""#,
            "t1 completed",
            "restart wanted: Claude left the room's session for another one",
        ])
        .holds(true);
}

#[test]
fn a_subagents_words_are_not_the_rooms() {
    let child = |mut frame: Value| {
        frame["parent_tool_use_id"] = json!("toolu_1");
        frame
    };
    let mut story = running();
    says(&mut story, streamed("c1", "inner").into_iter().map(child));
    let call = json!([{ "type": "tool_use", "id": "x", "name": "Bash", "input": {} }]);
    says(
        &mut story,
        [child(assistant("c2", call)), child(result(json!({})))],
    );
    story.told(&[]);
    says(&mut story, streamed("m1", "outer"));
    says(&mut story, [result(json!({}))]);
    story.told(&[r#"t1 says m1:0 "outer""#, "t1 completed"]);
}

#[test]
fn a_process_that_ends_in_a_turn_ends_the_turn() {
    let mut story = running();
    says(&mut story, [message_start("m1"), text(0, "half an")]);
    story.exits(17).told(&[
        r#"t1 says m1:0 "half an""#,
        "t1 failed process-exited: Claude ended with exit code 17",
    ]);
    running()
        .complains("Please run /login")
        .exits(1)
        .told(&["t1 failed not-authenticated: Claude is not logged in: Please run /login"]);
}

#[test]
fn an_unknown_frame_is_carried_and_a_known_one_of_no_interest_is_not() {
    let mut story = running();
    says(
        &mut story,
        [
            json!({ "type": "haiku", "lines": 3 }),
            json!({ "type": "system", "subtype": "moon" }),
            json!({ "type": "system", "subtype": "thinking_tokens" }),
            json!({ "type": "system", "subtype": "informational", "content": "by the way" }),
            json!({ "type": "rate_limit_event" }),
            json!({ "type": "keep_alive" }),
            json!({ "type": "control_cancel_request", "request_id": "q" }),
            json!({ "type": 7 }),
        ],
    );
    story
        .told(&[])
        .noted(&["unknown-event", "unknown-event", "notice", "unknown-event"]);
}
