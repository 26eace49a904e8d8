use super::*;
use groupx_driver_sdk::{Input, Oversized};

#[test]
fn w06_a_shell_banner_before_the_first_message_is_skipped() {
    let mut story = Story::<Codex>::begin(config());
    for _ in 0..40 {
        story.prints("Welcome to the company shell");
    }
    story.called("initialize");
    story
        .answers("initialize", json!({}))
        .told(&[])
        .called("initialized");
}

#[test]
fn w06_a_program_that_never_speaks_the_protocol_fails_the_session() {
    let mut story = Story::<Codex>::begin(config());
    for _ in 0..65 {
        story.prints("usage: codex [options]");
    }
    story.told(&["session failed protocol-error: it prints text where its protocol should begin, last: usage: codex [options]"]);
}

#[test]
fn w06_a_line_that_begins_like_a_message_and_does_not_parse_is_a_protocol_error() {
    let told = "protocol-error: a line on its stdout is broken JSON (EOF while parsing an object at line 1 column 26)";
    running()
        .prints(r#"{"method":"turn/completed""#)
        .told(&[
            &format!("t1 failed {told}"),
            &format!("session failed {told}"),
        ])
        .says("turn/completed", ended("completed"))
        .told(&[]);
}

#[test]
fn drv_08_noise_bad_bytes_and_stray_answers_between_messages_are_survived() {
    let mut story = running();
    story
        .prints("plain words")
        .prints("[1,2]")
        .prints(b"{\"method\":\"warning\",\"params\":{\"message\":\"\xff\"}}".to_vec())
        .prints(r#"{"id":1,"result":{}}"#)
        .prints(r#"{"id":99,"result":{}}"#)
        .prints(r#"{"method":7}"#)
        .prints("{}")
        .noted(&[
            "noise",
            "noise",
            "bad-utf8",
            "warning",
            "stray-response",
            "stray-response",
            "bad-json",
            "bad-json",
        ])
        .says("item/agentMessage/delta", delta("m", "still here"))
        .says("turn/completed", ended("completed"))
        .told(&[r#"t1 says m "still here""#, "t1 completed"]);
}

fn oversized(head: &str, tail: &str) -> Input {
    Input::FrameOversized(Oversized {
        bytes: 20 << 20,
        head: head.into(),
        tail: tail.into(),
    })
}

#[test]
fn the_end_of_a_turn_is_recognized_in_a_line_that_was_too_long() {
    let head = r#"{"method":"turn/completed","params":{"threadId":"thread-1","turn":{"id":"n1","rootTurnId":"n1","items":[{"type":"agentMessage","text":"aaaa"#;
    let tail = r#"aaaa","phase":null}],"itemsView":"summary","status":"completed","error":null}},"emittedAtMs":1}"#;
    running()
        .says("item/agentMessage/delta", delta("m", "long"))
        .input(oversized(head, tail))
        .told(&[r#"t1 says m "long""#, "t1 completed"]);
}

#[test]
fn other_long_lines_are_left_out_and_noted() {
    let head = r#"{"method":"item/completed","params":{"item":{"type":"commandExecution","id":"x","aggregatedOutput":"aaa"#;
    running()
        .input(oversized(head, "aaa\"}}}"))
        .input(oversized("words words", "words"))
        .told(&[])
        .noted(&["oversized", "oversized"]);
}

#[test]
fn a_long_line_that_may_be_an_answer_ends_the_session() {
    running()
        .input(oversized(
            r#"{"id":4,"result":{"turn":{"items":["aaa"#,
            "aaa\"]}}}",
        ))
        .told(&[
            "t1 failed protocol-error: a message of 20971520 bytes is more than can be read",
            "session failed protocol-error: a message of 20971520 bytes is more than can be read",
        ]);
}
