use super::*;

fn tokens(input: u64, stored: u64, cached: u64, output: u64) -> Value {
    json!({ "input_tokens": input, "cache_creation_input_tokens": stored,
        "cache_read_input_tokens": cached, "output_tokens": output })
}

fn models(input: u64, cached: u64, output: u64) -> Value {
    json!({ "claude-x[1m]": { "inputTokens": input, "cacheReadInputTokens": cached,
        "cacheCreationInputTokens": 0, "outputTokens": output, "contextWindow": 1_000_000 } })
}

fn message(id: &str, at_start: Value, at_end: Value) -> [Value; 4] {
    [
        event(json!({ "type": "message_start", "message": { "id": id, "usage": at_start } })),
        text(0, "x"),
        event(json!({ "type": "message_delta", "delta": {}, "usage": at_end })),
        message_stop(),
    ]
}

#[test]
fn figures_grow_with_every_message_and_the_result_has_the_last_word() {
    let mut story = running();
    says(
        &mut story,
        message("m1", tokens(10, 5, 100, 1), tokens(10, 5, 100, 7)),
    );
    says(
        &mut story,
        message("m2", tokens(20, 0, 200, 1), tokens(20, 0, 200, 8)),
    );
    let figures = json!({ "usage": tokens(30, 5, 300, 15), "total_cost_usd": 0.5,
        "modelUsage": models(35, 300, 15) });
    says(&mut story, [result(figures)]);
    story.told(&[
        r#"t1 says m1:0 "x""#,
        "t1 usage in=115 cached=100 out=7 context=122",
        r#"t1 says m2:0 "x""#,
        "t1 usage in=335 cached=300 out=15 context=228",
        "t1 usage in=335 cached=300 out=15 context=228 window=1000000 cost=500000",
        "t1 completed",
    ]);
}

#[test]
fn what_adds_up_over_the_process_is_made_a_turns() {
    let mut story = running();
    let first = json!({ "result": "a", "usage": tokens(10, 0, 0, 5), "total_cost_usd": 0.25,
        "modelUsage": models(10, 0, 5) });
    says(&mut story, [result(first)]);
    story.told(&[
        "t1 usage in=10 out=5 window=1000000 cost=250000",
        r#"t1 completed with "a""#,
    ]);
    begin(&mut story, "t2");
    // A repeat without a stream: the turn's own figures are all zero.
    let second = json!({ "result": "b", "usage": tokens(0, 0, 0, 0), "total_cost_usd": 0.75,
        "modelUsage": models(30, 4, 12) });
    says(&mut story, [result(second)]);
    story.told(&[
        "t2 usage in=24 cached=4 out=7 window=1000000 cost=500000",
        r#"t2 completed with "b""#,
    ]);
}

#[test]
fn a_cancelled_turn_has_what_was_streamed_and_nothing_is_made_up() {
    let mut story = running();
    let start = json!({ "type": "message_start", "message": { "id": "m1", "usage": tokens(10, 0, 90, 1) } });
    says(&mut story, [event(start), text(0, "x")]);
    story.cancel("t1").skip();
    let mut end = aborted();
    end["usage"] = tokens(0, 0, 0, 0);
    end["total_cost_usd"] = json!(0);
    says(&mut story, [end]);
    story.told(&["t1 usage in=100 cached=90 context=100", "t1 cancelled"]);
}

#[test]
fn what_is_unknown_is_absent() {
    let mut story = running();
    says(
        &mut story,
        [result(
            json!({ "result": "a", "usage": {}, "modelUsage": {}, "total_cost_usd": 0 }),
        )],
    );
    story.told(&[r#"t1 completed with "a""#]);
}
