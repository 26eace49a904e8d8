use super::*;
use groupx_driver_sdk::{Content, Input, Prompt};

fn notification() -> Value {
    json!({ "type": "system", "subtype": "task_notification", "task_id": "b", "status": "completed" })
}

fn of_a_task(mut result: Value) -> Value {
    result["origin"] = json!({ "kind": "task-notification" });
    result
}

/// The host hands a prompt over although the driver holds: both were on their way.
fn crossing(story: &mut Story<Claude>, turn: &str, text: &str) {
    story.input(Input::Prompt(Prompt {
        turn: turn.to_owned(),
        content: vec![Content::Text(text.to_owned())],
    }));
}

#[test]
fn a_turn_that_claude_begins_by_itself_is_stopped_and_waited_for() {
    let mut story = ready();
    says(&mut story, [notification(), init()]);
    story
        .wrote_json(interrupt(3))
        .noted(&["foreign-turn"])
        .holds(true);
    says(&mut story, streamed("f1", "not for the room"));
    answers(&mut story, 3, Value::Null);
    story.holds(true);
    says(&mut story, [aborted()]);
    story.told(&[]).holds(false).wrote_nothing();
    assert!(story.armed().is_empty(), "{:?}", story.armed());
    begin(&mut story, "t1");
}

#[test]
fn a_prompt_that_crosses_it_waits_and_is_then_written_once() {
    let mut story = ready();
    says(&mut story, [init()]);
    story.skip();
    crossing(&mut story, "t1", "hello");
    story.wrote_nothing();
    says(&mut story, [aborted()]);
    story.wrote_nothing();
    answers(&mut story, 3, Value::Null);
    story.wrote_json(prompt("hello"));
    says(&mut story, [init()]);
    story.told(&["t1 started -"]);
}

#[test]
fn one_that_was_announced_is_not_taken_for_ours() {
    let mut story = ready();
    says(&mut story, [notification()]);
    story.prompt("t1", "hello").skip();
    says(&mut story, [init()]);
    story
        .wrote_json(interrupt(3))
        .noted(&["foreign-turn"])
        .told(&[]);
    answers(&mut story, 3, Value::Null);
    says(&mut story, [of_a_task(aborted()), init()]);
    says(&mut story, streamed("m1", "ours"));
    says(&mut story, [result(json!({}))]);
    story.told(&["t1 started -", r#"t1 says m1:0 "ours""#, "t1 completed"]);
}

#[test]
fn one_that_was_taken_for_ours_is_taken_back_when_its_result_says_whose_it_was() {
    let mut story = running();
    says(&mut story, streamed("f1", "the task is done"));
    says(
        &mut story,
        [of_a_task(result(json!({ "result": "the task is done" })))],
    );
    story
        .told(&[r#"t1 says f1:0 "the task is done""#, "t1 takes back f1:0"])
        .noted(&["stray-result"])
        .holds(false);
    says(&mut story, [init()]);
    says(&mut story, streamed("m1", "ours"));
    says(&mut story, [result(json!({ "result": "ours" }))]);
    story.told(&[r#"t1 says m1:0 "ours""#, "t1 completed"]);
}

#[test]
fn a_notification_in_our_turn_announces_nothing() {
    let mut story = running();
    says(&mut story, [notification()]);
    says(&mut story, streamed("m1", "hi"));
    says(&mut story, [result(json!({}))]);
    story.told(&[r#"t1 says m1:0 "hi""#, "t1 completed"]);
    begin(&mut story, "t2");
}

#[test]
fn one_that_does_not_end_costs_the_process() {
    let mut story = ready();
    says(&mut story, [init()]);
    answers(&mut story, 3, Value::Null);
    crossing(&mut story, "t1", "hello");
    story
        .fires("foreign")
        .told(&[
            "t1 failed internal: Claude does not end a turn that it began by itself",
            "restart wanted: Claude does not end a turn that it began by itself",
        ])
        .holds(true);
}

#[test]
fn late_frames_of_an_ended_turn_change_nothing() {
    let mut story = running();
    says(
        &mut story,
        [message_start("m1"), text(0, "hi"), result(json!({}))],
    );
    story.skip();
    says(
        &mut story,
        [
            text(0, "late"),
            said("m1", "hi late"),
            message_stop(),
            result(json!({})),
        ],
    );
    story.told(&[]).wrote_nothing().holds(false);
}
