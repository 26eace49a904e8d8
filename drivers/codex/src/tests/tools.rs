use super::*;
use groupx_driver_sdk::Output;

fn done(mut tool: Value, status: &str) -> Value {
    tool["id"] = json!("x");
    tool["status"] = json!(status);
    item(tool)
}

fn shows(tool: Value, status: &str, told: &str) {
    let kind = tool["type"].to_string();
    let mut story = running();
    story.says("item/completed", done(tool, status));
    story.told(&[&format!("t1 tool x {told}")]).noted(&[]);
    let Some(Output::ToolProgress(tool)) = story.heard().last() else {
        panic!("no tool for {kind}")
    };
    assert!(
        tool.details
            .as_ref()
            .is_some_and(|details| details.contains(&kind))
    );
}

#[test]
fn a_command_shows_its_output_and_how_it_failed() {
    let command = |output: Value, code: Value| json!({ "type": "commandExecution", "command": "/bin/bash -lc 'make test'", "aggregatedOutput": output, "exitCode": code });
    shows(
        command(json!("ok\n"), json!(0)),
        "completed",
        r#"completed shell [execute] "make test" | "ok""#,
    );
    shows(
        command(json!(null), json!(3)),
        "failed",
        r#"failed shell [execute] "make test" | "exit code 3""#,
    );
    shows(
        command(json!(null), json!(null)),
        "declined",
        r#"failed shell [execute] "make test""#,
    );
}

#[test]
fn reading_and_searching_are_told_apart_from_running() {
    for (actions, kind) in [
        (json!([{ "type": "read" }]), "read"),
        (
            json!([{ "type": "search" }, { "type": "listFiles" }]),
            "search",
        ),
        (
            json!([{ "type": "read" }, { "type": "unknown" }]),
            "execute",
        ),
    ] {
        let command =
            json!({ "type": "commandExecution", "command": "x", "commandActions": actions });
        shows(
            command,
            "completed",
            &format!("completed shell [{kind}] \"x\""),
        );
    }
}

#[test]
fn a_file_change_is_a_diff() {
    let changes = json!([
        { "path": "/room/a", "kind": { "type": "add" }, "diff": "hello\n" },
        { "path": "/room/b", "kind": { "type": "update" }, "diff": "@@ -1 +1 @@\n-x\n+y\n" },
    ]);
    shows(
        json!({ "type": "fileChange", "changes": changes }),
        "completed",
        r#"completed apply_patch [edit] "/room/a, /room/b" | /room/a: "" -> "hello\n" | /room/b: "x\n" -> "y\n""#,
    );
}

#[test]
fn an_mcp_call_shows_its_result_or_its_error() {
    let call = |result: Value, error: Value| json!({ "type": "mcpToolCall", "server": "groupx", "tool": "send", "result": result, "error": error });
    let text = json!({ "content": [{ "type": "text", "text": "sent" }, { "type": "image" }] });
    shows(
        call(text.clone(), json!(null)),
        "completed",
        r#"completed mcp__groupx__send [mcp] "groupx: send" | "sent""#,
    );
    shows(
        call(text, json!(null)),
        "failed",
        r#"failed mcp__groupx__send [mcp] "groupx: send" | "sent""#,
    );
    let error = json!({ "message": "timed out" });
    shows(
        call(json!(null), error),
        "failed",
        r#"failed mcp__groupx__send [mcp] "groupx: send" | "timed out""#,
    );
}

