use super::*;

/// Claude asks for a decision or an answer.
fn asks(story: &mut Story<Claude>, request: Value) {
    story.prints(
        json!({ "type": "control_request", "request_id": "q1", "request": request }).to_string(),
    );
}

fn refused() -> Value {
    let error = "this client answers no questions";
    json!({ "type": "control_response", "response": { "subtype": "error", "request_id": "q1", "error": error } })
}

fn cancelled() -> Value {
    let response =
        json!({ "subtype": "success", "request_id": "q1", "response": { "action": "cancel" } });
    json!({ "type": "control_response", "response": response })
}

const ENDED: &str = "t1 failed refused: Claude asked a question, and none is answered here";

#[test]
fn int_01_a_permission_is_never_decided_but_withdrawn_by_the_interrupt() {
    for (tool, kind) in [("Bash", "permission"), ("AskUserQuestion", "user-input")] {
        let mut story = running();
        let input = json!({ "command": "rm -rf /" });
        asks(
            &mut story,
            json!({ "subtype": "can_use_tool", "tool_name": tool, "input": input }),
        );
        story
            .wrote_json(interrupt(3))
            .wrote_nothing()
            .told(&[&format!(
                "t1 rejected {kind} can_use_tool: {kind} for tool {tool}"
            )]);
        says(
            &mut story,
            [json!({ "type": "control_cancel_request", "request_id": "q1" })],
        );
        answers(&mut story, 3, Value::Null);
        says(&mut story, [aborted()]);
        story.told(&[ENDED]).wrote_nothing().holds(false);
        begin(&mut story, "t2");
    }
}

#[test]
fn int_01_an_elicitation_is_cancelled_and_stops_the_turn() {
    let mut story = running();
    let question =
        json!({ "subtype": "elicitation", "mcp_server_name": "groupx", "message": "secret?" });
    asks(&mut story, question);
    story
        .wrote_json(cancelled())
        .wrote_json(interrupt(3))
        .told(&["t1 rejected elicitation elicitation: elicitation by MCP server groupx"]);
}

#[test]
fn int_01_the_turn_fails_whatever_claude_ends_it_with() {
    for end in [
        aborted(),
        result(json!({ "result": "all well" })),
        result(json!({ "is_error": true, "result": "API Error" })),
    ] {
        let mut story = running();
        says(&mut story, streamed("m1", "text"));
        asks(
            &mut story,
            json!({ "subtype": "request_user_dialog", "dialog_kind": "x" }),
        );
        story.wrote_json(refused()).skip();
        says(&mut story, [end]);
        story.told(&[ENDED]);
    }
}

#[test]
fn int_01_a_question_that_is_never_withdrawn_ends_in_a_new_process() {
    let mut story = running();
    asks(
        &mut story,
        json!({ "subtype": "can_use_tool", "tool_name": "Bash" }),
    );
    story.skip().fires("stop").told(&[
        ENDED,
        "restart wanted: Claude did not stop a turn when it was asked to",
    ]);
}

#[test]
fn int_01_a_question_in_a_cancelled_turn_fails_it() {
    let mut story = running();
    story.cancel("t1").skip();
    asks(
        &mut story,
        json!({ "subtype": "can_use_tool", "tool_name": "Bash" }),
    );
    story.wrote_nothing();
    says(&mut story, [aborted()]);
    story.told(&[
        "t1 rejected permission can_use_tool: permission for tool Bash",
        ENDED,
    ]);
}

#[test]
fn a_question_of_a_later_claude_is_still_a_question() {
    let mut story = running();
    asks(&mut story, json!({ "subtype": "telescope_approval" }));
    story
        .wrote_json(refused())
        .wrote_json(interrupt(3))
        .told(&["t1 rejected permission telescope_approval: permission"]);
}

#[test]
fn a_question_outside_of_turns_is_refused_all_the_same() {
    let mut story = ready();
    asks(
        &mut story,
        json!({ "subtype": "can_use_tool", "tool_name": "Bash" }),
    );
    story
        .wrote_json(refused())
        .told(&["- rejected permission can_use_tool: permission for tool Bash"])
        .wrote_nothing();
}

#[test]
fn any_other_request_gets_an_error_and_stops_nothing() {
    for native in [
        "hook_callback",
        "mcp_message",
        "oauth_token_refresh",
        "moon_phase",
    ] {
        let mut story = running();
        asks(&mut story, json!({ "subtype": native }));
        let error = "not supported by this client";
        story
            .wrote_json(json!({ "type": "control_response", "response": { "subtype": "error", "request_id": "q1", "error": error } }))
            .told(&[])
            .noted(&["unsupported-request"])
            .wrote_nothing();
    }
}
