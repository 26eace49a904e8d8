use super::*;
use groupx_driver_sdk::{Input, Oversized};

#[test]
fn w19_noise_between_messages_is_noted_within_bounds_and_not_fatal() {
    let mut story = running();
    story
        .prints("\u{1b}[31mERROR\u{1b}[0m something")
        .prints("")
        .prints(r#""a JSON string""#)
        .prints("[1,2]")
        .prints(r#"{"id":1,"result":{}}"#)
        .prints(r#"{"id":99,"result":{}}"#)
        .prints("{}")
        .prints(r#"{"method":7}"#)
        .noted(&[
            "noise",
            "noise",
            "noise",
            "stray-response",
            "stray-response",
            "bad-json",
            "bad-json",
        ])
        .says_text("still here")
        .ends("end_turn")
        .told(&["t1 started -", r#"t1 says 1 "still here""#, "t1 completed"]);
    let mut story = running();
    for _ in 0..1_000 {
        story.prints("INFO");
    }
    story.noted(&["noise"; 8]);
}

#[test]
fn a_line_that_begins_like_a_message_and_does_not_parse_is_a_protocol_error() {
    let told = "protocol-error: a line on its stdout is broken JSON (EOF while parsing an object at line 1 column 26)";
    running()
        .prints(r#"{"method":"session/update""#)
        .told(&[
            &format!("t1 failed {told}"),
            &format!("session failed {told}"),
        ])
        .ends("end_turn")
        .told(&[]);
}

#[test]
fn huge_lines_are_read_or_left_out_but_a_question_is_answered() {
    let long = "x".repeat(600_000);
    running()
        .updates(
            "available_commands_update",
            json!({ "availableCommands": [long] }),
        )
        .told(&[])
        .noted(&[]);
    let oversized = |head: &str| {
        Input::FrameOversized(Oversized {
            bytes: 20 << 20,
            head: head.into(),
            tail: "aaa\"}}}".into(),
        })
    };
    let mut story = running();
    story
        .input(oversized(r#"{"jsonrpc":"2.0","method":"session/update","params":{"sess"#))
        .noted(&["oversized"])
        .input(oversized(r#"{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"#))
        .answered(json!({ "jsonrpc": "2.0", "id": 0, "result": { "outcome": { "outcome": "cancelled" } } }))
        .told(&["t1 rejected permission session/request_permission: permission"]);
    story.called("session/cancel");
    story
        .input(oversized(r#"{"jsonrpc":"2.0","id":3,"result":{"#))
        .told(&[
            "t1 failed protocol-error: a message of 20971520 bytes is more than can be read",
            "session failed protocol-error: a message of 20971520 bytes is more than can be read",
        ]);
}
