//! Starting, starting twice, refusing to start, and ending with nothing left behind.

use std::path::Path;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::room::{AgentPlan, Plan, Room, eventually};

fn stubborn(id: &str) -> AgentPlan {
    AgentPlan::fake(id).behaving(json!({"ignoreEof": true, "ignoreTerm": true}))
}

/// The room's configuration with one change, as another file beside it.
fn changed_config(room: &Room, change: impl FnOnce(&mut Value)) -> String {
    let text = std::fs::read_to_string(room.config()).unwrap();
    let mut config: Value = serde_json::from_str(&text).unwrap();
    change(&mut config);
    let path = room.folder().join("other.json");
    std::fs::write(&path, config.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[tokio::test]
async fn life_02_starting_again_reuses_the_running_room() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let again = room
        .cli(&["start", "--no-open", "--config", room.config_text()])
        .await;
    assert!(again.status.success(), "{}", again.said());
    assert!(
        again.said().contains(&room.port().to_string()),
        "{}",
        again.said()
    );
    assert_eq!(
        room.ask("agent:alpha", "undisturbed").await,
        "echo: undisturbed"
    );
    assert_eq!(room.wire("alpha").processes(), 1);
}

#[tokio::test]
async fn life_02_another_config_on_the_same_port_is_a_conflict() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let other = changed_config(&room, |config| {
        config["storage"]["path"] = json!("other/groupx.db")
    });
    let clash = room.cli(&["start", "--no-open", "--config", &other]).await;
    assert_eq!(clash.status.code(), Some(1), "{}", clash.said());
    assert!(
        clash.stderr.contains(&room.port().to_string()),
        "{}",
        clash.said()
    );
    assert_eq!(
        room.ask("agent:alpha", "undisturbed").await,
        "echo: undisturbed"
    );
}

#[tokio::test]
async fn life_02_another_program_on_the_port_is_named_and_left_alone() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    room.stop().await;
    let squatter = std::net::TcpListener::bind(("127.0.0.1", room.port())).unwrap();
    squatter.set_nonblocking(true).unwrap();
    let clash = room
        .cli(&["start", "--no-open", "--config", room.config_text()])
        .await;
    assert_eq!(clash.status.code(), Some(1), "{}", clash.said());
    assert!(
        clash.stderr.contains(&room.port().to_string()),
        "{}",
        clash.said()
    );
}

#[tokio::test]
async fn one_database_has_one_runtime() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let other = changed_config(&room, |config| {
        config["server"]["port"] = json!(room.port() + 12_345);
    });
    let second = room.cli(&["start", "--no-open", "--config", &other]).await;
    assert_eq!(second.status.code(), Some(1), "{}", second.said());
    assert!(second.stderr.contains("groupx.db"), "{}", second.said());
    assert_eq!(room.ask("agent:alpha", "mine").await, "echo: mine");
}

#[tokio::test]
async fn life_02_two_starts_at_once_make_one_room() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    room.stop().await;
    room.start_unready().await;
    let second = room
        .cli(&["start", "--no-open", "--config", room.config_text()])
        .await;
    assert!(second.status.success(), "{}", second.said());
    room.ready().await;
    room.follow().await;
    assert_eq!(
        room.ask("agent:alpha", "one of us").await,
        "echo: one of us"
    );
}

#[tokio::test]
async fn life_03_stop_ends_everything() {
    let plan = Plan::empty()
        .with(stubborn("alpha"))
        .with(AgentPlan::fake("beta"))
        .set("timeouts.closeMs", 300);
    let mut room = Room::open(plan).await;
    // A shell tool's child in a session of its own, and a Turn that is still running.
    room.ask(
        "agent:alpha",
        r#"{{spawn}}{{say text="left something running"}}"#,
    )
    .await;
    let running = room
        .say("agent:beta", r#"{{say text="busy"}}{{hang}}"#)
        .await;
    room.reached(&running, "turn.content.delta").await;
    assert!(
        room.groupx().family().len() >= 4,
        "groupx, two agents, one sleep"
    );

    let stopped = room.stop().await;
    assert!(stopped.status.success(), "{}", stopped.said());
    room.events().ended().await;
    room.groupx().nothing_left().await;
    assert!(std::net::TcpListener::bind(("127.0.0.1", room.port())).is_ok());
}

#[tokio::test]
async fn life_03_a_signal_ends_everything_too() {
    for signal in [Signal::TERM, Signal::INT] {
        let plan = Plan::empty()
            .with(stubborn("alpha"))
            .set("timeouts.closeMs", 200);
        let mut room = Room::open(plan).await;
        room.signal(signal);
        let status = room.groupx().exited().await;
        assert!(status.success(), "{status}");
        room.groupx().nothing_left().await;
    }
}

#[tokio::test]
async fn life_03_a_sigkill_leaves_no_agent_behind() {
    let mut room = Room::open(
        Plan::empty()
            .with(stubborn("alpha"))
            .with(AgentPlan::fake("beta")),
    )
    .await;
    let running = room
        .say("agent:alpha", r#"{{say text="busy"}}{{hang hard}}"#)
        .await;
    room.reached(&running, "turn.content.delta").await;
    room.kill().await;
    room.groupx().nothing_left().await;
}

#[tokio::test]
async fn life_03_what_outlived_a_sigkill_is_swept_at_the_next_start() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    room.ask(
        "agent:alpha",
        r#"{{spawn}}{{say text="left something running"}}"#,
    )
    .await;
    let is_sleep = |(_, line): &(u32, String)| line.starts_with("sleep ");
    room.kill().await;
    room.start_again().await;
    let groupx = room.groupx();
    eventually("the old shell tool is gone", async || {
        (!groupx.family().iter().any(is_sleep)).then_some(())
    })
    .await;
}

#[tokio::test]
async fn life_03_stop_without_a_room_says_so() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    room.stop().await;
    let again = room.cli(&["stop", "--config", room.config_text()]).await;
    assert!(!again.said().trim().is_empty());
}

