use super::*;
use groupx_driver_sdk::{Input, Output, Oversized};

#[test]
fn a_shell_banner_before_the_first_frame_is_skipped() {
    let mut story = Story::<Claude>::begin(config());
    for _ in 0..40 {
        story.prints("Welcome to the company shell");
    }
    answers(&mut story, 1, json!({}));
    answers(&mut story, 2, json!({}));
    story.told(&[&format!("ready {SESSION}")]);
}

#[test]
fn a_program_that_never_speaks_the_protocol_fails_the_session() {
    let mut story = Story::<Claude>::begin(config());
    for _ in 0..65 {
        story.prints("usage: claude [options]");
    }
    story.told(&["session failed protocol-error: it prints text where its protocol should begin, last: usage: claude [options]"]);
}

#[test]
fn a_line_that_begins_like_a_frame_and_does_not_parse_is_a_protocol_error() {
    let told = "protocol-error: a line on its stdout is broken JSON (EOF while parsing a string at line 1 column 15)";
    running().prints(r#"{"type":"result"#).told(&[
        &format!("t1 failed {told}"),
        &format!("session failed {told}"),
    ]);
}

#[test]
fn drv_08_noise_bad_bytes_and_stray_answers_between_frames_are_survived() {
    let mut story = running();
    story
        .prints("plain words")
        .prints("[1,2]")
        .prints(b"{\"type\":\"keep_alive\",\"x\":\"\xff\"}".to_vec());
    answers(&mut story, 2, json!({}));
    answers(&mut story, 99, json!({}));
    story
        .prints(r#"{"type":"control_response"}"#)
        .prints("{}")
        .noted(&[
            "noise",
            "noise",
            "bad-utf8",
            "stray-response",
            "stray-response",
            "stray-response",
            "unknown-event",
        ]);
    says(&mut story, streamed("m1", "still here"));
    says(&mut story, [result(json!({}))]);
    story.told(&[r#"t1 says m1:0 "still here""#, "t1 completed"]);
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
    let tail = r#"aaa \"is_error\":true","stop_reason":"end_turn","terminal_reason":"completed","uuid":"u"}"#;
    for (head, told) in [
        (
            r#"{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"aaa"#,
            "t1 completed",
        ),
        (
            r#"{"type":"result","subtype":"success","is_error":true,"result":"aaa"#,
            "t1 failed internal: Claude failed the turn without a reason",
        ),
    ] {
        let mut story = running();
        says(&mut story, [message_start("m1"), text(0, "long")]);
        story
            .input(oversized(head, tail))
            .told(&[r#"t1 says m1:0 "long""#, told]);
    }
}

#[test]
fn other_long_lines_are_left_out_and_noted() {
    running()
        .input(oversized(
            r#"{"type":"assistant","message":{"id":"m1"#,
            "\"}",
        ))
        .input(oversized(r#"{"type":"user","message":{"#, "\"}"))
        .input(oversized("words words", "words"))
        .told(&[])
        .noted(&["oversized", "oversized", "oversized"]);
}

#[test]
fn a_long_reason_is_told_in_short() {
    let long = "no ".repeat(100_000);
    let mut story = running();
    says(
        &mut story,
        [result(
            json!({ "is_error": true, "errors": [long], "result": null }),
        )],
    );
    let failed = story.heard().iter().find_map(|output| match output {
        Output::TurnFailed(failed) => Some(&failed.failure),
        _ => None,
    });
    let failure = failed.unwrap();
    assert!(failure.message.len() <= 500, "{}", failure.message);
    let detail = failure.detail.as_ref().unwrap();
    assert!(detail.len() < 5_000, "{} bytes", detail.len());
}

#[test]
fn a_long_line_that_may_be_an_answer_ends_the_session() {
    let told = "protocol-error: a message of 20971520 bytes is more than can be read";
    running()
        .input(oversized(
            r#"{"type":"control_response","response":{"#,
            "}}",
        ))
        .told(&[
            &format!("t1 failed {told}"),
            &format!("session failed {told}"),
        ]);
}
