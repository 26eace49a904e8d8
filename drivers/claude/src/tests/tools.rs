use super::*;

fn call(id: &str, name: &str, input: Value) -> Value {
    assistant(
        "m1",
        json!([{ "type": "tool_use", "id": id, "name": name, "input": input }]),
    )
}

fn brought(id: &str, content: Value, is_error: bool) -> Value {
    let block = json!({ "type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error });
    json!({ "type": "user", "message": { "role": "user", "content": [block] }, "parent_tool_use_id": null })
}

#[test]
fn a_tool_is_told_when_it_begins_and_when_it_ends() {
    let mut story = running();
    says(
        &mut story,
        [
            call("b", "Bash", json!({ "command": "ls" })),
            brought("b", json!("a\nb"), false),
        ],
    );
    let blocks = json!([{ "type": "text", "text": "echo: hi" }, { "type": "image" }]);
    says(
        &mut story,
        [
            call("e", "mcp__groupx__send", json!({ "content": "hi" })),
            brought("e", blocks, false),
        ],
    );
    says(&mut story, [result(json!({}))]);
    story.told(&[
        r#"t1 tool b running Bash [execute] "ls""#,
        r#"t1 tool b completed Bash [execute] "ls" | "a\nb""#,
        r#"t1 tool e running mcp__groupx__send [mcp] "groupx: send""#,
        r#"t1 tool e completed mcp__groupx__send [mcp] "groupx: send" | "echo: hi""#,
        "t1 completed",
    ]);
}

fn call_begins(id: &str, name: &str) -> Value {
    block_start(
        1,
        json!({ "type": "tool_use", "id": id, "name": name, "input": {} }),
    )
}

#[test]
fn a_call_shows_while_its_arguments_are_being_made() {
    let mut story = running();
    says(&mut story, [message_start("m1"), call_begins("w", "Write")]);
    story.told(&[r#"t1 tool w pending Write [edit] "Write""#]);
    let input = json!({ "file_path": "/f", "content": "long" });
    says(&mut story, [call("w", "Write", input), message_stop()]);
    says(
        &mut story,
        [brought("w", json!("done"), false), result(json!({}))],
    );
    story.told(&[
        r#"t1 tool w running Write [edit] "/f""#,
        r#"t1 tool w completed Write [edit] "/f" | /f: "" -> "long""#,
        "t1 completed",
    ]);
}

#[test]
fn a_call_that_is_never_repeated_as_a_whole_still_has_its_result() {
    let mut story = running();
    says(&mut story, [message_start("m1"), call_begins("b", "Bash")]);
    says(
        &mut story,
        [brought("b", json!("out"), false), result(json!({}))],
    );
    story.told(&[
        r#"t1 tool b pending Bash [execute] "Bash""#,
        r#"t1 tool b completed Bash [execute] "Bash" | "out""#,
        "t1 completed",
    ]);
}

#[test]
fn a_call_that_a_cut_stream_left_unmade_is_cancelled_and_another_takes_its_place() {
    let mut story = running();
    says(&mut story, [message_start("m1"), call_begins("b", "Bash")]);
    let call =
        json!([{ "type": "tool_use", "id": "c", "name": "Bash", "input": { "command": "ls" } }]);
    says(
        &mut story,
        [assistant("m2", call), brought("c", json!("out"), false)],
    );
    story.told(&[
        r#"t1 tool b pending Bash [execute] "Bash""#,
        r#"t1 tool b cancelled Bash [execute] "Bash""#,
        r#"t1 tool c running Bash [execute] "ls""#,
        r#"t1 tool c completed Bash [execute] "ls" | "out""#,
    ]);
}

#[test]
fn what_a_tool_is_stands_in_its_details() {
    let mut story = running();
    says(&mut story, [call("e", "mcp__groupx__send", json!({}))]);
    let details = story.heard().iter().find_map(|output| match output {
        groupx_driver_sdk::Output::ToolProgress(tool) => tool.details.clone(),
        _ => None,
    });
    let details: Value = serde_json::from_str(&details.unwrap()).unwrap();
    assert_eq!(
        details,
        json!({ "itemId": "e", "itemType": "tool_use", "status": "running", "server": "groupx",
            "tool": "send", "toolName": "mcp__groupx__send", "title": "groupx: send", "kind": "mcp" })
    );
}

#[test]
fn a_failed_tool_shows_its_error_and_the_turn_goes_on() {
    let mut story = running();
    let error = "<tool_use_error>Error: No such tool available: nosuch</tool_use_error>";
    says(
        &mut story,
        [
            call("n", "nosuch", json!({})),
            brought("n", json!(error), true),
        ],
    );
    says(&mut story, streamed("m2", "so what"));
    says(&mut story, [result(json!({}))]);
    story.told(&[
        r#"t1 tool n running nosuch [other] "nosuch""#,
        r#"t1 tool n failed nosuch [other] "nosuch" | "Error: No such tool available: nosuch""#,
        r#"t1 says m2:0 "so what""#,
        "t1 completed",
    ]);
}

#[test]
fn an_edit_shows_what_it_changed() {
    let mut story = running();
    let edit = json!({ "file_path": "/f", "old_string": "a", "new_string": "b" });
    says(
        &mut story,
        [call("e", "Edit", edit), brought("e", json!("done"), false)],
    );
    story.told(&[
        r#"t1 tool e running Edit [edit] "/f""#,
        r#"t1 tool e completed Edit [edit] "/f" | /f: "a" -> "b""#,
    ]);
}

#[test]
fn a_tool_that_is_open_at_the_end_is_closed() {
    let mut story = running();
    says(
        &mut story,
        [
            call("b", "Bash", json!({ "command": "sleep 1" })),
            result(json!({ "result": "x" })),
        ],
    );
    story.told(&[
        r#"t1 tool b running Bash [execute] "sleep 1""#,
        r#"t1 tool b failed Bash [execute] "sleep 1""#,
        r#"t1 completed with "x""#,
    ]);
    let mut story = running();
    says(
        &mut story,
        [call("b", "Bash", json!({ "command": "sleep 1" }))],
    );
    story.exits(137).told(&[
        r#"t1 tool b running Bash [execute] "sleep 1""#,
        r#"t1 tool b failed Bash [execute] "sleep 1""#,
        "t1 failed process-exited: Claude ended with exit code 137",
    ]);
}

#[test]
fn a_tool_that_a_cancel_ended_was_cancelled_and_no_user_rejected_it() {
    let mut story = running();
    says(
        &mut story,
        [call("b", "Bash", json!({ "command": "sleep 9" }))],
    );
    story.skip().cancel("t1").wrote_json(interrupt(3));
    answers(&mut story, 3, Value::Null);
    let rejected = "The user doesn't want to proceed with this tool use.";
    says(&mut story, [brought("b", json!(rejected), true), aborted()]);
    story.told(&[
        r#"t1 tool b cancelled Bash [execute] "sleep 9""#,
        "t1 cancelled",
    ]);
}

#[test]
fn the_models_own_search_is_a_tool_too() {
    let mut story = running();
    let blocks = json!([
        { "type": "server_tool_use", "id": "s", "name": "web_search", "input": { "query": "cats" } },
        { "type": "web_search_tool_result", "tool_use_id": "s", "content": [] },
    ]);
    says(&mut story, [assistant("m1", blocks)]);
    story.told(&[
        r#"t1 tool s running web_search [search] "cats""#,
        r#"t1 tool s completed web_search [search] "cats""#,
    ]);
}

#[test]
fn a_call_without_a_name_is_carried() {
    let mut story = running();
    says(
        &mut story,
        [assistant("m1", json!([{ "type": "tool_use", "id": "x" }]))],
    );
    says(&mut story, [brought("never called", json!("x"), false)]);
    story.told(&[]).noted(&["unknown-event"]);
}