#[tokio::test]
async fn life_03_the_room_drains_before_it_goes() {
    let plan = Plan::empty()
        .with(stubborn("alpha"))
        .set("timeouts.closeMs", 1_000);
    let mut room = Room::open(plan).await;
    let scope = room.get("/api/health").await.body["runtimeScopeKey"].clone();
    let reply = room
        .post("/api/runtime/shutdown", &json!({"runtimeScopeKey": scope}))
        .await;
    assert_eq!(reply.must_be(202).body["accepted"], true);
    let health = room.get("/api/health").await;
    assert_eq!(
        (health.status, &health.body["status"]),
        (503, &json!("closing"))
    );
    assert_eq!(health.body["runtimeScopeKey"], scope);
    room.get("/api/bootstrap")
        .await
        .must_fail(503, "STORE_UNAVAILABLE");
    assert!(room.groupx().exited().await.success());
    room.groupx().nothing_left().await;
}

#[tokio::test]
async fn life_03_a_stopped_room_wakes_up_where_it_was() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    room.ask("agent:alpha", "first").await;
    let before: Vec<String> = room
        .events()
        .so_far()
        .iter()
        .map(|e| e.event_id().to_owned())
        .collect();
    room.stop().await;
    room.start_again().await;
    let after: Vec<String> = room
        .events()
        .so_far()
        .iter()
        .map(|e| e.event_id().to_owned())
        .collect();
    assert!(before.iter().filter(|id| after.contains(id)).count() > 5);
    assert_eq!(room.ask("agent:alpha", "second").await, "echo: second");
    assert_eq!(room.wire("alpha").received("thread/resume").len(), 1);
}

#[tokio::test]
async fn life_06_a_bad_configuration_is_refused_with_its_key_and_a_hint() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    room.stop().await;
    let refused = |change: fn(&mut Value), words: &'static [&'static str]| {
        let room = &room;
        async move {
            let other = changed_config(room, change);
            let result = room.cli(&["start", "--no-open", "--config", &other]).await;
            assert_eq!(result.status.code(), Some(1), "{}", result.said());
            for word in words {
                assert!(result.stderr.contains(word), "{word} in {}", result.said());
            }
        }
    };
    // TURN-13: there is one transport.
    refused(
        |config| config["transport"] = json!("direct"),
        &["transport", "direct"],
    )
    .await;
    refused(
        |config| config["timeouts"]["idelMs"] = json!(5),
        &["timeouts.idelMs", "idleMs"],
    )
    .await;
    refused(
        |config| config["server"]["host"] = json!("0.0.0.0"),
        &["server.host", "127.0.0.1"],
    )
    .await;
    refused(
        |config| config["server"]["port"] = json!(70_000),
        &["server.port", "65535"],
    )
    .await;
    refused(|config| config["agents"] = json!({}), &["agents"]).await;
    refused(
        |config| config["agents"]["assistant"] = config["agents"]["alpha"].clone(),
        &["agents.assistant"],
    )
    .await;
}

#[tokio::test]
async fn life_06_a_missing_driver_costs_its_agent_and_the_known_ones_are_named() {
    let codx = AgentPlan::program("beta", "codx", Path::new("/bin/cat"));
    let room = Room::open(Plan::fakes(&["alpha"]).with(codx)).await;
    let agents = room.get("/api/health").await.body["agents"].clone();
    let agents = agents.as_array().unwrap().iter();
    let beta = agents.clone().find(|agent| agent["adapterId"] == "beta");
    let beta = beta.unwrap_or_else(|| panic!("beta in {agents:?}"));
    assert_eq!(beta["status"], "failed", "{beta}");
    let told = beta["lastError"].to_string();
    for name in ["codx", "codex", "demo"] {
        assert!(told.contains(name), "{name} in {told}");
    }
    assert_eq!(
        room.ask("agent:alpha", "still here").await,
        "echo: still here"
    );
}

#[tokio::test]
async fn unknown_flags_are_errors_with_a_hint() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    room.stop().await;
    let result = room.cli(&["start", "--no-opne"]).await;
    assert!(!result.status.success());
    assert!(result.stderr.contains("--no-open"), "{}", result.said());
}

#[tokio::test]
async fn life_04_doctor_says_what_was_found() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let doctor = room.cli(&["doctor", "--config", room.config_text()]).await;
    assert!(doctor.stdout.contains("codex"), "{}", doctor.said());
    assert!(doctor.stdout.contains("alpha"), "{}", doctor.said());
}
