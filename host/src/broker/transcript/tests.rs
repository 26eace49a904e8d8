use super::*;

fn turn() -> TurnId {
    TurnId::trusted("turn_1")
}

fn text_of(body: &EventBody) -> (String, bool) {
    match body {
        EventBody::ContentDelta { text, reset, .. } => (text.clone(), *reset),
        other => panic!("{other:?}"),
    }
}

fn news(call: &str, over: bool) -> ToolNews {
    ToolNews {
        call_id: call.into(),
        over,
        details: json!({ "title": call }),
    }
}

#[test]
fn turn_15_the_answer_is_all_messages_in_order_and_the_live_text_is_the_same() {
    let mut transcript = Transcript::default();
    let mut live = String::new();
    for (item, text) in [
        ("a", "I look"),
        ("a", " around."),
        ("b", ""),
        ("b", "It is"),
        ("b", " fine."),
    ] {
        live.push_str(&text_of(&transcript.content(&turn(), item, text)).0);
    }
    assert_eq!(transcript.answer(None), "I look around.\n\nIt is fine.");
    assert_eq!(live, transcript.answer(None));
    assert_eq!(transcript.answer(Some("only this".into())), "only this");
}

#[test]
fn a_message_that_is_begun_anew_replaces_what_was_streamed_of_it() {
    let mut transcript = Transcript::default();
    transcript.content(&turn(), "a", "kept");
    transcript.content(&turn(), "b", "partial ans");
    assert_eq!(
        text_of(&transcript.reset(&turn(), "b")),
        ("kept".into(), true)
    );
    transcript.content(&turn(), "c", "whole answer");
    assert_eq!(transcript.answer(None), "kept\n\nwhole answer");
}

#[test]
fn a_huge_answer_is_cut_with_a_mark_and_memory_stays_bounded() {
    let mut transcript = Transcript::default();
    let megabyte = "x".repeat(1 << 20);
    for _ in 0..40 {
        transcript.content(&turn(), "a", &megabyte);
    }
    let answer = transcript.answer(None);
    assert!(answer.ends_with(CUT) && answer.len() == ANSWER_BYTES + CUT.len());
    assert!(transcript.bytes <= 2 * ANSWER_BYTES + (1 << 20));
}

#[test]
fn tools_are_recorded_begun_and_ended_and_too_many_are_summed_up() {
    let mut transcript = Transcript::default();
    assert!(transcript.is_empty(None));
    transcript.tool(&turn(), Timestamp(1), news("one", false));
    transcript.tool(&turn(), Timestamp(2), news("one", false));
    transcript.tool(&turn(), Timestamp(3), news("one", true));
    transcript.tool(&turn(), Timestamp(4), news("two", true));
    let kinds: Vec<_> = transcript
        .tool_records()
        .iter()
        .map(|r| (r.at.0, r.event))
        .collect();
    use ToolEvent::*;
    assert_eq!(
        kinds,
        [(1, Started), (3, Completed), (4, Started), (4, Completed)]
    );
    assert!(!transcript.is_empty(None));
    for number in 0..TOOL_RECORDS {
        transcript.tool(&turn(), Timestamp(5), news(&number.to_string(), false));
    }
    let records = transcript.tool_records();
    assert_eq!(records.len(), TOOL_RECORDS + 1);
    assert_eq!(
        records[TOOL_RECORDS].details["title"],
        "4 more tool records are not kept"
    );
}
