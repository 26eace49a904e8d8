use super::*;

#[test]
fn a_prompt_is_answered() {
    let mut story = ready();
    story.prompt("t1", "hello\nthere");
    assert_eq!(
        story.called("turn/start"),
        json!({ "threadId": "thread-1", "input": [{ "type": "text", "text": "hello\nthere" }] })
    );
    story
        .answers("turn/start", json!({ "turn": { "id": "n1" } }))
        .says("turn/started", of(json!({ "turn": { "id": "n1" } })))
        .says(
            "item/started",
            item(json!({ "type": "userMessage", "id": "u" })),
        )
        .says(
            "item/completed",
            item(json!({ "type": "userMessage", "id": "u" })),
        )
        .says("item/started", message("m", ""))
        .says("item/agentMessage/delta", delta("m", "hello "))
        .says("item/agentMessage/delta", delta("m", "back"))
        .says("item/completed", message("m", "hello back"))
        .says("turn/completed", ended("completed"))
        .told(&[
            "t1 started n1",
            r#"t1 says m "hello ""#,
            r#"t1 says m "back""#,
            "t1 completed",
        ])
        .noted(&[]);
}

#[test]
fn w02_a_whole_turn_before_the_answer_to_its_start_is_one_turn_with_one_terminal() {
    let mut story = ready();
    story.prompt("t1", "hello").called("turn/start");
    story
        .says("turn/started", of(json!({ "turn": { "id": "n1" } })))
        .says("item/agentMessage/delta", delta("m", "quick"))
        .says("turn/completed", ended("completed"))
        .told(&[])
        .answers("turn/start", json!({ "turn": { "id": "n1" } }))
        .told(&["t1 started n1", r#"t1 says m "quick""#, "t1 completed"])
        .wrote_nothing();
}

#[test]
fn what_came_before_the_answer_and_is_not_ours_is_a_foreign_turn() {
    let mut story = ready();
    story.prompt("t1", "hello").called("turn/start");
    story
        .says("turn/started", of(json!({ "turn": { "id": "goal" } })))
        .answers("turn/start", json!({ "turn": { "id": "n1" } }))
        .told(&[])
        .noted(&["foreign-turn"]);
    assert_eq!(story.called("turn/interrupt")["turnId"], "goal");
}

#[test]
fn a_start_that_is_refused_fails_the_turn_and_keeps_the_session() {
    let mut story = ready();
    story.prompt("t1", "hello").called("turn/start");
    story
        .refuses("turn/start", -32600, "no")
        .told(&["t1 failed internal: Codex did not begin the turn: no"])
        .holds(false);
    begin(&mut story, "t2", "n2");
}

#[test]
fn a_prompt_that_is_too_long_is_a_context_overflow() {
    let mut story = ready();
    story.prompt("t1", "hello").called("turn/start");
    story
        .prints(r#"{"id":4,"error":{"code":-32602,"message":"too large","data":{"input_error_code":"input_too_large"}}}"#)
        .told(&["t1 failed context-overflow: Codex did not begin the turn: too large"]);
}

#[test]
fn a_thread_that_is_gone_wants_a_new_process() {
    let mut story = ready();
    story.prompt("t1", "hello").called("turn/start");
    story
        .refuses("turn/start", -32600, "thread not found: thread-1")
        .told(&[
            "t1 failed internal: Codex did not begin the turn: thread not found: thread-1",
            "restart wanted: Codex no longer has the thread loaded",
        ])
        .holds(true);
    running()
        .says("thread/closed", json!({ "threadId": "another" }))
        .told(&[])
        .says("thread/closed", of(json!({})))
        .told(&[
            "t1 failed internal: Codex closed the room's thread (thread/closed)",
            "restart wanted: Codex closed the room's thread (thread/closed)",
        ]);
}

#[test]
fn w08_a_retry_is_progress_and_the_failure_has_the_turns_own_words() {
    let error = |retry: bool, message: &str| {
        n1(
            json!({ "willRetry": retry, "error": { "message": message, "codexErrorInfo": "other" } }),
        )
    };
    running()
        .says("error", error(true, "Reconnecting... 1/5"))
        .says("error", error(false, "stream disconnected"))
        .says(
            "turn/completed",
            failed("stream disconnected", json!("other")),
        )
        .told(&[
            r#"t1 progress "Reconnecting... 1/5""#,
            "t1 failed internal: stream disconnected",
        ]);
}

#[test]
fn a_failed_turn_has_the_code_of_its_reason_and_the_session_goes_on() {
    let mut story = running();
    story
        .says(
            "turn/completed",
            failed(
                "401",
                json!({ "httpConnectionFailed": { "httpStatusCode": 401 } }),
            ),
        )
        .told(&["t1 failed not-authenticated: 401"])
        .holds(false);
    begin(&mut story, "t2", "n2");
}

#[test]
fn a_failed_turn_without_an_error_uses_the_last_one_that_was_told() {
    running()
        .says("error", n1(json!({ "willRetry": false, "error": { "message": "why", "codexErrorInfo": "usageLimitExceeded" } })))
        .says("turn/completed", ended("failed"))
        .told(&["t1 failed quota: why"]);
    running()
        .says("turn/completed", ended("failed"))
        .told(&["t1 failed internal: Codex failed the turn without a reason"]);
}

#[test]
fn a_turn_without_text_and_without_a_tool_is_an_empty_answer() {
    running()
        .says("turn/completed", ended("completed"))
        .told(&["t1 failed empty-answer: Codex ended the turn without an answer"]);
    running()
        .says("item/agentMessage/delta", delta("m", " \n"))
        .says("turn/completed", ended("completed"))
        .told(&[
            r#"t1 says m " \n""#,
            "t1 failed empty-answer: Codex ended the turn without an answer",
        ]);
}

#[test]
fn a_turn_with_a_tool_and_no_text_is_complete() {
    let tool = item(json!({ "type": "sleep", "id": "s" }));
    running()
        .says("item/completed", tool)
        .says("turn/completed", ended("completed"))
        .told(&[
            r#"t1 tool s completed sleep [other] "waits""#,
            "t1 completed",
        ]);
}

#[test]
fn a_status_of_a_later_codex_still_ends_the_turn() {
    running()
        .says("item/agentMessage/delta", delta("m", "text"))
        .says("turn/completed", ended("paused"))
        .told(&[r#"t1 says m "text""#, "t1 completed"]);
}

#[test]
fn a_turn_that_codex_interrupts_by_itself_has_failed() {
    running()
        .says("turn/completed", ended("interrupted"))
        .told(&["t1 failed internal: Codex stopped the turn by itself"]);
}

#[test]
fn late_events_of_an_ended_turn_change_nothing() {
    let mut story = running();
    story
        .says("item/agentMessage/delta", delta("m", "text"))
        .says("turn/completed", ended("completed"))
        .skip()
        .says("item/agentMessage/delta", delta("m", " more"))
        .says("item/completed", message("m", "text more"))
        .says("turn/started", of(json!({ "turn": { "id": "n1" } })))
        .says("turn/completed", ended("failed"))
        .told(&[])
        .wrote_nothing()
        .holds(false);
}

#[test]
fn a_subagents_thread_is_not_the_rooms() {
    let child = |mut params: Value| {
        params["threadId"] = json!("child");
        params["turnId"] = json!("c1");
        params
    };
    running()
        .says(
            "turn/started",
            json!({ "threadId": "child", "turn": { "id": "c1" } }),
        )
        .says(
            "item/agentMessage/delta",
            child(json!({ "itemId": "m", "delta": "inner" })),
        )
        .says(
            "item/started",
            child(json!({ "item": { "type": "commandExecution", "id": "x" } })),
        )
        .says(
            "turn/completed",
            json!({ "threadId": "child", "turn": { "id": "c1", "status": "completed" } }),
        )
        .told(&[])
        .wrote_nothing()
        .holds(false);
}

#[test]
fn a_process_that_ends_in_a_turn_ends_the_turn() {
    running()
        .says("item/agentMessage/delta", delta("m", "half an"))
        .exits(17)
        .told(&[
            r#"t1 says m "half an""#,
            "t1 failed process-exited: Codex ended with exit code 17",
        ]);
    running()
        .complains("Please log in again")
        .exits(1)
        .told(&["t1 failed not-authenticated: Codex is not logged in: Please log in again"]);
    ready().exits(0).told(&[]);
}

#[test]
fn an_unknown_event_is_carried_and_a_known_one_of_no_interest_is_not() {
    running()
        .says("turn/haiku", n1(json!({ "lines": 3 })))
        .says("thread/readState/changed", of(json!({})))
        .says("warning", of(json!({ "message": "old model" })))
        .says("deprecationNotice", json!({ "summary": "x" }))
        .told(&[])
        .noted(&["unknown-event", "warning", "deprecation"]);
}

#[test]
fn progress_is_told_while_the_user_waits() {
    let plan = json!({ "plan": [
        { "step": "look", "status": "completed" },
        { "step": "write", "status": "inProgress" },
    ] });
    running()
        .says("turn/plan/updated", n1(plan))
        .says(
            "item/mcpToolCall/progress",
            n1(json!({ "itemId": "x", "message": "half way" })),
        )
        .says(
            "model/rerouted",
            n1(json!({ "fromModel": "a", "toModel": "b" })),
        )
        .told(&[
            r#"t1 progress "write (1 of 2 steps done)""#,
            r#"t1 progress "half way""#,
            r#"t1 progress "Codex goes on with model b""#,
        ]);
}
