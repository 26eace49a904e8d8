use super::*;

fn permission(kind: &str) -> Value {
    json!({
        "sessionId": "s1",
        "toolCall": { "toolCallId": "a", "title": "rm -rf /", "kind": kind },
        "options": [{ "optionId": "yes", "name": "Yes", "kind": "allow_once" }],
    })
}

fn cancelled(id: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": { "outcome": { "outcome": "cancelled" } } })
}

const FAILED: &str = "t1 failed refused: the agent asked a question, and none is answered here";

#[test]
fn int_01_a_permission_is_cancelled_never_chosen_and_stops_the_turn() {
    for (native, kind) in [
        ("execute", "command-approval"),
        ("delete", "file-change-approval"),
        ("other", "permission"),
    ] {
        let mut story = running();
        story
            .updates("tool_call", json!({ "toolCallId": "a", "title": "Bash" }))
            .skip()
            // Agents count their requests from 0.
            .asks(json!(0), "session/request_permission", permission(native))
            .answered(cancelled(json!(0)))
            .told(&[&format!(
                "t1 rejected {kind} session/request_permission: {kind} for tool Bash"
            )]);
        assert_eq!(story.called("session/cancel"), json!({ "sessionId": "s1" }));
        story
            .ends("cancelled")
            .told(&[r#"t1 tool a failed Bash [other] "Bash""#, FAILED])
            .holds(false);
    }
}

#[test]
fn int_01_the_turn_fails_whatever_the_agent_ends_it_with() {
    let mut story = running();
    story
        .says_text("text")
        .asks(json!("q"), "session/request_permission", permission("edit"))
        .skip()
        .says_text("and more")
        .skip()
        .ends("end_turn")
        .told(&[FAILED]);
    let mut story = running();
    story
        .asks(json!(0), "session/request_permission", permission("edit"))
        .skip()
        .refuses("session/prompt", -32603, "aborted")
        .told(&[FAILED]);
}

#[test]
fn int_01_a_question_that_is_never_withdrawn_ends_in_a_new_process() {
    running()
        .asks(json!(0), "session/request_permission", permission("edit"))
        .skip()
        .fires("stop")
        .told(&[
            FAILED,
            "restart wanted: the agent did not stop a turn when it was asked to",
        ]);
}

#[test]
fn several_questions_stop_a_turn_once() {
    let mut story = running();
    story
        .asks(json!(0), "session/request_permission", permission("edit"))
        .skip()
        .asks(json!(1), "session/request_permission", permission("edit"))
        .answered(cancelled(json!(1)))
        .wrote_nothing();
}

#[test]
fn a_question_without_a_prompt_in_flight_is_cancelled_and_nothing_else() {
    let mut story = ready();
    story
        .asks(json!(0), "session/request_permission", permission("edit"))
        .answered(cancelled(json!(0)))
        .wrote_nothing()
        .told(&[
            "- rejected file-change-approval session/request_permission: file-change-approval",
        ]);
    let mut story = greeted(config(), json!({}));
    story.called("session/new");
    story
        .asks(json!(0), "session/request_permission", permission("edit"))
        .answered(cancelled(json!(0)));
}

#[test]
fn int_01_questions_of_drafts_and_vendors_are_questions() {
    let declined = json!({ "code": -32800, "message": "this client answers no questions" });
    for (method, kind, answer) in [
        (
            "session/elicitation",
            "elicitation",
            json!({ "result": { "action": "cancel" } }),
        ),
        (
            "_x.ai/ask_user_question",
            "user-input",
            json!({ "error": declined }),
        ),
        (
            "_x.ai/exit_plan_mode",
            "permission",
            json!({ "error": declined }),
        ),
    ] {
        let mut story = running();
        let mut expected = answer;
        expected["jsonrpc"] = json!("2.0");
        expected["id"] = json!(7);
        story
            .asks(json!(7), method, json!({}))
            .answered(expected)
            .told(&[&format!("t1 rejected {kind} {method}: {kind}")]);
        story.called("session/cancel");
    }
}

#[test]
fn any_other_request_gets_the_protocols_error() {
    for method in ["fs/read_text_file", "terminal/create", "_vendor/thing"] {
        running()
            .asks(json!(0), method, json!({ "sessionId": "s1" }))
            .answered(json!({
                "jsonrpc": "2.0",
                "id": 0,
                "error": { "code": -32601, "message": "not supported by this client" },
            }))
            .told(&[])
            .noted(&["unsupported-request"])
            .wrote_nothing();
    }
}
