//! Agents that break: each breaks one Turn at most, says why, and the next Turn works.

use serde_json::json;

use crate::room::{AgentPlan, Plan, Room, TERMINAL, eventually};

#[tokio::test]
async fn turn_10_a_crash_interrupts_the_turn_and_the_queue_goes_on() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    assert_eq!(room.ask("agent:alpha", "warm up").await, "echo: warm up");
    let crashed = room
        .say("agent:alpha", r#"{{say text="half an ans"}}{{crash}}"#)
        .await;
    let queued = room.say("agent:alpha", "after the crash").await;

    let end = room.end(&crashed).await;
    assert_eq!(end.kind(), "turn.interrupted");
    assert_eq!(end.body()["errorCode"], "TURN_INTERRUPTED");
    assert!(
        !room
            .life_types(&crashed)
            .contains(&"message.created".to_owned())
    );
    assert_eq!(room.answer(&queued).await, "echo: after the crash");

    let wire = room.wire("alpha");
    assert_eq!(wire.processes(), 2);
    assert_eq!(
        wire.times_prompted("half an ans"),
        1,
        "the lost prompt is not sent again"
    );
    let resumed = wire.received("thread/resume");
    assert_eq!(resumed.len(), 1);
    assert_eq!(
        resumed[0]["threadId"],
        wire.threads()[0],
        "the native session goes on"
    );
    let seen = room.events().so_far();
    let restart: Vec<&str> = seen
        .iter()
        .skip_while(|event| event.event_id() != end.event_id())
        .filter(|event| event.seq().is_some())
        .map(|event| event.kind())
        .filter(|kind| kind.starts_with("session."))
        .collect();
    assert!(restart.contains(&"session.resumed"), "{restart:?}");
}

#[tokio::test]
async fn turn_06_a_process_that_dies_by_a_signal_interrupts_its_turn() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let turn = room.say("agent:alpha", "{{kill}}").await;
    assert_eq!(room.end(&turn).await.kind(), "turn.interrupted");
    assert_eq!(room.ask("agent:alpha", "alive").await, "echo: alive");
}

#[tokio::test]
async fn turn_12_silence_after_the_prompt_has_its_own_code() {
    let room = Room::open(Plan::fakes(&["alpha"]).set("timeouts.firstEventMs", 400)).await;
    let turn = room.say("agent:alpha", "{{deaf}}").await;
    let end = room.end(&turn).await;
    assert_eq!(end.kind(), "turn.failed");
    assert_eq!(end.body()["errorCode"], "TURN_FIRST_EVENT_TIMEOUT");
    assert_eq!(
        room.ask("agent:alpha", "still there?").await,
        "echo: still there?"
    );
    assert_eq!(room.wire("alpha").times_prompted("{{deaf}}"), 1);
}

#[tokio::test]
async fn turn_12_silence_in_mid_turn_has_its_own_code() {
    let room = Room::open(Plan::fakes(&["alpha"]).set("timeouts.idleMs", 400)).await;
    let turn = room
        .say("agent:alpha", r#"{{say text="thinking"}}{{hang}}"#)
        .await;
    let end = room.end(&turn).await;
    assert_eq!(end.kind(), "turn.failed");
    assert_eq!(end.body()["errorCode"], "TURN_IDLE_TIMEOUT");
    assert!(
        !room.wire("alpha").received("turn/interrupt").is_empty(),
        "a native cancel"
    );
    assert_eq!(room.ask("agent:alpha", "go on").await, "echo: go on");
}

#[tokio::test]
async fn turn_12_a_slow_but_talking_agent_is_never_cut_off() {
    let plan = Plan::fakes(&["alpha"])
        .set("timeouts.idleMs", 400)
        .set("timeouts.firstEventMs", 400);
    let room = Room::open(plan).await;
    let answer = room
        .ask("agent:alpha", "{{deltas n=20 size=1 every=60}}")
        .await;
    assert_eq!(answer.len(), 20);
}

#[tokio::test]
async fn turn_11_a_broken_line_costs_one_turn_and_one_restart() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let broken = room
        .say("agent:alpha", r#"{{say text="hm"}}{{malformed}}{{hang}}"#)
        .await;
    let queued = room.say("agent:alpha", "next").await;
    let end = room.end(&broken).await;
    assert_eq!(end.kind(), "turn.failed");
    assert_eq!(end.body()["errorCode"], "PROTOCOL_INVALID_MESSAGE");
    assert_eq!(room.answer(&queued).await, "echo: next");
    let wire = room.wire("alpha");
    assert_eq!(wire.processes(), 2, "one restart");
    assert_eq!(wire.received("thread/resume").len(), 1);
    assert_eq!(
        wire.times_prompted("{{malformed}}"),
        1,
        "the failed prompt is not sent again"
    );
}

#[tokio::test]
async fn drv_08_noise_and_bad_utf8_between_frames_are_survived() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let script = r#"{{malformed text="WARN: something odd"}}{{badutf8}}{{malformed text=""}}{{say text="台 still here"}}"#;
    assert_eq!(room.ask("agent:alpha", script).await, "台 still here");
    assert_eq!(room.wire("alpha").processes(), 1);
}

