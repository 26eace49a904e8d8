use super::*;
use groupx_driver_sdk::Output;

/// A tool call in a room with its own tools.
fn with_room_tools() -> Story<Driver> {
    let mut story = greeted(with_tools(), json!({}));
    opens(&mut story, json!({}));
    story.skip();
    story.prompt("t1", "hello").called("session/prompt");
    story
}

fn text(text: &str) -> Value {
    json!([{ "type": "content", "content": { "type": "text", "text": text } }])
}

#[test]
fn a_call_is_put_together_from_its_pieces() {
    running()
        .updates(
            "tool_call",
            json!({ "toolCallId": "a", "title": "Bash", "kind": "execute", "status": "pending" }),
        )
        .updates(
            "tool_call_update",
            json!({ "toolCallId": "a", "title": "Running: ls", "status": "in_progress" }),
        )
        .updates(
            "tool_call_update",
            json!({ "toolCallId": "a", "status": "in_progress", "content": text("one\n") }),
        )
        .updates(
            "tool_call_update",
            json!({ "toolCallId": "a", "status": "completed" }),
        )
        .told(&[
            "t1 started -",
            r#"t1 tool a pending Bash [execute] "Bash""#,
            r#"t1 tool a running Bash [execute] "Running: ls""#,
            r#"t1 tool a running Bash [execute] "Running: ls" | "one""#,
            r#"t1 tool a completed Bash [execute] "Running: ls" | "one""#,
        ]);
}

#[test]
fn an_update_that_changes_nothing_is_not_told_and_a_call_ends_once() {
    let mut story = running();
    story
        .updates("tool_call", json!({ "toolCallId": "a", "title": "Bash" }))
        .updates(
            "tool_call_update",
            json!({ "toolCallId": "a", "rawInput": {} }),
        )
        .updates(
            "tool_call_update",
            json!({ "toolCallId": "a", "status": "failed" }),
        )
        .updates(
            "tool_call_update",
            json!({ "toolCallId": "a", "status": "completed" }),
        )
        .told(&[
            "t1 started -",
            r#"t1 tool a running Bash [other] "Bash""#,
            r#"t1 tool a failed Bash [other] "Bash""#,
        ]);
}

#[test]
fn an_update_without_a_call_before_it_is_one() {
    running()
        .updates(
            "tool_call_update",
            json!({ "toolCallId": "a", "status": "failed" }),
        )
        .told(&["t1 started -", r#"t1 tool a failed tool [other] "tool""#]);
}

#[test]
fn dangling_calls_are_closed_when_the_turn_ends() {
    let mut story = running();
    story
        .updates(
            "tool_call",
            json!({ "toolCallId": "a", "title": "write: f", "kind": "edit" }),
        )
        .skip()
        .says_text("done")
        .ends("end_turn")
        .told(&[
            r#"t1 says 2 "done""#,
            r#"t1 tool a completed write [edit] "write: f""#,
            "t1 completed",
        ]);
    story.prompt("t2", "next").called("session/prompt");
    story
        .updates(
            "tool_call_update",
            json!({ "toolCallId": "a", "status": "completed" }),
        )
        .told(&[]);
}

#[test]
fn the_rooms_own_tools_are_known_whatever_the_agent_calls_them() {
    for name in ["mcp__groupx__send", "groupx__send", "groupx_send"] {
        with_room_tools()
            .updates(
                "tool_call",
                json!({ "toolCallId": "a", "title": name, "kind": "other" }),
            )
            .told(&[
                "t1 started -",
                &format!(r#"t1 tool a running {name} [mcp] "{name}""#),
            ]);
    }
}

#[test]
fn a_tool_behind_another_tool_gets_its_own_name_when_it_shows() {
    let meta = json!({ "x.ai/tool": { "name": "use_tool" } });
    with_room_tools()
        .updates("tool_call", json!({ "toolCallId": "a", "title": "use_tool", "_meta": meta }))
        .updates("tool_call_update", json!({ "toolCallId": "a", "title": "groupx__send" }))
        .updates(
            "tool_call_update",
            json!({ "toolCallId": "a", "status": "completed", "rawOutput": { "output": { "OkayOutput": "sent" } } }),
        )
        .told(&[
            "t1 started -",
            r#"t1 tool a running use_tool [other] "use_tool""#,
            r#"t1 tool a running groupx__send [mcp] "groupx__send""#,
            r#"t1 tool a completed groupx__send [mcp] "groupx__send" | "sent""#,
        ]);
}

#[test]
fn a_diff_is_one() {
    let diff = json!([{ "type": "diff", "path": "f", "oldText": "a", "newText": "b" }]);
    running()
        .updates(
            "tool_call",
            json!({ "toolCallId": "a", "title": "Edit", "kind": "edit", "content": diff }),
        )
        .told(&[
            "t1 started -",
            r#"t1 tool a running Edit [edit] "Edit" | f: "a" -> "b""#,
        ]);
}

#[test]
fn details_hold_the_native_words_within_their_bound() {
    let places: Vec<_> = (0..100)
        .map(|_| json!({ "path": "p".repeat(5_000) }))
        .collect();
    let mut story = running();
    story.updates(
        "tool_call",
        json!({ "toolCallId": "a", "title": "Delete x", "kind": "delete", "status": "strange" }),
    );
    story.updates(
        "tool_call_update",
        json!({ "toolCallId": "a", "locations": places }),
    );
    let details: Vec<&str> = story
        .heard()
        .iter()
        .filter_map(|output| match output {
            Output::ToolProgress(tool) => tool.details.as_deref(),
            _ => None,
        })
        .collect();
    assert_eq!(
        details[0],
        r#"{"kind":"delete","status":"strange","title":"Delete x","toolCallId":"a"}"#
    );
    assert!(details[1].len() <= 64 << 10);
}
