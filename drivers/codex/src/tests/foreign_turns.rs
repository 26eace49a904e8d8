use super::*;

fn goal() -> Value {
    of(json!({ "turn": { "id": "goal", "status": "interrupted" } }))
}

#[test]
fn a_turn_that_codex_begins_by_itself_is_stopped_and_waited_for() {
    let mut story = ready();
    story
        .says("turn/started", goal())
        .told(&[])
        .holds(true)
        .noted(&["foreign-turn"]);
    assert_eq!(
        story.called("turn/interrupt"),
        json!({ "threadId": "thread-1", "turnId": "goal" })
    );
    story
        .says(
            "item/agentMessage/delta",
            of(json!({ "turnId": "goal", "itemId": "m", "delta": "not ours" })),
        )
        .answers("turn/interrupt", json!({}))
        .holds(true)
        .says("turn/completed", goal())
        .holds(false)
        .told(&[])
        .noted(&[])
        .wrote_nothing();
    assert!(story.armed().is_empty());
    begin(&mut story, "t1", "n1");
}

#[test]
fn a_foreign_turn_that_does_not_end_wants_a_new_process() {
    ready()
        .says("turn/started", goal())
        .fires("foreign")
        .told(&["restart wanted: Codex does not end a turn that it began by itself"])
        .holds(true);
}

#[test]
fn a_foreign_turn_beside_ours_does_not_touch_ours() {
    let mut story = running();
    story.says("turn/started", goal()).called("turn/interrupt");
    story
        .says("turn/completed", goal())
        .says("item/agentMessage/delta", delta("m", "ours"))
        .says("turn/completed", ended("completed"))
        .told(&[r#"t1 says m "ours""#, "t1 completed"]);
}

#[test]
fn a_foreign_end_alone_is_nothing_to_stop() {
    ready()
        .says("turn/completed", goal())
        .told(&[])
        .wrote_nothing()
        .holds(false);
}