#[tokio::test]
async fn drv_08_a_flood_of_stderr_costs_nothing() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    let groupx = room.groupx().pid();
    let before = resident_kib(groupx);
    let line = "x".repeat(1_000);
    let script = format!(r#"{{{{stderr text="{line}" n=50000}}}}{{{{say text="quiet again"}}}}"#);
    assert_eq!(room.ask("agent:alpha", &script).await, "quiet again");
    let growth = resident_kib(groupx).saturating_sub(before);
    assert!(
        growth < 40 * 1_024,
        "50 MB of stderr left {growth} KiB behind"
    );
}

#[tokio::test]
async fn int_01_a_permission_request_fails_the_turn_and_is_only_ever_cancelled() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let turn = room
        .say("agent:alpha", r#"{{permission title="erase the disk"}}"#)
        .await;
    let end = room.end(&turn).await;
    assert_eq!(end.kind(), "turn.failed");
    assert_eq!(end.body()["errorCode"], "UNEXPECTED_NATIVE_INTERACTION");
    let interaction = end.body()["interaction"].as_object().unwrap();
    assert_eq!(interaction["adapterId"], "alpha");
    for key in interaction.keys() {
        assert!(
            ["kind", "adapterId", "reasonCode"].contains(&key.as_str()),
            "{interaction:?}"
        );
    }
    let told = room.events().so_far();
    let told = told
        .iter()
        .filter(|event| event.kind() != "message.created");
    for event in told {
        assert!(
            !event.raw.to_string().contains("erase the disk"),
            "{}",
            event.raw
        );
    }

    assert_eq!(room.ask("agent:alpha", "go on").await, "echo: go on");
    let wire = room.wire("alpha");
    let answers = wire.answers();
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["result"], json!({"decision": "cancel"}));
    assert_eq!(wire.received("turn/interrupt").len(), 1);
    assert_eq!(wire.times_prompted("{{permission"), 1);
}

#[tokio::test]
async fn int_01_every_other_kind_of_question_is_refused_too() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    for method in [
        "item/fileChange/requestApproval",
        "item/tool/requestUserInput",
        "mcpServer/elicitation/request",
    ] {
        let script = format!("{{{{client-request method={method}}}}}");
        let turn = room.say("agent:alpha", &script).await;
        let end = room.end(&turn).await;
        assert_eq!(
            end.body()["errorCode"],
            "UNEXPECTED_NATIVE_INTERACTION",
            "{method}"
        );
    }
    assert_eq!(room.ask("agent:alpha", "go on").await, "echo: go on");
}

