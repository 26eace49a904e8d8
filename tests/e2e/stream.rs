//! The event stream and its neighbours: cursors, replay, history, and readers that come and go.

use reqwest::Method;
use serde_json::{Value, json};

use crate::room::{Envelope, Plan, Room, eventually};

fn durable_seqs(events: &[Envelope]) -> Vec<u64> {
    events.iter().filter_map(Envelope::seq).collect()
}

#[tokio::test]
async fn rest_02_nothing_falls_between_bootstrap_and_the_stream() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    room.ask("agent:alpha", "before").await;
    let bootstrap = room.get("/api/bootstrap").await.must_be(200).body;
    let through = bootstrap["room"]["throughSeq"].as_u64().unwrap();
    let turn = room
        .say(
            "agent:alpha",
            r#"{{tool name=shell n=3}}{{say text="between"}}"#,
        )
        .await;
    room.answer(&turn).await;
    let late = room.events_after(through).await;
    late.one("the end of the Turn", |event| {
        event.is_of(&turn, "turn.completed")
    })
    .await;
    let seqs = durable_seqs(&late.so_far());
    let newest = *seqs.last().unwrap();
    assert_eq!(
        seqs,
        ((through + 1)..=newest).collect::<Vec<_>>(),
        "each once, in order"
    );
}

