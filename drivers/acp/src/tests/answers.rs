use super::*;

fn tool(id: &str) -> Value {
    json!({ "toolCallId": id, "title": "Bash", "kind": "execute", "status": "completed" })
}

#[test]
fn text_and_thoughts_stream_as_they_come() {
    running()
        .thinks("hm")
        .says_text("hello ")
        .says_text("")
        .says_text("room")
        .ends("end_turn")
        .told(&[
            "t1 started -",
            r#"t1 thinks 1 "hm""#,
            r#"t1 says 1 "hello ""#,
            r#"t1 says 1 "room""#,
            "t1 completed",
        ]);
}

#[test]
fn turn_15_what_is_said_after_a_tool_call_is_another_message() {
    let mut story = running();
    story
        .says_text("calling")
        .updates("tool_call", tool("a"))
        .updates("tool_call", tool("b"))
        .skip()
        .says_text("\n\nafter ")
        .says_text("\n\ntool")
        .told(&[r#"t1 says 3 "after ""#, r#"t1 says 3 "\n\ntool""#]);
}

#[test]
fn turn_15_a_message_with_a_new_name_is_another_message() {
    let named = |id: &str, text: &str| {
        let mut fields = block(text);
        fields["messageId"] = json!(id);
        fields
    };
    running()
        .updates("agent_message_chunk", named("m1", "first"))
        .updates("agent_message_chunk", named("m1", " more"))
        .updates("agent_message_chunk", named("m2", "second"))
        .told(&[
            "t1 started -",
            r#"t1 says 1 "first""#,
            r#"t1 says 1 " more""#,
            r#"t1 says 2 "second""#,
        ]);
}

#[test]
fn text_outside_a_turn_or_of_another_session_is_nobodys_answer() {
    let mut story = ready();
    story.says_text("a greeting").told(&[]);
    story.prompt("t1", "hello").called("session/prompt");
    let mut other = update("agent_message_chunk", block("of a subagent"));
    other["sessionId"] = json!("s2");
    story
        .says("session/update", other)
        .updates("user_message_chunk", block("hello"))
        .told(&[])
        .says_text("hi")
        .ends("end_turn")
        .told(&["t1 started -", r#"t1 says 1 "hi""#, "t1 completed"])
        .says_text("late words")
        .told(&[]);
}

#[test]
fn a_repeated_answer_is_only_taken_back_with_evidence() {
    running()
        .says_text("partial answer")
        .says_text("partial answer")
        .ends("end_turn")
        .told(&[
            "t1 started -",
            r#"t1 says 1 "partial answer""#,
            r#"t1 says 1 "partial answer""#,
            "t1 completed",
        ]);
}

#[test]
fn a_prompt_never_begins_like_a_command() {
    let mut story = ready();
    story.prompt("t1", " /help me");
    assert_eq!(
        story.called("session/prompt"),
        json!({ "sessionId": "s1", "prompt": [{ "type": "text", "text": "Message:\n /help me" }] })
    );
    story.ends("refusal");
    story.prompt("t2", "a/b");
    assert_eq!(story.called("session/prompt")["prompt"][0]["text"], "a/b");
}

#[test]
fn a_plan_is_progress_and_unknown_updates_are_carried() {
    let entries = json!([
        { "content": "one", "status": "completed" },
        { "content": "two", "status": "in_progress" },
    ]);
    running()
        .updates("plan", json!({ "entries": entries }))
        .told(&["t1 started -", r#"t1 progress "two (1 of 2 steps done)""#])
        .updates("session_info_update", json!({ "title": "x" }))
        .updates("hologram", json!({}))
        .updates(
            "agent_message_chunk",
            json!({ "content": { "type": "image", "data": "" } }),
        )
        .says("session/hologram", json!({}))
        .told(&[])
        .noted(&["unknown-event", "unknown-event", "unknown-event"]);
}
