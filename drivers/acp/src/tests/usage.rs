use super::*;

fn answered(story: &mut Story<Driver>, turn: &str, answer: Value) {
    story.prompt(turn, "hello").called("session/prompt");
    let mut whole = json!({ "stopReason": "end_turn" });
    for (key, value) in answer.as_object().into_iter().flatten() {
        whole[key] = value.clone();
    }
    story.says_text("x").skip().answers("session/prompt", whole);
}

fn tokens(input: u64) -> Value {
    json!({ "usage": { "inputTokens": input, "outputTokens": input / 5, "cachedReadTokens": 0 } })
}

#[test]
fn figures_are_the_turns_own() {
    let mut story = ready();
    answered(&mut story, "t1", tokens(100));
    story.told(&["t1 usage in=100 cached=0 out=20", "t1 completed"]);
    answered(&mut story, "t2", tokens(100));
    story.told(&["t2 usage in=100 cached=0 out=20", "t2 completed"]);
}

#[test]
fn figures_of_the_whole_session_are_set_back_to_the_turns() {
    let mut story = ready_with(
        "@mistralai/mistral-vibe",
        &["ask", "auto-approve"],
        "auto-approve",
    );
    answered(&mut story, "t1", tokens(100));
    story.told(&["t1 usage in=100 cached=0 out=20", "t1 completed"]);
    answered(&mut story, "t2", tokens(150));
    story.told(&["t2 usage in=50 cached=0 out=10", "t2 completed"]);
}

#[test]
fn zeros_and_missing_figures_are_unknown() {
    let mut story = ready();
    answered(&mut story, "t1", tokens(0));
    story.told(&["t1 completed"]);
    answered(&mut story, "t2", json!({}));
    story.told(&["t2 completed"]);
}

#[test]
fn figures_are_found_where_agents_put_them() {
    let mut story = ready();
    let grok = json!({ "_meta": { "usage": { "inputTokens": 7, "reasoningTokens": 3 } } });
    answered(&mut story, "t1", grok);
    story.told(&["t1 usage in=7 reasoning=3", "t1 completed"]);
    let gemini = json!({ "_meta": { "quota": { "token_count": { "input_tokens": 8 } } } });
    answered(&mut story, "t2", gemini);
    story.told(&["t2 usage in=8", "t2 completed"]);
}

#[test]
fn the_context_is_the_sessions_and_may_be_told_at_any_time() {
    let mut story = ready();
    story
        .updates("usage_update", json!({ "used": 9, "size": 200 }))
        .told(&["- usage context=9 window=200"])
        .updates("usage_update", json!({ "used": 0, "size": 200 }))
        .told(&["- usage window=200"]);
    story.prompt("t1", "hello").called("session/prompt");
    story
        .updates("usage_update", json!({ "used": 12, "size": 200 }))
        .told(&["- usage context=12 window=200"]);
}

#[test]
fn the_price_is_what_the_turn_added() {
    let cost = |amount: f64| json!({ "cost": { "amount": amount, "currency": "USD" } });
    let mut story = ready();
    story.prompt("t1", "hello").called("session/prompt");
    story
        .updates("usage_update", cost(0.0))
        .updates("usage_update", cost(0.25))
        .told(&["t1 usage cost=250000"])
        .says_text("x")
        .ends("end_turn")
        .skip()
        .updates("usage_update", cost(0.5))
        .told(&[]);
    story.prompt("t2", "hello").called("session/prompt");
    story
        .updates("usage_update", cost(0.75))
        .told(&["t2 usage cost=250000"])
        .updates(
            "usage_update",
            json!({ "cost": { "amount": 9, "currency": "EUR" } }),
        )
        .told(&[]);
}
