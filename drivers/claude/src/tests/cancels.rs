use super::*;

fn ack(story: &mut Story<Claude>, id: u64) {
    let response = json!({ "subtype": "success", "request_id": id.to_string() });
    story.prints(json!({ "type": "control_response", "response": response }).to_string());
}

#[test]
fn w14_a_cancel_is_a_control_request_with_an_id() {
    let mut story = running();
    says(&mut story, [message_start("m1"), text(0, "tick")]);
    story
        .skip()
        .cancel("t1")
        .wrote(r#"{"request":{"subtype":"interrupt"},"request_id":"3","type":"control_request"}"#);
    ack(&mut story, 3);
    says(&mut story, [said("m1", "tick"), aborted()]);
    story.told(&["t1 cancelled"]).wrote_nothing().holds(false);
    assert!(story.armed().is_empty(), "{:?}", story.armed());
    begin(&mut story, "t2");
}

#[test]
fn w14_a_cancel_with_the_prompt_stops_the_turn_that_begins_then() {
    let mut story = ready();
    story.prompt("t1", "hello").cancel("t1").skip();
    ack(&mut story, 3);
    says(&mut story, [init(), aborted()]);
    story
        .told(&["t1 started -", "t1 cancelled"])
        .wrote_nothing();
}

#[test]
fn w14_a_cancel_that_came_too_early_is_sent_again_when_the_model_speaks() {
    let mut story = ready();
    story.prompt("t1", "hello").cancel("t1").skip();
    ack(&mut story, 3);
    says(&mut story, [init()]);
    story.wrote_nothing();
    says(&mut story, [message_start("m1")]);
    story.wrote_json(interrupt(4));
    says(&mut story, [text(0, "tick")]);
    story.wrote_nothing();
    ack(&mut story, 4);
    says(&mut story, [aborted()]);
    story.told(&["t1 started -", r#"t1 says m1:0 "tick""#, "t1 cancelled"]);
    assert!(story.armed().is_empty(), "{:?}", story.armed());
}

#[test]
fn a_cancel_without_effect_is_sent_again_a_few_times() {
    let mut story = running();
    story.cancel("t1").wrote_json(interrupt(3));
    ack(&mut story, 3);
    story.fires("again").wrote_json(interrupt(4));
    ack(&mut story, 4);
    story.fires("again").wrote_json(interrupt(5));
    ack(&mut story, 5);
    story.fires("again").wrote_nothing();
    story.fires("stop").told(&[
        "t1 cancelled",
        "restart wanted: Claude did not stop a turn when it was asked to",
    ]);
    story.holds(true).noted(&["interrupt-unanswered"]);
}

#[test]
fn one_cancel_is_in_flight_however_often_it_is_wanted() {
    let mut story = running();
    story.cancel("t1").wrote_json(interrupt(3));
    story.cancel("t1").wrote_nothing();
    story.fires("stop").told(&[
        "t1 cancelled",
        "restart wanted: Claude did not stop a turn when it was asked to",
    ]);
}

#[test]
fn turn_07_a_completion_that_won_stays_completed() {
    let mut story = running();
    says(&mut story, streamed("m1", "done"));
    story.cancel("t1").skip();
    says(&mut story, [result(json!({ "result": "done" }))]);
    story.told(&["t1 completed"]).holds(true);
    ack(&mut story, 3);
    story.holds(false);
    assert!(story.armed().is_empty(), "{:?}", story.armed());
}

#[test]
fn w16_the_next_prompt_waits_until_the_cancel_is_acknowledged() {
    let mut story = running();
    story.cancel("t1").skip();
    says(&mut story, [aborted()]);
    story.told(&["t1 cancelled"]).holds(true);
    // It was on its way before the host heard of the hold.
    let long = "x".repeat(200_000);
    story.input(groupx_driver_sdk::Input::Prompt(
        groupx_driver_sdk::Prompt {
            turn: "t2".into(),
            content: vec![groupx_driver_sdk::Content::Text(long.clone())],
        },
    ));
    story.wrote_nothing();
    ack(&mut story, 3);
    story.wrote_json(prompt(&long)).told(&[]).holds(false);
    assert!(story.armed().is_empty(), "{:?}", story.armed());
}

#[test]
fn an_acknowledgement_that_never_comes_is_not_waited_for_without_end() {
    let mut story = running();
    story.cancel("t1").skip();
    says(&mut story, [aborted()]);
    story
        .fires("unread")
        .told(&["t1 cancelled", "restart wanted: Claude does not answer"])
        .holds(true);
}

#[test]
fn a_prompt_that_was_not_written_is_cancelled_without_a_word_to_claude() {
    let mut story = running();
    story.cancel("t1").skip();
    says(&mut story, [aborted()]);
    story.input(groupx_driver_sdk::Input::Prompt(
        groupx_driver_sdk::Prompt {
            turn: "t2".into(),
            content: vec![groupx_driver_sdk::Content::Text("x".into())],
        },
    ));
    story
        .cancel("t2")
        .told(&["t1 cancelled", "t2 cancelled"])
        .wrote_nothing();
    ack(&mut story, 3);
    story.wrote_nothing();
}

#[test]
fn a_late_cancel_changes_nothing() {
    let mut story = running();
    says(&mut story, [result(json!({ "result": "x" }))]);
    story
        .skip()
        .cancel("t1")
        .told(&[])
        .wrote_nothing()
        .noted(&["late-cancel"]);
}

#[test]
fn a_process_that_ends_while_it_is_cancelled_ends_the_turn_as_cancelled() {
    let mut story = running();
    story.cancel("t1").skip().exits(143).told(&["t1 cancelled"]);
}
