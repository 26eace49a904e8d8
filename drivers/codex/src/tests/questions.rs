use super::*;

/// The agent asks in a running turn; gives the story after the answer was checked.
fn asked(method: &str, params: Value, answer: Value, told: &str) -> Story<Codex> {
    let mut story = running();
    story
        .asks(json!(0), method, n1(params))
        .answered(answer)
        .told(&[told]);
    assert_eq!(story.called("turn/interrupt")["turnId"], "n1");
    story
}

fn declined() -> Value {
    json!({ "id": 0, "error": { "code": -32000, "message": "this client answers no questions" } })
}

#[test]
fn int_01_every_question_is_cancelled_never_decided_and_stops_the_turn() {
    let cancel = json!({ "id": 0, "result": { "decision": "cancel" } });
    let command = json!({ "command": "rm -rf /", "availableDecisions": ["accept", "cancel"] });
    let cases = [
        (
            "item/commandExecution/requestApproval",
            command,
            cancel.clone(),
            "command-approval",
        ),
        (
            "item/fileChange/requestApproval",
            json!({}),
            cancel,
            "file-change-approval",
        ),
        (
            "item/permissions/requestApproval",
            json!({ "permissions": {} }),
            declined(),
            "permission",
        ),
        (
            "item/tool/requestUserInput",
            json!({ "questions": [] }),
            declined(),
            "user-input",
        ),
        (
            "execCommandApproval",
            json!({}),
            declined(),
            "command-approval",
        ),
        (
            "applyPatchApproval",
            json!({}),
            declined(),
            "file-change-approval",
        ),
        (
            "item/telescope/requestApproval",
            json!({}),
            declined(),
            "permission",
        ),
    ];
    for (method, params, answer, kind) in cases {
        asked(
            method,
            params,
            answer,
            &format!("t1 rejected {kind} {method}: {kind}"),
        )
        .answers("turn/interrupt", json!({}))
        .says("turn/completed", ended("interrupted"))
        .told(&["t1 failed refused: Codex asked a question, and none is answered here"])
        .holds(false);
    }
}

#[test]
fn int_01_an_elicitation_is_cancelled_and_only_the_tools_name_is_told() {
    asked(
        "mcpServer/elicitation/request",
        json!({ "message": "Allow?", "_meta": { "tool_name": "ask", "tool_params": { "secret": 1 } } }),
        json!({ "id": 0, "result": { "action": "cancel", "content": null } }),
        "t1 rejected elicitation mcpServer/elicitation/request: elicitation for tool ask",
    );
}

#[test]
fn int_01_the_turn_fails_whatever_codex_ends_it_with() {
    for status in ["completed", "interrupted", "failed"] {
        let mut story = running();
        story
            .says("item/agentMessage/delta", delta("m", "text"))
            .asks(json!("q"), "item/tool/requestUserInput", n1(json!({})))
            .skip()
            .says("turn/completed", ended(status))
            .told(&["t1 failed refused: Codex asked a question, and none is answered here"]);
    }
}

#[test]
fn int_01_a_question_that_is_never_withdrawn_ends_in_a_new_process() {
    running()
        .asks(json!(0), "item/tool/requestUserInput", n1(json!({})))
        .skip()
        .fires("stop")
        .told(&[
            "t1 failed refused: Codex asked a question, and none is answered here",
            "restart wanted: Codex did not stop a turn when it was asked to",
        ]);
}

#[test]
fn several_questions_stop_a_turn_once() {
    let mut story = running();
    story
        .asks(json!(0), "item/fileChange/requestApproval", n1(json!({})))
        .skip();
    story.asks(json!(1), "item/fileChange/requestApproval", n1(json!({})));
    story
        .answered(json!({ "id": 1, "result": { "decision": "cancel" } }))
        .wrote_nothing();
}

#[test]
fn a_subagents_question_stops_the_rooms_turn() {
    let mut story = running();
    story.asks(
        json!(0),
        "item/fileChange/requestApproval",
        json!({ "threadId": "child", "turnId": "c1" }),
    );
    story
        .answered(json!({ "id": 0, "result": { "decision": "cancel" } }))
        .told(&["t1 rejected file-change-approval item/fileChange/requestApproval: file-change-approval"]);
    story.called("turn/interrupt");
}

#[test]
fn a_question_outside_our_turns_is_refused_all_the_same() {
    let mut story = ready();
    story
        .asks(
            json!(0),
            "item/fileChange/requestApproval",
            of(json!({ "turnId": "x" })),
        )
        .answered(json!({ "id": 0, "result": { "decision": "cancel" } }))
        .told(&[
            "- rejected file-change-approval item/fileChange/requestApproval: file-change-approval",
        ])
        .wrote_nothing();
}

#[test]
fn any_other_request_gets_the_protocols_error() {
    for method in [
        "item/tool/call",
        "account/chatgptAuthTokens/refresh",
        "attestation/generate",
        "fs/readFile",
    ] {
        running()
            .asks(json!(7), method, n1(json!({})))
            .answered(json!({ "id": 7, "error": { "code": -32601, "message": "not supported by this client" } }))
            .told(&[])
            .noted(&["unsupported-request"])
            .wrote_nothing();
    }
}