#[tokio::test]
async fn rest_02_a_reader_that_connects_in_mid_turn_misses_nothing_durable() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let turn = room
        .say(
            "agent:alpha",
            "{{deltas n=30 size=4 every=5}}{{tool name=shell n=20}}",
        )
        .await;
    let mut readers = Vec::new();
    for kind in [
        "turn.queued",
        "turn.started",
        "turn.content.delta",
        "turn.completed",
    ] {
        let seen = room.reached(&turn, kind).await;
        let cursor = seen.seq().unwrap_or(0);
        readers.push((cursor, room.events_after(cursor).await));
    }
    let through = room.through_seq().await;
    for (cursor, reader) in &readers {
        if *cursor < through {
            reader
                .one("the newest", |event| event.seq() >= Some(through))
                .await;
        }
        let seqs = durable_seqs(&reader.so_far());
        assert_eq!(seqs, ((cursor + 1)..=through).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn rest_01_bootstrap_agrees_with_itself() {
    let room = Room::open(Plan::fakes(&["alpha", "beta"])).await;
    let busy = room.say("agent:alpha", "{{hang}}").await;
    room.reached(&busy, "turn.started").await;
    let queued = room.say("agent:alpha", "later").await;
    room.ask("agent:beta", "hello").await;

    let bootstrap = room.get("/api/bootstrap").await.must_be(200).body;
    assert_eq!(bootstrap["schema"], "groupx.bootstrap/0.1");
    assert_eq!(bootstrap["room"]["roomId"], "room:main");
    let recent = bootstrap["recentEvents"].as_array().unwrap();
    let newest = recent.last().unwrap()["seq"].as_u64();
    assert_eq!(newest, bootstrap["room"]["throughSeq"].as_u64());
    let active: Vec<(&str, &str)> = bootstrap["activeTurns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| {
            (
                turn["turnId"].as_str().unwrap(),
                turn["status"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        active,
        [(busy.as_str(), "running"), (queued.as_str(), "queued")]
    );
    let agents: Vec<&str> = bootstrap["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| agent["actorId"].as_str().unwrap())
        .collect();
    assert_eq!(agents, ["agent:alpha", "agent:beta"]);
    let beta = &bootstrap["agents"][1];
    assert_eq!(beta["driver"], "codex");
    assert_eq!(beta["enabled"], true);
    assert_eq!(beta["capabilities"]["transport"], "structured");
    assert_eq!(beta["capabilities"]["access"], "unrestricted");
    assert_eq!(
        beta["tools"], "attached",
        "the agent has listed our tools: {beta}"
    );
    room.cancel(&busy).await;
}

#[tokio::test]
async fn rest_03_two_cursors_that_differ_are_refused() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    room.ask("agent:alpha", "hello").await;
    let with = |header: &str| {
        let request = room.request(Method::GET, "/api/events?afterSeq=2");
        request.header("last-event-id", header.to_owned())
    };
    let differing = room.try_send(with("3")).await.expect("an answer");
    differing.must_fail(400, "INVALID_ENVELOPE");
    room.try_send(with("x"))
        .await
        .expect("an answer")
        .must_fail(400, "INVALID_ENVELOPE");
    let agreeing = with("2").send().await.expect("an answer");
    assert_eq!(agreeing.status(), 200);
}

#[tokio::test]
async fn rest_02_the_header_alone_is_a_cursor() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    room.ask("agent:alpha", "hello").await;
    let answer = room
        .request(Method::GET, "/api/events")
        .header("last-event-id", "3")
        .send()
        .await
        .expect("an answer");
    let kind = answer.headers()["content-type"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(kind.starts_with("text/event-stream"), "{kind}");
    let mut answer = answer;
    let mut text = String::new();
    while !text.contains("\"seq\":4") {
        let chunk = answer.chunk().await.expect("a stream").expect("more of it");
        text.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    assert!(text.contains("retry:"), "the pace of reconnecting: {text}");
    assert!(
        text.lines().any(|line| line.starts_with(':')),
        "a first comment: {text}"
    );
    assert!(!text.contains("\"seq\":3,"), "{text}");
}

#[tokio::test]
async fn rest_06_history_pages_backwards_to_the_first_event() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    for number in 0..5 {
        room.ask("agent:alpha", &format!("message {number}")).await;
    }
    let mut pages: Vec<u64> = Vec::new();
    let mut path = "/api/history?limit=7".to_owned();
    loop {
        let page = room.get(&path).await.must_be(200).body;
        let seqs: Vec<u64> = page["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| event["seq"].as_u64().unwrap())
            .collect();
        assert!(seqs.len() <= 7 && seqs.is_sorted(), "{seqs:?}");
        pages.splice(0..0, seqs);
        let Some(before) = page["previousPage"]["beforeSeq"].as_u64() else {
            break;
        };
        path = format!("/api/history?limit=7&beforeSeq={before}");
    }
    assert_eq!(pages, durable_seqs(&room.events().so_far()));
    for bad in ["limit=0", "limit=501", "beforeSeq=x", "page=2"] {
        room.get(&format!("/api/history?{bad}"))
            .await
            .must_fail(400, "INVALID_ENVELOPE");
    }
}

#[tokio::test]
async fn rest_04_a_reader_that_stops_reading_slows_nobody() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let request = room.request(Method::GET, "/api/events?afterSeq=0");
    let stuck = request.send().await.expect("a stream that nobody reads");
    let turn = room.say("agent:alpha", "{{deltas n=3000 size=1000}}").await;
    assert_eq!(room.answer(&turn).await.len(), 3_000_000);
    assert_eq!(room.live_text(&turn).len(), 3_000_000);
    drop(stuck);
}

#[tokio::test]
async fn rest_04_readers_are_bounded_and_a_place_becomes_free_again() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let mut readers = Vec::new();
    // The room's own reader is the first of 64.
    for _ in 1..64 {
        readers.push(room.events_after(0).await);
    }
    let one_more = room.get("/api/events?afterSeq=0").await;
    assert_eq!(one_more.status, 503, "{:?}", one_more.body);
    one_more.error_code();
    assert_eq!(
        room.ask("agent:alpha", "still here").await,
        "echo: still here"
    );
    readers.clear();
    eventually("a place is free", async || {
        let request = room.request(Method::GET, "/api/events?afterSeq=0").send();
        (request.await.ok()?.status() == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn health_tells_the_whole_state_cheaply() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let health = room.get("/api/health").await.must_be(200).body;
    for (key, value) in [
        ("status", json!("ok")),
        ("readiness", json!("ready")),
        ("transport", json!("structured")),
        ("transportLifecycle", json!("active")),
        ("access", json!("unrestricted")),
        ("service", json!("groupx")),
        ("protocol", json!("groupx.runtime/1")),
        ("activeTurns", json!(0)),
        ("queuedTurns", json!(0)),
    ] {
        assert_eq!(health[key], value, "{key}: {health}");
    }
    assert_eq!(health["store"]["available"], true);
    assert_eq!(health["store"]["journalMode"], "wal");
    for key in ["runtimeKey", "runtimeScopeKey"] {
        let text = health[key].as_str().unwrap();
        assert!(
            text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{text}"
        );
    }
    let agent: &Value = &health["agents"][0];
    assert_eq!(agent["adapterId"], "alpha");
    assert_eq!(agent["status"], "ready");
    assert_eq!(agent["nativeSessionAvailable"], true);
}
