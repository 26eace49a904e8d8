//! Claude in a room, played by a fake, so that it asks, hangs and forgets when a story wants it;
//! `real_claude` has the real one.

use serde_json::json;

use crate::room::{AgentPlan, Plan, Room, eventually};

const CLAUDE: &str = "agent:claude";

async fn room(startup: serde_json::Value) -> Room {
    Room::open(Plan::empty().with(AgentPlan::fake_claude("claude").behaving(startup))).await
}

#[tokio::test]
async fn drv_01_claude_answers_with_its_tools_attached() {
    let room = room(json!({})).await;
    assert_eq!(room.ask(CLAUDE, "hello").await, "echo: hello");
    // The fake attaches them on its own time, and says before that it has.
    eventually("the tools are attached", async || {
        let bootstrap = room.get("/api/bootstrap").await.body;
        (bootstrap["agents"][0]["tools"] == "attached").then_some(())
    })
    .await;
    let turn = room
        .say(
            CLAUDE,
            "{{reason text=hm}}{{tool name=shell}}{{say text=done}}",
        )
        .await;
    assert_eq!(room.answer(&turn).await, "done");
    assert_eq!(
        room.life_types(&turn),
        [
            "turn.queued",
            "turn.dispatched",
            "turn.started",
            "turn.reasoning.recorded",
            "tool.progress.recorded",
            "tool.progress.recorded",
            "message.created",
            "turn.completed"
        ]
    );
}

#[tokio::test]
async fn drv_03_a_folder_that_is_named_by_a_link_is_the_same_folder_to_claude() {
    let agent = AgentPlan::fake_claude("claude").behind_a_link();
    let room = Room::open(Plan::empty().with(agent)).await;
    assert_eq!(room.ask(CLAUDE, "hello").await, "echo: hello");
}

#[tokio::test]
async fn int_01_a_permission_request_fails_the_turn_and_is_never_decided() {
    let room = room(json!({})).await;
    let asking = room
        .say(CLAUDE, r#"{{permission title="erase the disk"}}"#)
        .await;
    let end = room.end(&asking).await;
    assert_eq!(end.kind(), "turn.failed");
    assert_eq!(end.body()["errorCode"], "UNEXPECTED_NATIVE_INTERACTION");
    assert_eq!(end.body()["interaction"]["kind"], "permission");
    assert!(
        !end.raw.to_string().contains("erase the disk"),
        "nothing of what was asked is kept"
    );
    assert_eq!(room.ask(CLAUDE, "go on").await, "echo: go on");
}

#[tokio::test]
async fn int_02_a_claude_that_refuses_the_unrestricted_mode_gets_no_prompt() {
    let room = room(json!({"permissionMode": "default"})).await;
    let health = room.get("/api/health").await.body;
    assert_eq!(
        health["agents"][0]["status"], "native_policy_blocked",
        "{health}"
    );
}

#[tokio::test]
async fn w05_a_session_that_cannot_be_resumed_is_replaced_and_that_is_said() {
    let room = room(json!({"resume": "fail"})).await;
    assert_eq!(room.ask(CLAUDE, "one").await, "echo: one");
    let crash = room.say(CLAUDE, "{{crash}}").await;
    let end = room.end(&crash).await;
    assert_eq!(end.kind(), "turn.interrupted");
    room.events()
        .one("the session after the crash", |event| {
            event.kind() == "session.ready"
                && event.body()["continuity"] == "new_session_after_resume_failure"
        })
        .await;
    assert_eq!(room.ask(CLAUDE, "two").await, "echo: two");
}

#[tokio::test]
async fn turn_08_a_hanging_claude_is_cancelled_and_goes_on() {
    let room = room(json!({})).await;
    let hanging = room.say(CLAUDE, "{{say text=begun}}{{hang}}").await;
    room.reached(&hanging, "turn.content.delta").await;
    room.cancel(&hanging).await;
    assert_eq!(room.end(&hanging).await.kind(), "turn.cancelled");
    assert_eq!(room.ask(CLAUDE, "next").await, "echo: next");
}

#[tokio::test]
async fn turn_08_a_claude_that_ignores_the_stop_is_replaced() {
    let startup = json!({"ignoreInterrupt": true});
    let agent = AgentPlan::fake_claude("claude").behaving(startup);
    let plan = Plan::empty().with(agent).set("timeouts.cancelMs", 500);
    let room = Room::open(plan).await;
    let hanging = room.say(CLAUDE, "{{say text=begun}}{{hang hard}}").await;
    room.reached(&hanging, "turn.content.delta").await;
    room.cancel(&hanging).await;
    assert_eq!(room.end(&hanging).await.kind(), "turn.cancelled");
    assert_eq!(room.ask(CLAUDE, "next").await, "echo: next");
}
