//! The demo agents: a room that needs no CLI, with GroupX itself at the far end of the demo driver.

use std::path::Path;

use crate::room::{AgentPlan, Plan, Room};

fn demo_room() -> Plan {
    let groupx = Path::new(env!("CARGO_BIN_EXE_groupx"));
    Plan::empty()
        .with(AgentPlan::program("ada", "demo", groupx))
        .with(AgentPlan::program("grace", "demo", groupx))
}

#[tokio::test]
async fn a_demo_agent_streams_its_answer_and_keeps_it() {
    let room = Room::open(demo_room()).await;
    let turn = room.say("agent:ada", "What can you do?").await;
    let answer = room.answer(&turn).await;
    assert!(!answer.trim().is_empty());
    assert_eq!(room.live_text(&turn), answer);
    let types = room.life_types(&turn);
    assert_eq!(
        types[..3],
        ["turn.queued", "turn.dispatched", "turn.started"]
    );
    assert_eq!(
        types[types.len() - 2..],
        ["message.created", "turn.completed"]
    );
}

#[tokio::test]
async fn route_02_all_demo_agents_answer_one_message() {
    let room = Room::open(demo_room()).await;
    let both = room
        .send(&["agent:ada", "agent:grace"], "Hello, both of you")
        .await;
    let all = room.send(&["@all"], "Hello, everybody").await;
    for sent in [&both, &all] {
        assert_eq!(sent.turns.len(), 2);
        for (_, turn) in &sent.turns {
            assert!(!room.answer(turn).await.trim().is_empty());
        }
    }
}

#[tokio::test]
async fn life_03_demo_agents_go_with_their_room() {
    let mut room = Room::open(demo_room()).await;
    room.stop().await;
    room.groupx().nothing_left().await;
}

#[tokio::test]
async fn start_demo_needs_nothing_and_leaves_nothing() {
    let mut room = Room::demo().await;
    let said = room.groupx().said();
    let address = format!("http://127.0.0.1:{}", room.port());
    assert!(said.contains(&address), "{said}");
    let folder = room.config().parent().unwrap().to_owned();
    assert!(folder.join("groupx.json").exists());

    let both = room
        .send(&["agent:ada", "agent:grace"], "Who are you?")
        .await;
    for (agent, turn) in &both.turns {
        assert!(!room.answer(turn).await.trim().is_empty(), "{agent}");
    }

    let stopped = room.stop().await;
    assert!(stopped.status.success(), "{}", stopped.said());
    room.groupx().nothing_left().await;
    assert!(!folder.exists(), "{} stays behind", folder.display());
}

#[tokio::test]
async fn start_demo_ends_clean_at_ctrl_c_too() {
    let mut room = Room::demo().await;
    let folder = room.config().parent().unwrap().to_owned();
    room.signal(rustix::process::Signal::INT);
    assert!(room.groupx().exited().await.success());
    room.groupx().nothing_left().await;
    assert!(!folder.exists(), "{} stays behind", folder.display());
}
