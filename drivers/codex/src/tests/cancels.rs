use super::*;

#[test]
fn turn_08_cancel_interrupts_and_waits_for_the_end() {
    let mut story = running();
    story.cancel("t1");
    assert_eq!(
        story.called("turn/interrupt"),
        json!({ "threadId": "thread-1", "turnId": "n1" })
    );
    story
        .told(&[])
        .answers("turn/interrupt", json!({}))
        .says("turn/completed", ended("interrupted"))
        .told(&["t1 cancelled"])
        .holds(false);
    assert!(story.armed().is_empty());
    begin(&mut story, "t2", "n2");
}

#[test]
fn a_cancel_before_the_turn_has_started_waits_for_it() {
    let mut story = ready();
    story.prompt("t1", "hello").called("turn/start");
    story
        .cancel("t1")
        .wrote_nothing()
        .answers("turn/start", json!({ "turn": { "id": "n1" } }))
        .wrote_nothing()
        .says("turn/started", of(json!({ "turn": { "id": "n1" } })));
    story.called("turn/interrupt");
    story
        .answers("turn/interrupt", json!({}))
        .says("turn/completed", ended("interrupted"))
        .told(&["t1 started n1", "t1 cancelled"]);
}

#[test]
fn an_interrupt_that_came_too_early_is_sent_once_more() {
    let mut story = running();
    story.cancel("t1").called("turn/interrupt");
    story
        .refuses("turn/interrupt", -32600, "no active turn to interrupt")
        .called("turn/interrupt");
    story
        .refuses("turn/interrupt", -32600, "no active turn to interrupt")
        .wrote_nothing()
        .says("turn/completed", ended("interrupted"))
        .told(&["t1 cancelled"]);
}

#[test]
fn turn_07_cancel_races_completion() {
    let mut story = running();
    story
        .says("item/agentMessage/delta", delta("m", "done"))
        .skip()
        .cancel("t1");
    story.called("turn/interrupt");
    story
        .says("turn/completed", ended("completed"))
        .told(&["t1 completed"])
        .refuses("turn/interrupt", -32600, "no active turn to interrupt")
        .cancel("t1")
        .told(&[])
        .wrote_nothing();
    assert!(story.armed().is_empty());
}

#[test]
fn w04_only_one_interrupt_is_in_flight_and_silence_ends_in_a_new_process() {
    let mut story = running();
    story.cancel("t1").called("turn/interrupt");
    story
        .cancel("t1")
        .wrote_nothing()
        .fires("stop")
        .told(&[
            "t1 cancelled",
            "restart wanted: Codex did not stop a turn when it was asked to",
        ])
        .noted(&["interrupt-unanswered"])
        .holds(true)
        .says("turn/completed", ended("interrupted"))
        .told(&[]);
}

#[test]
fn w04_a_turn_that_never_starts_is_still_cancelled() {
    let mut story = ready();
    story.prompt("t1", "hello").called("turn/start");
    story.cancel("t1").fires("stop").told(&[
        "t1 cancelled",
        "restart wanted: Codex did not stop a turn when it was asked to",
    ]);
}

#[test]
fn a_timer_of_an_ended_turn_that_fires_late_means_nothing() {
    let mut story = running();
    story.cancel("t1").called("turn/interrupt");
    let old = story.armed()[0].to_owned();
    story.says("turn/completed", ended("interrupted")).skip();
    begin(&mut story, "t2", "n2");
    story
        .input(groupx_driver_sdk::Input::Timer(old))
        .told(&[])
        .holds(false);
}

#[test]
fn a_command_that_outlives_its_turn_is_ended_too() {
    let command = item(
        json!({ "type": "commandExecution", "id": "c", "command": "sleep 48", "status": "inProgress" }),
    );
    let mut story = running();
    story
        .says("item/started", command)
        .cancel("t1")
        .called("turn/interrupt");
    story.says("turn/completed", ended("interrupted")).told(&[
        r#"t1 tool c running shell [execute] "sleep 48""#,
        r#"t1 tool c cancelled shell [execute] "sleep 48""#,
        "t1 cancelled",
    ]);
    assert_eq!(
        story.called("thread/backgroundTerminals/clean"),
        json!({ "threadId": "thread-1" })
    );
    story
        .refuses("thread/backgroundTerminals/clean", -32600, "no")
        .noted(&["command-left-running"])
        .told(&[]);
}

#[test]
fn a_cancelled_start_that_is_refused_is_cancelled() {
    let mut story = ready();
    story.prompt("t1", "hello").called("turn/start");
    story
        .cancel("t1")
        .refuses("turn/start", -32600, "no")
        .told(&["t1 cancelled"]);
}

#[test]
fn a_cancel_of_another_turn_is_not_acted_upon() {
    running()
        .cancel("t0")
        .wrote_nothing()
        .told(&[])
        .noted(&["late-cancel"]);
}

#[test]
fn a_failure_that_won_over_the_cancel_is_told_as_it_is() {
    let mut story = running();
    story.cancel("t1").called("turn/interrupt");
    story
        .says(
            "turn/completed",
            failed("overloaded", json!("serverOverloaded")),
        )
        .told(&["t1 failed model-unavailable: overloaded"]);
}
