use super::Demo;
use groupx_driver_sdk::story::{Story, config};

fn ready() -> Story<Demo> {
    let mut story = Story::begin(config());
    story.prints("hello 1 Demo").told(&["ready -"]);
    story
}

#[test]
fn a_prompt_is_answered_with_thinking_text_and_a_tool() {
    ready()
        .prompt("t1", "two\nlines")
        .wrote(r#"prompt "two\nlines""#)
        .prints(r#"think "I should look.""#)
        .prints(r#"tool a running "count files""#)
        .prints(r#"tool a completed "count files: 3""#)
        .prints(r#"say "There are ""#)
        .prints(r#"say "three.""#)
        .prints("done")
        .told(&[
            r#"t1 thinks thought "I should look.""#,
            r#"t1 tool a running demo [other] "count files""#,
            r#"t1 tool a completed demo [other] "count files: 3""#,
            r#"t1 says answer "There are ""#,
            r#"t1 says answer "three.""#,
            "t1 completed",
        ]);
}

#[test]
fn cancel_asks_the_agent_to_stop_and_closes_open_tools() {
    ready()
        .prompt("t1", "work")
        .skip()
        .prints(r#"tool a running "long work""#)
        .cancel("t1")
        .wrote("cancel")
        .prints("stopped")
        .told(&[
            r#"t1 tool a running demo [other] "long work""#,
            r#"t1 tool a cancelled demo [other] "long work""#,
            "t1 cancelled",
        ])
        .cancel("t1")
        .wrote_nothing();
}

#[test]
fn a_turn_that_completed_before_the_cancel_stays_completed() {
    ready()
        .prompt("t1", "quick")
        .cancel("t1")
        .prints(r#"say "done already""#)
        .prints("done")
        .told(&[r#"t1 says answer "done already""#, "t1 completed"]);
}

#[test]
fn failures_are_told_with_their_reason() {
    ready()
        .prompt("t1", "a")
        .prints(r#"failed "no idea""#)
        .told(&["t1 failed internal: no idea"])
        .prompt("t2", "b")
        .prints("done")
        .told(&["t2 failed empty-answer: the demo agent answered nothing"])
        .prompt("t3", "c")
        .exits(1)
        .told(&["t3 failed process-exited: the demo agent ended before it had answered"]);
}

#[test]
fn lines_that_are_not_understood_are_noted_and_skipped() {
    ready()
        .prints("dance 3")
        .prints("say not json")
        .prints(r#"say "outside a turn""#)
        .prints("tool a sideways \"x\"")
        .told(&[])
        .noted(&["unknown-event"; 4])
        .prompt("t1", "still there?")
        .prints(r#"say "yes""#)
        .prints("done")
        .told(&[r#"t1 says answer "yes""#, "t1 completed"]);
}

#[test]
fn a_process_that_never_greets_fails_the_session() {
    Story::<Demo>::begin(config())
        .exits(2)
        .told(&["session failed process-exited: the demo agent ended without a greeting"]);
}
