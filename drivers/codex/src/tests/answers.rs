use super::*;

#[test]
fn turn_15_all_messages_are_the_answer_in_their_order() {
    running()
        .says("item/agentMessage/delta", delta("m1", "first"))
        .says("item/completed", message("m1", "first"))
        .says("item/agentMessage/delta", delta("m2", "second"))
        .says("item/completed", message("m2", "second"))
        .says("turn/completed", ended("completed"))
        .told(&[
            r#"t1 says m1 "first""#,
            r#"t1 says m2 "second""#,
            "t1 completed",
        ]);
}

#[test]
fn turn_15_commentary_is_streamed_and_left_out_of_the_answer() {
    let phased = |id: &str, text: &str, phase: &str| {
        item(json!({ "type": "agentMessage", "id": id, "text": text, "phase": phase }))
    };
    running()
        .says("item/started", phased("m1", "", "commentary"))
        .says("item/agentMessage/delta", delta("m1", "I look around."))
        .says(
            "item/completed",
            phased("m1", "I look around.", "commentary"),
        )
        .says("item/agentMessage/delta", delta("m2", "One."))
        .says("item/completed", phased("m2", "One.", "partial_answer"))
        .says("item/agentMessage/delta", delta("m3", "Two."))
        .says("item/completed", phased("m3", "Two.", "final_answer"))
        .says("turn/completed", ended("completed"))
        .told(&[
            r#"t1 says m1 "I look around.""#,
            r#"t1 says m2 "One.""#,
            r#"t1 says m3 "Two.""#,
            r#"t1 completed with "One.\n\nTwo.""#,
        ]);
}

#[test]
fn a_message_that_was_not_streamed_is_told_when_it_is_complete() {
    running()
        .says("item/completed", message("m", "all at once"))
        .says("turn/completed", ended("completed"))
        .told(&[r#"t1 says m "all at once""#, "t1 completed"]);
}

#[test]
fn the_rest_of_a_message_is_made_up_for() {
    running()
        .says("item/agentMessage/delta", delta("m", "台北"))
        .says("item/completed", message("m", "台北🙂"))
        .told(&[r#"t1 says m "台北""#, r#"t1 says m "🙂""#]);
}

#[test]
fn a_message_that_codex_changed_is_taken_back_and_told_anew() {
    running()
        .says("item/agentMessage/delta", delta("m", "something rude"))
        .says("item/completed", message("m", "[removed]"))
        .told(&[
            r#"t1 says m "something rude""#,
            "t1 takes back m",
            r#"t1 says m "[removed]""#,
        ]);
}

#[test]
fn the_end_of_a_turn_repeats_its_last_message_and_that_is_not_told_twice() {
    let end = |id: &str| {
        let items = json!([{ "type": "agentMessage", "id": id, "text": "text" }]);
        of(json!({ "turn": { "id": "n1", "status": "completed", "error": null, "items": items } }))
    };
    running()
        .says("item/completed", message("m", "text"))
        .says("turn/completed", end("m"))
        .told(&[r#"t1 says m "text""#, "t1 completed"]);
    running()
        .says("turn/completed", end("m"))
        .told(&[r#"t1 says m "text""#, "t1 completed"]);
}

#[test]
fn a_stream_that_broke_is_taken_back_once_it_is_begun_anew() {
    let retry = n1(json!({ "willRetry": true, "error": { "message": "Reconnecting... 1/5" } }));
    running()
        .says("item/started", message("m1", ""))
        .says("item/agentMessage/delta", delta("m1", "partial"))
        .says("error", retry)
        .told(&[
            r#"t1 says m1 "partial""#,
            r#"t1 progress "Reconnecting... 1/5""#,
        ])
        .says("item/started", message("m2", ""))
        .says("item/agentMessage/delta", delta("m2", "partial and whole"))
        .says("item/completed", message("m2", "partial and whole"))
        .says("turn/completed", ended("completed"))
        .told(&[
            "t1 takes back m1",
            r#"t1 says m2 "partial and whole""#,
            "t1 completed",
        ]);
}

#[test]
fn a_stream_that_goes_on_after_a_retry_is_not_taken_back() {
    let retry = n1(json!({ "willRetry": true, "error": { "message": "again" } }));
    running()
        .says("item/agentMessage/delta", delta("m1", "one "))
        .says("error", retry)
        .says("item/agentMessage/delta", delta("m1", "two"))
        .says("item/started", message("m2", ""))
        .told(&[
            r#"t1 says m1 "one ""#,
            r#"t1 progress "again""#,
            r#"t1 says m1 "two""#,
        ]);
}

#[test]
fn reasoning_is_told_once_though_it_comes_as_summary_and_raw() {
    let part = |delta: &str, key: &str, index: i64| {
        let mut params = n1(json!({ "itemId": "r", "delta": delta }));
        params[key] = json!(index);
        params
    };
    running()
        .says("item/reasoning/summaryTextDelta", part("plan", "summaryIndex", 0))
        .says("item/reasoning/textDelta", part("the raw plan", "contentIndex", 0))
        .says("item/reasoning/summaryTextDelta", part("next", "summaryIndex", 1))
        .says("item/completed", item(json!({ "type": "reasoning", "id": "r", "summary": ["plan", "next"], "content": ["the raw plan"] })))
        .told(&[r#"t1 thinks r "plan""#, r#"t1 thinks r "\n\nnext""#]);
}

#[test]
fn reasoning_that_was_not_streamed_is_told_when_it_is_complete() {
    running()
        .says("item/completed", item(json!({ "type": "reasoning", "id": "r", "summary": [], "content": ["raw"] })))
        .says("item/completed", item(json!({ "type": "reasoning", "id": "s", "summary": ["a", "b"], "content": ["raw"] })))
        .told(&[r#"t1 thinks r "raw""#, r#"t1 thinks s "a\n\nb""#]);
}

#[test]
fn a_very_long_answer_keeps_no_second_copy_and_stays_whole() {
    let piece = "x".repeat(1 << 20);
    let mut story = running();
    for _ in 0..6 {
        story.says("item/agentMessage/delta", delta("m", &piece));
    }
    story
        .skip()
        .says("item/completed", message("m", &piece.repeat(6)))
        .told(&[]);
    story
        .says("turn/completed", ended("completed"))
        .told(&["t1 completed"]);
}
