use super::*;

fn cancelled() -> Story<Driver> {
    let mut story = running();
    story.says_text("begun").skip().cancel("t1");
    assert_eq!(story.called("session/cancel"), json!({ "sessionId": "s1" }));
    story
}

#[test]
fn turn_08_cancel_is_sent_once_and_its_answer_waited_for() {
    let mut story = cancelled();
    story.cancel("t1").wrote_nothing();
    story
        .says_text("late")
        .ends("cancelled")
        .told(&[r#"t1 says 1 "late""#, "t1 cancelled"])
        .holds(false);
    assert!(story.armed().is_empty());
    story.prompt("t2", "next").called("session/prompt");
    story
        .says_text("fine")
        .skip()
        .ends("end_turn")
        .told(&["t2 completed"]);
}

#[test]
fn w21_an_end_turn_after_a_cancel_is_a_cancel() {
    cancelled().ends("end_turn").told(&["t1 cancelled"]);
}

#[test]
fn w21_unless_the_answer_was_whole_before() {
    let mut story = running();
    story
        .says_text("all of it")
        .updates("usage_update", json!({ "used": 1, "size": 2 }))
        .skip()
        .cancel("t1");
    story.called("session/cancel");
    story.ends("end_turn").told(&["t1 completed"]);
}

#[test]
fn w21_figures_that_come_after_the_cancel_prove_nothing() {
    let mut story = cancelled();
    story
        .updates("usage_update", json!({ "used": 1, "size": 2 }))
        .skip()
        .ends("end_turn")
        .told(&["t1 cancelled"]);
}

#[test]
fn an_error_in_answer_to_a_cancelled_prompt_is_a_cancel() {
    cancelled()
        .refuses("session/prompt", -32603, "aborted")
        .told(&["t1 cancelled"])
        .holds(false);
}

#[test]
fn hermes_cancelled_outside_of_a_model_call_is_started_again() {
    let mut story = hermes();
    story.prompt("t1", "hello").called("session/prompt");
    story.cancel("t1").called("session/cancel");
    let error = "'NoneType' object has no attribute 'startswith'";
    story
        .refuses("session/prompt", -32603, error)
        .told(&[
            "t1 cancelled",
            "restart wanted: Hermes will not answer again in this session",
        ])
        .holds(true);
}

#[test]
fn a_cancel_that_hermes_did_not_hear_would_hit_the_next_prompt() {
    let mut story = hermes();
    story.prompt("t1", "hello").called("session/prompt");
    story.says_text("done").skip();
    story.cancel("t1").called("session/cancel");
    let usage = json!({ "inputTokens": 1, "outputTokens": 1 });
    story
        .answers(
            "session/prompt",
            json!({ "stopReason": "end_turn", "usage": usage }),
        )
        .told(&[
            "t1 usage in=1 out=1",
            "t1 cancelled",
            "restart wanted: Hermes will not answer again in this session",
        ]);
}

#[test]
fn turn_08_a_cancel_that_is_never_answered_ends_in_a_new_process() {
    cancelled()
        .updates("tool_call", json!({ "toolCallId": "a", "title": "Bash" }))
        .skip()
        .fires("stop")
        .told(&[
            r#"t1 tool a cancelled Bash [other] "Bash""#,
            "t1 cancelled",
            "restart wanted: the agent did not stop a turn when it was asked to",
        ])
        .noted(&["cancel-unanswered"])
        .holds(true)
        .ends("cancelled")
        .told(&[]);
}

#[test]
fn turn_07_a_cancel_that_comes_too_late_is_not_sent() {
    let mut story = running();
    story.says_text("done").ends("end_turn").skip();
    story
        .cancel("t1")
        .wrote_nothing()
        .told(&[])
        .noted(&["late-cancel"]);
}

#[test]
fn a_timer_of_an_ended_turn_that_fires_late_means_nothing() {
    let mut story = cancelled();
    let old = story.armed()[0].to_owned();
    story.ends("cancelled").skip();
    story.prompt("t2", "next").called("session/prompt");
    story
        .input(groupx_driver_sdk::Input::Timer(old))
        .told(&[])
        .holds(false);
}
