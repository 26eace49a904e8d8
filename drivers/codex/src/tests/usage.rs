use super::*;

fn figures(turn: &str, input: u64, last: u64) -> Value {
    let figures = |input: u64| json!({ "totalTokens": input + 5, "inputTokens": input, "cachedInputTokens": 1, "outputTokens": 5, "reasoningOutputTokens": 2 });
    of(
        json!({ "turnId": turn, "tokenUsage": { "total": figures(input), "last": figures(last), "modelContextWindow": 1000 } }),
    )
}

#[test]
fn a_turns_usage_is_what_the_threads_has_grown_by() {
    let mut story = running();
    story
        .says("thread/tokenUsage/updated", figures("n1", 100, 100))
        .says("thread/tokenUsage/updated", figures("n1", 250, 150))
        .says("item/completed", message("m", "x"))
        .says("turn/completed", ended("completed"))
        .told(&[
            "t1 usage in=100 cached=1 out=5 reasoning=2 context=105 window=1000",
            "t1 usage in=250 cached=1 out=5 reasoning=2 context=155 window=1000",
            r#"t1 says m "x""#,
            "t1 completed",
        ]);
    begin(&mut story, "t2", "n2");
    story
        .says("thread/tokenUsage/updated", figures("n2", 300, 50))
        .told(&["t2 usage in=50 cached=0 out=0 reasoning=0 context=55 window=1000"]);
}

#[test]
fn figures_of_an_earlier_turn_speak_of_the_session() {
    let mut story = running();
    story
        .says("item/completed", message("m", "x"))
        .says("turn/completed", ended("completed"))
        .skip()
        .says("thread/tokenUsage/updated", figures("n1", 400, 50))
        .told(&["- usage context=55 window=1000"]);
    begin(&mut story, "t2", "n2");
    story
        .says("thread/tokenUsage/updated", figures("n2", 500, 100))
        .told(&["t2 usage in=100 cached=0 out=0 reasoning=0 context=105 window=1000"]);
}

#[test]
fn a_resumed_thread_counts_from_its_first_figures() {
    let mut story = greeted(Story::begin(groupx_driver_sdk::SessionConfig {
        resume: Some("thread-1".into()),
        ..config()
    }));
    story.called("thread/resume");
    story.answers("thread/resume", opened("thread-1")).skip();
    begin(&mut story, "t1", "n1");
    story
        .says("thread/tokenUsage/updated", figures("n1", 1_000, 70))
        .told(&["t1 usage in=70 cached=1 out=5 reasoning=2 context=75 window=1000"]);
}

#[test]
fn figures_that_are_not_there_stay_absent() {
    running()
        .says(
            "thread/tokenUsage/updated",
            n1(json!({ "tokenUsage": null })),
        )
        .told(&[])
        .says(
            "thread/tokenUsage/updated",
            n1(json!({ "tokenUsage": { "total": {}, "last": {} } })),
        )
        .told(&["t1 usage"]);
}