#[tokio::test]
async fn route_02_an_agent_that_cannot_start_stops_nobody() {
    let broken = AgentPlan::fake("broken")
        .behaving(json!({"start": {"exit": 3, "stderr": "my configuration is unreadable"}}));
    let room = Room::open(Plan::fakes(&["alpha"]).with(broken)).await;

    let health = room.get("/api/health").await.must_be(200);
    assert_eq!(health.body["status"], "degraded");
    let agents = health.body["agents"].as_array().unwrap();
    let state = |id: &str| {
        let found = agents.iter().find(|agent| agent["adapterId"] == id);
        found.expect("every enabled agent is listed").clone()
    };
    assert_eq!(state("alpha")["status"], "ready");
    assert_eq!(state("broken")["status"], "failed");
    let why = state("broken")["lastError"].to_string();
    assert!(
        why.contains("ADAPTER_START_FAILED") || why.contains("my configuration"),
        "{why}"
    );

    let sent = room.send(&["@all"], "is anybody there?").await;
    assert_eq!(
        room.answer(sent.turn_of("agent:alpha")).await,
        "echo: is anybody there?"
    );
    let end = room.end(sent.turn_of("agent:broken")).await;
    assert_eq!(end.kind(), "turn.failed");
    assert_eq!(end.actor(), "system:groupx", "it was never dispatched");
    let code = end.body()["errorCode"].as_str().unwrap().to_owned();
    assert!(
        ["ADAPTER_START_FAILED", "SESSION_NOT_AVAILABLE"].contains(&code.as_str()),
        "{code}"
    );
}

#[tokio::test]
async fn an_agent_that_heals_is_ready_after_a_restart_of_its_own() {
    let broken = AgentPlan::fake("alpha").behaving(json!({"start": {"exit": 3}}));
    let room = Room::open(Plan::empty().with(broken)).await;
    std::fs::write(
        room.agent_folder("alpha").join("fake-agent.json"),
        r#"{"wireLog": true}"#,
    )
    .unwrap();
    let restart = json!({"clientCommandId": "heal-1"});
    let reply = room
        .post("/api/agents/agent:alpha/restart", &restart)
        .await
        .must_be(202);
    assert_eq!(reply.body["accepted"], true);
    assert_eq!(
        room.ask("agent:alpha", "well again").await,
        "echo: well again"
    );
}

#[tokio::test]
async fn a_lost_native_history_is_said_and_a_new_session_starts() {
    let forgetful = AgentPlan::fake("alpha").behaving(json!({"resume": "fail"}));
    let room = Room::open(Plan::empty().with(forgetful)).await;
    assert_eq!(room.ask("agent:alpha", "one").await, "echo: one");
    let turn = room.say("agent:alpha", "{{crash}}").await;
    let end = room.end(&turn).await;
    let after = room
        .events()
        .one("the session after the crash", |event| {
            event.kind() == "session.ready" && event.seq() > end.seq()
        })
        .await;
    assert_eq!(
        after.body()["continuity"],
        "new_session_after_resume_failure"
    );
    assert_eq!(room.ask("agent:alpha", "two").await, "echo: two");
    assert_eq!(room.wire("alpha").threads().len(), 2);
}

#[tokio::test]
async fn drv_05_one_agents_faults_leave_the_others_turn_untouched() {
    let room = Room::open(Plan::fakes(&["alpha", "beta"])).await;
    let steady = room
        .say(
            "agent:beta",
            r#"{{deltas n=40 size=5 every=20}}{{say text="!"}}"#,
        )
        .await;
    room.reached(&steady, "turn.content.delta").await;
    for script in ["{{crash}}", "{{malformed}}{{hang}}", "{{kill}}"] {
        let turn = room.say("agent:alpha", script).await;
        let end = room.end(&turn).await;
        assert!(TERMINAL.contains(&end.kind()) && end.kind() != "turn.completed");
    }
    assert_eq!(
        room.answer(&steady).await,
        format!("{}!", "abcde".repeat(40))
    );
    assert_eq!(room.wire("beta").processes(), 1);
}

#[tokio::test]
async fn a_dead_agent_is_seen_between_turns_too() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    room.ask("agent:alpha", "hello").await;
    let pid = room.wire("alpha").pids()[0];
    let raw = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
        .unwrap();
    rustix::process::kill_process(raw, rustix::process::Signal::KILL).unwrap();
    eventually("the agent is started again", async || {
        (room.wire("alpha").processes() == 2).then_some(())
    })
    .await;
    assert_eq!(room.ask("agent:alpha", "back?").await, "echo: back?");
    assert!(room.groupx().family().len() >= 2);
}

fn resident_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").trim().parse().unwrap()
}