#[test]
fn every_other_kind_of_item_is_shown_too() {
    for (tool, told) in [
        (
            json!({ "type": "collabAgentToolCall", "tool": "spawnAgent", "prompt": "go" }),
            r#"completed spawnAgent [other] "spawnAgent: go""#,
        ),
        (
            json!({ "type": "dynamicToolCall", "tool": "mine", "contentItems": [{ "text": "t" }] }),
            r#"completed mine [other] "mine" | "t""#,
        ),
        (
            json!({ "type": "webSearch", "query": "rust" }),
            r#"completed web_search [search] "rust""#,
        ),
        (
            json!({ "type": "webSearch", "query": "", "action": { "type": "openPage", "url": "https://a" } }),
            r#"completed web_search [fetch] "https://a""#,
        ),
        (
            json!({ "type": "imageView", "path": "/a.png" }),
            r#"completed view_image [read] "/a.png""#,
        ),
        (
            json!({ "type": "imageGeneration" }),
            r#"completed image_generation [other] "an image is made""#,
        ),
        (
            json!({ "type": "contextCompaction" }),
            r#"completed compact [think] "Codex compacts its context""#,
        ),
        (
            json!({ "type": "plan", "text": "1. look" }),
            r#"completed plan [think] "plan" | "1. look""#,
        ),
        (
            json!({ "type": "functionCallOutput", "name": "f" }),
            r#"completed f [other] "f""#,
        ),
        (
            json!({ "type": "sleep" }),
            r#"completed sleep [other] "waits""#,
        ),
        (
            json!({ "type": "enteredReviewMode", "review": "r" }),
            r#"completed review [think] "a review begins" | "r""#,
        ),
        (
            json!({ "type": "exitedReviewMode", "review": "r" }),
            r#"completed review [think] "a review ends" | "r""#,
        ),
        (
            json!({ "type": "subAgentActivity", "kind": "started" }),
            r#"completed subagent [other] "subagent started""#,
        ),
        (
            json!({ "type": "holographicTool", "title": "spins" }),
            r#"completed holographicTool [other] "spins""#,
        ),
    ] {
        shows(tool, "completed", told);
    }
}

#[test]
fn the_details_of_a_tool_are_the_contracts() {
    let mut story = running();
    story.says(
        "item/started",
        done(
            json!({ "type": "mcpToolCall", "server": "groupx", "tool": "send" }),
            "inProgress",
        ),
    );
    let Some(Output::ToolProgress(tool)) = story.heard().last() else {
        panic!("no tool")
    };
    let details: Value = serde_json::from_str(tool.details.as_deref().unwrap()).unwrap();
    assert_eq!(
        details,
        json!({
            "itemId": "x", "itemType": "mcpToolCall", "status": "inProgress", "server": "groupx", "tool": "send",
            "toolName": "mcp__groupx__send", "title": "groupx: send", "kind": "mcp",
        })
    );
}

#[test]
fn a_tool_left_open_is_closed_before_the_turns_end() {
    let open = || {
        done(
            json!({ "type": "mcpToolCall", "server": "s", "tool": "t" }),
            "inProgress",
        )
    };
    running()
        .says("item/started", open())
        .skip()
        .says("turn/completed", failed("no", json!("other")))
        .told(&[
            r#"t1 tool x failed mcp__s__t [mcp] "s: t""#,
            "t1 failed internal: no",
        ]);
    running()
        .says("item/started", open())
        .skip()
        .exits(1)
        .told(&[
            r#"t1 tool x failed mcp__s__t [mcp] "s: t""#,
            "t1 failed process-exited: Codex ended with exit code 1",
        ]);
}

#[test]
fn long_output_is_clipped_in_its_middle() {
    let output = format!("first{}last", "x".repeat(1 << 20));
    let mut story = running();
    story.says("item/completed", done(json!({ "type": "commandExecution", "command": "y".repeat(9_000), "aggregatedOutput": output }), "completed"));
    let Some(Output::ToolProgress(tool)) = story.heard().last() else {
        panic!("no tool")
    };
    assert!(tool.title.len() <= 300);
    let [groupx_driver_sdk::ToolContent::Text(text)] = &tool.content[..] else {
        panic!("no text")
    };
    assert!(text.len() < 9_000 && text.starts_with("first") && text.ends_with("last"));
}

#[test]
fn an_item_without_an_id_is_noted() {
    running()
        .says("item/started", item(json!({ "type": "sleep" })))
        .told(&[])
        .noted(&["unknown-event"]);
}
