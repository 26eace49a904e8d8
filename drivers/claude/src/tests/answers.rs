use super::*;

fn thought(index: u64, text: &str) -> Value {
    let delta = json!({ "type": "thinking_delta", "thinking": text });
    event(json!({ "type": "content_block_delta", "index": index, "delta": delta }))
}

#[test]
fn turn_15_each_text_block_is_an_item_and_thoughts_are_apart() {
    let mut story = running();
    says(
        &mut story,
        [
            message_start("m1"),
            block_start(
                0,
                json!({ "type": "thinking", "thinking": "", "signature": "" }),
            ),
            thought(0, "hm"),
            assistant(
                "m1",
                json!([{ "type": "thinking", "thinking": "hm", "signature": "x" }]),
            ),
            block_start(1, json!({ "type": "text", "text": "" })),
            text(1, "one "),
            text(1, "and"),
            said("m1", "one and"),
            message_stop(),
            message_start("m2"),
            block_start(0, json!({ "type": "text", "text": "two" })),
            said("m2", "two"),
            message_stop(),
            result(json!({ "result": "two" })),
        ],
    );
    story.told(&[
        r#"t1 thinks m1:0 "hm""#,
        r#"t1 says m1:1 "one ""#,
        r#"t1 says m1:1 "and""#,
        r#"t1 says m2:0 "two""#,
        "t1 completed",
    ]);
}

#[test]
fn what_was_not_streamed_is_made_up_for() {
    let mut story = running();
    says(
        &mut story,
        [
            message_start("m1"),
            block_start(0, json!({ "type": "text", "text": "" })),
            text(0, "half "),
            said("m1", "half a word"),
            said("m1", "a second block"),
            message_stop(),
        ],
    );
    says(
        &mut story,
        [said("m2", "never streamed"), result(json!({}))],
    );
    story.told(&[
        r#"t1 says m1:0 "half ""#,
        r#"t1 says m1:0 "a word""#,
        r#"t1 says m1:1 "a second block""#,
        r#"t1 says m2:0 "never streamed""#,
        "t1 completed",
    ]);
}

#[test]
fn a_block_that_claude_changed_is_said_anew() {
    let mut story = running();
    says(
        &mut story,
        [message_start("m1"), text(0, "draft"), said("m1", "final")],
    );
    story.told(&[
        r#"t1 says m1:0 "draft""#,
        "t1 takes back m1:0",
        r#"t1 says m1:0 "final""#,
    ]);
}

#[test]
fn a_message_that_is_begun_anew_after_a_cut_takes_the_first_one_back() {
    let mut story = running();
    says(
        &mut story,
        [message_start("m1"), text(0, "partial"), text(0, " then")],
    );
    says(
        &mut story,
        [
            said("m2", "partial then cut"),
            result(json!({ "result": "partial then cut" })),
        ],
    );
    story.told(&[
        r#"t1 says m1:0 "partial""#,
        r#"t1 says m1:0 " then""#,
        "t1 takes back m1:0",
        r#"t1 says m2:0 "partial then cut""#,
        "t1 completed",
    ]);
}

#[test]
fn a_cut_stream_that_streams_again_takes_the_first_one_back() {
    let mut story = running();
    says(&mut story, [message_start("m1"), text(0, "partial")]);
    says(&mut story, streamed("m2", "whole"));
    says(&mut story, [result(json!({}))]);
    story.told(&[
        r#"t1 says m1:0 "partial""#,
        "t1 takes back m1:0",
        r#"t1 says m2:0 "whole""#,
        "t1 completed",
    ]);
}

#[test]
fn a_cut_without_a_new_message_takes_nothing_back() {
    let mut story = running();
    says(
        &mut story,
        [
            message_start("m1"),
            text(0, "partial"),
            said("m1", "partial"),
        ],
    );
    says(
        &mut story,
        [synthetic("API Error: overloaded", "overloaded")],
    );
    says(
        &mut story,
        [result(
            json!({ "is_error": true, "result": "API Error: overloaded" }),
        )],
    );
    story.told(&[
        r#"t1 says m1:0 "partial""#,
        "t1 failed model-unavailable: API Error: overloaded",
    ]);
}

#[test]
fn a_refusal_in_the_models_place_is_no_answer() {
    let mut story = running();
    says(
        &mut story,
        [
            message_start("m1"),
            text(0, "partial"),
            said("m1", "partial"),
        ],
    );
    says(
        &mut story,
        [
            synthetic("API Error: unable to respond", "invalid_request"),
            message_stop(),
        ],
    );
    let words = json!({ "is_error": true, "stop_reason": "refusal", "result": "API Error: unable to respond" });
    says(&mut story, [result(words)]);
    story.told(&[
        r#"t1 says m1:0 "partial""#,
        "t1 failed refused: API Error: unable to respond",
    ]);
}

#[test]
fn an_answer_that_only_the_result_has_is_given_with_the_end() {
    let mut story = running();
    says(
        &mut story,
        [result(json!({ "result": "## Context Usage" }))],
    );
    story.told(&[r###"t1 completed with "## Context Usage""###]);
}

#[test]
fn a_delta_without_the_beginning_of_its_message_still_counts_once() {
    let mut story = running();
    says(
        &mut story,
        [
            text(0, "he"),
            text(0, "llo"),
            said("m1", "hello"),
            result(json!({})),
        ],
    );
    story.told(&[
        r#"t1 says message:0 "he""#,
        r#"t1 says message:0 "llo""#,
        "t1 takes back message:0",
        r#"t1 says m1:0 "hello""#,
        "t1 completed",
    ]);
}

#[test]
fn three_megabytes_are_streamed_once() {
    let long = "台".repeat(1 << 20);
    let mut story = running();
    says(
        &mut story,
        [
            message_start("m1"),
            text(0, &long),
            text(0, &long),
            text(0, &long),
        ],
    );
    says(
        &mut story,
        [
            said("m1", &long.repeat(3)),
            message_stop(),
            result(json!({})),
        ],
    );
    let said: usize = story
        .heard()
        .iter()
        .filter_map(|output| match output {
            groupx_driver_sdk::Output::ContentDelta(delta) => Some(delta.text.len()),
            _ => None,
        })
        .sum();
    assert_eq!(said, 3 * long.len());
}
