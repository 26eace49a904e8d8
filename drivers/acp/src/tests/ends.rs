use super::*;

#[test]
fn a_turn_without_an_answer_is_no_success() {
    running().thinks("hm").ends("end_turn").told(&[
        "t1 started -",
        r#"t1 thinks 1 "hm""#,
        "t1 failed empty-answer: the agent ended the turn without an answer",
    ]);
    running()
        .says_text(" \n")
        .skip()
        .ends("end_turn")
        .told(&["t1 failed empty-answer: the agent ended the turn without an answer"]);
}

#[test]
fn an_error_fails_the_turn_and_the_next_works() {
    let mut story = running();
    story
        .prints(r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Internal error","data":{"message":"API error (status 400 Bad Request): bad shape","http_status":400}}}"#)
        .told(&["t1 failed internal: the agent: API error (status 400 Bad Request): bad shape"])
        .holds(false);
    story.prompt("t2", "again").called("session/prompt");
    story.says_text("fine").ends("end_turn").told(&[
        "t2 started -",
        r#"t2 says 1 "fine""#,
        "t2 completed",
    ]);
}

#[test]
fn hermes_tells_a_failure_as_text_and_without_figures() {
    let mut story = hermes();
    story.prompt("t1", "hello").called("session/prompt");
    story
        .says_text("HTTP 401: bad key")
        .ends("end_turn")
        .told(&[
            "t1 started -",
            r#"t1 says 1 "HTTP 401: bad key""#,
            "t1 failed not-authenticated: Hermes: HTTP 401: bad key",
        ])
        .holds(false);
}

#[test]
fn hermes_may_break_off_without_a_reason() {
    for (text, told) in [
        (
            "API call failed after 3 retries: HTTP 429: slow down",
            "t1 failed rate-limited: Hermes: API call failed after 3 retries: HTTP 429: slow down",
        ),
        (
            "partial answer",
            "t1 failed internal: Hermes could not finish its answer, which begins: partial answer",
        ),
    ] {
        let mut story = hermes();
        story.prompt("t1", "hello").called("session/prompt");
        story.says_text(text).skip().ends("end_turn").told(&[told]);
    }
}

#[test]
fn a_stuck_hermes_is_started_again_and_takes_no_prompt_until_then() {
    let mut story = hermes();
    story.prompt("t1", "hello").called("session/prompt");
    story
        .says_text("Queued for the next turn. (1 queued)")
        .skip()
        .ends("end_turn")
        .told(&[
            "t1 failed internal: Hermes was stuck and took no message; it is started again",
            "restart wanted: Hermes will not answer again in this session",
        ])
        .holds(true);
}

#[test]
fn the_process_may_end_in_the_middle() {
    use groupx_driver_sdk::{ExitStatus, Input};
    let status = ExitStatus {
        code: None,
        signal: Some(9),
        expected: false,
    };
    running()
        .updates("tool_call", json!({ "toolCallId": "a", "title": "Bash" }))
        .skip()
        .input(Input::StdoutEof)
        .input(Input::ProcessExited(status))
        .told(&[
            r#"t1 tool a failed Bash [other] "Bash""#,
            "t1 failed process-exited: the agent was ended by signal 9",
        ]);
}
