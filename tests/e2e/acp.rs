//! Agents that speak ACP, in one room: what holds for each of their drivers. The agents are fakes, so
//! that they ask and forget when a story wants it; `real_acp` has the real ones.

use serde_json::json;

use crate::room::{AgentPlan, Plan, Room};

const DRIVERS: [&str; 4] = ["acp", "grok", "hermes", "kimi"];

/// One agent for each driver, behaving alike.
fn everybody(startup: &serde_json::Value) -> Plan {
    DRIVERS.iter().fold(Plan::empty(), |plan, driver| {
        plan.with(AgentPlan::fake_acp(driver).behaving(startup.clone()))
    })
}

fn agent(driver: &str) -> String {
    format!("agent:{driver}")
}

#[tokio::test]
async fn drv_01_every_acp_driver_answers_with_its_tools_attached() {
    let room = Room::open(everybody(&json!({}))).await;
    let accepted = room.send(&["@all"], "hello").await;
    for driver in DRIVERS {
        let turn = accepted.turn_of(&agent(driver));
        assert_eq!(room.answer(turn).await, "echo: hello");
        let wire = room.wire(driver);
        let opened = wire.received("session/new");
        assert_eq!(opened[0]["mcpServers"][0]["name"], "groupx", "{driver}");
        let mode = wire.received("session/set_mode");
        let mode = mode.first().map(|params| params["modeId"].clone());
        let expected = match driver {
            "grok" => None,
            "hermes" => Some(json!("dont_ask")),
            _ => Some(json!("auto")),
        };
        assert_eq!(mode, expected, "{driver}");
    }
    let bootstrap = room.get("/api/bootstrap").await.body;
    for agent in bootstrap["agents"].as_array().unwrap() {
        assert_eq!(agent["tools"], "attached", "{agent}");
    }
}

#[tokio::test]
async fn int_01_a_permission_request_fails_the_turn_in_every_acp_driver() {
    let room = Room::open(everybody(&json!({}))).await;
    let asking = room
        .send(&["@all"], r#"{{permission title="erase the disk"}}"#)
        .await;
    for driver in DRIVERS {
        let end = room.end(asking.turn_of(&agent(driver))).await;
        assert_eq!(end.kind(), "turn.failed", "{driver}");
        assert_eq!(end.body()["errorCode"], "UNEXPECTED_NATIVE_INTERACTION");
        assert_eq!(end.body()["interaction"]["kind"], "command-approval");
        let wire = room.wire(driver);
        let answers = wire.answers();
        assert_eq!(answers.len(), 1, "{driver}");
        assert_eq!(
            answers[0]["result"],
            json!({"outcome": {"outcome": "cancelled"}})
        );
        assert_eq!(wire.received("session/cancel").len(), 1, "{driver}");
    }
    let after = room.send(&["@all"], "go on").await;
    for driver in DRIVERS {
        assert_eq!(
            room.answer(after.turn_of(&agent(driver))).await,
            "echo: go on"
        );
    }
}

#[tokio::test]
async fn w22_a_session_that_cannot_be_loaded_is_replaced_and_that_is_said() {
    let room = Room::open(everybody(&json!({"resume": "fail"}))).await;
    let warm = room.send(&["@all"], "one").await;
    for driver in DRIVERS {
        assert_eq!(room.answer(warm.turn_of(&agent(driver))).await, "echo: one");
    }
    let crash = room.send(&["@all"], "{{crash}}").await;
    for driver in DRIVERS {
        let end = room.end(crash.turn_of(&agent(driver))).await;
        assert_eq!(end.kind(), "turn.interrupted", "{driver}");
        let after = room
            .events()
            .one("the session after the crash", |event| {
                event.kind() == "session.ready"
                    && event.actor() == agent(driver)
                    && event.seq() > end.seq()
            })
            .await;
        assert_eq!(
            after.body()["continuity"],
            "new_session_after_resume_failure",
            "{driver}"
        );
        let wire = room.wire(driver);
        assert_eq!(wire.received("session/load").len(), 1, "{driver}");
        assert_eq!(wire.received("session/new").len(), 2, "{driver}");
        assert_eq!(room.ask(&agent(driver), "two").await, "echo: two");
    }
}

#[tokio::test]
async fn turn_08_a_hanging_acp_agent_is_cancelled_and_goes_on() {
    let room = Room::open(everybody(&json!({}))).await;
    let hanging = room.send(&["@all"], "{{say text=begun}}{{hang}}").await;
    for driver in DRIVERS {
        let turn = hanging.turn_of(&agent(driver));
        room.reached(turn, "turn.content.delta").await;
        room.cancel(turn).await;
        assert_eq!(room.end(turn).await.kind(), "turn.cancelled", "{driver}");
        assert_eq!(room.ask(&agent(driver), "next").await, "echo: next");
        assert_eq!(room.wire(driver).processes(), 1, "{driver}");
    }
}
