//! What is only Grok's: tools that come late, retries that are told, methods that only look familiar.

use super::*;

fn grok(config: SessionConfig) -> Story<Driver> {
    let mut story = greeted(
        SessionConfig {
            executable: "/bin/grok".into(),
            ..config
        },
        json!({ "_meta": { "agentVersion": "1.0.41", "hostname": "secret" } }),
    );
    opens(&mut story, json!({}));
    story.told(&["ready s1"]);
    story
}

fn news(kind: &str, mut fields: Value) -> Value {
    fields["sessionUpdate"] = json!(kind);
    json!({ "sessionId": "s1", "update": fields })
}

const NEWS: &str = "_x.ai/session_notification";

#[test]
fn the_first_prompt_waits_for_the_tools_but_not_for_ever() {
    let mut story = grok(with_tools());
    story
        .holds(true)
        .says("_x.ai/mcp_initialized", json!({ "sessionId": "s1" }))
        .holds(false);
    assert!(story.armed().is_empty());
    grok(with_tools()).holds(true).fires("tools").holds(false);
    grok(config()).holds(false);
}

#[test]
fn a_retry_that_is_told_takes_back_what_was_streamed() {
    let retrying = json!({ "type": "retrying", "attempt": 1, "max_retries": 15, "reason": "stream error: boom" });
    let mut story = grok(config());
    story.prompt("t1", "hello").called("session/prompt");
    story
        .says_text("partial ")
        .says_text("answer")
        .skip()
        .says(NEWS, news("retry_state", retrying))
        .told(&[r#"t1 progress "retry 1 of 15: stream error: boom""#])
        .says_text("whole")
        .ends("end_turn")
        .told(&["t1 takes back 1", r#"t1 says 2 "whole""#, "t1 completed"]);
}

#[test]
fn the_last_words_of_a_broken_stream_may_come_after_the_news() {
    let mut story = grok(config());
    let of_stream = |number: u64, text: &str| {
        let mut params = update("agent_message_chunk", block(text));
        params["_meta"] = json!({ "streamStartMs": number });
        params
    };
    story.prompt("t1", "hello").called("session/prompt");
    story
        .says("session/update", of_stream(1, "partial "))
        .says(NEWS, news("retry_state", json!({ "type": "retrying" })))
        .skip()
        .says("session/update", of_stream(1, "answer"))
        .says("session/update", of_stream(2, "partial "))
        .says("session/update", of_stream(2, "answer, whole"))
        .told(&[
            r#"t1 says 1 "answer""#,
            "t1 takes back 1",
            r#"t1 says 2 "partial ""#,
            r#"t1 says 2 "answer, whole""#,
        ]);
}

#[test]
fn what_was_cut_is_no_answer_when_only_a_tool_follows() {
    let mut story = grok(config());
    story.prompt("t1", "hello").called("session/prompt");
    story
        .says_text("partial")
        .says(NEWS, news("retry_state", json!({ "type": "retrying" })))
        .skip()
        .updates(
            "tool_call",
            json!({ "toolCallId": "a", "title": "ls", "status": "failed" }),
        )
        .told(&["t1 takes back 1", r#"t1 tool a failed ls [other] "ls""#]);
}

#[test]
fn w21_a_reply_that_grok_calls_whole_is_whole() {
    let mut story = grok(config());
    story.prompt("t1", "hello").called("session/prompt");
    story
        .says_text("all of it")
        .says(NEWS, news("response_completed", json!({})))
        .skip()
        .cancel("t1");
    story.called("session/cancel");
    story.ends("end_turn").told(&["t1 completed"]);
}

#[test]
fn methods_that_only_look_familiar_are_left_alone() {
    let mut story = grok(config());
    story.prompt("t1", "hello").called("session/prompt");
    for method in [
        "_x.ai/session/update",
        NEWS,
        "_x.ai/queue/changed",
        "_x.ai/anything",
    ] {
        story.says(method, news("agent_message_chunk", block("not an answer")));
    }
    let mut other = news("retry_state", json!({ "type": "retrying" }));
    other["sessionId"] = json!("s2");
    story.says(NEWS, other).told(&[]).noted(&[]);
}
