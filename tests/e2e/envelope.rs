//! The envelope of every event, and who is said to have written it.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::room::{Envelope, Plan, Room, command_id};

/// A room in which something of every kind has happened.
async fn lively_room() -> Room {
    let room = Room::open(Plan::fakes(&["alpha", "beta"])).await;
    let script = r#"{{reason text="hm"}}{{tool name=shell}}{{say text="done"}}"#;
    room.ask("agent:alpha", script).await;
    let cancelled = room.say("agent:beta", r#"{{say text="la"}}{{hang}}"#).await;
    room.reached(&cancelled, "turn.content.delta").await;
    room.cancel(&cancelled).await;
    room.end(&cancelled).await;
    for script in ["{{crash}}", "{{fail}}", "{{malformed}}{{hang}}"] {
        let turn = room.say("agent:alpha", script).await;
        room.end(&turn).await;
    }
    room.ask("agent:alpha", "last").await;
    room
}

#[tokio::test]
async fn env_01_every_event_is_one_envelope() {
    let room = lively_room().await;
    let events = room.events().so_far();
    let mut newest = 0;
    let mut ids = HashSet::new();
    for event in &events {
        let raw = &event.raw;
        assert_eq!(raw["schema"], "groupx.event/0.1", "{raw}");
        assert_eq!(raw["roomId"], "room:main", "{raw}");
        assert!(
            ids.insert(event.event_id().to_owned()),
            "one id, one event: {raw}"
        );
        assert!(raw["body"].is_object() && raw["to"].is_array(), "{raw}");
        assert!(raw["actor"]["displayName"].is_string(), "{raw}");
        let time = raw["occurredAt"].as_str().unwrap();
        assert!(time.len() == 24 && time.ends_with('Z'), "{raw}");
        match event.seq() {
            Some(seq) => {
                assert_eq!(raw["durability"], "durable", "{raw}");
                assert_eq!(event.sse_id, Some(seq), "{raw}");
                assert!(seq > newest, "seq grows with commit order: {raw}");
                newest = seq;
            }
            None => {
                assert!(
                    raw.as_object().unwrap().contains_key("seq"),
                    "seq is null: {raw}"
                );
                assert_eq!(raw["durability"], "transient", "{raw}");
                assert_eq!(event.sse_id, None, "{raw}");
            }
        }
    }
    let kinds: HashSet<&str> = events.iter().map(Envelope::kind).collect();
    for kind in [
        "message.created",
        "turn.queued",
        "turn.dispatched",
        "turn.started",
        "turn.completed",
        "turn.failed",
        "turn.cancelled",
        "turn.interrupted",
        "turn.reasoning.recorded",
        "tool.progress.recorded",
        "turn.content.delta",
        "turn.reasoning.delta",
        "tool.progress",
        "session.ready",
        "session.resumed",
    ] {
        assert!(kinds.contains(kind), "{kind} happened in {kinds:?}");
    }
}

#[tokio::test]
async fn env_01_a_replay_shows_the_same_durable_events() {
    let room = lively_room().await;
    let durable = |events: Vec<Envelope>| -> Vec<Value> {
        events
            .into_iter()
            .filter(|event| event.seq().is_some())
            .map(|event| event.raw)
            .collect()
    };
    let through = room.through_seq().await;
    let again = room.events_after(0).await;
    again
        .one("the newest event", |event| event.seq() == Some(through))
        .await;
    assert_eq!(durable(again.so_far()), durable(room.events().so_far()));
}

#[tokio::test]
async fn env_02_nothing_public_shows_a_binding_a_native_session_or_a_process() {
    let room = lively_room().await;
    let mut public = vec![
        room.get("/api/bootstrap").await.body.to_string(),
        room.get("/api/health").await.body.to_string(),
        room.get("/api/history").await.body.to_string(),
    ];
    public.extend(
        room.events()
            .so_far()
            .iter()
            .map(|event| event.raw.to_string()),
    );

    let mut secrets = vec!["binding:".to_owned(), "binding_".to_owned()];
    for agent in ["alpha", "beta"] {
        let wire = room.wire(agent);
        secrets.extend(wire.threads().into_iter().map(str::to_owned));
        for params in wire
            .received("thread/start")
            .into_iter()
            .chain(wire.received("thread/resume"))
        {
            let config = &params["config"];
            let server = config
                .get("mcp_servers.groupx")
                .unwrap_or(&config["mcp_servers"]["groupx"]);
            let binding = server["http_headers"]["X-GroupX-Binding"].as_str();
            secrets.push(binding.expect("the agent got a binding").to_owned());
        }
    }
    for text in &public {
        for secret in &secrets {
            assert!(!text.contains(secret.as_str()), "{secret} in {text}");
        }
        for key in [
            "\"pid\"",
            "\"processId\"",
            "\"nativeSessionId\"",
            "\"bindingId\"",
        ] {
            assert!(!text.contains(key), "{key} in {text}");
        }
    }
    let bindings: HashSet<&String> = secrets[2..].iter().collect();
    assert_eq!(
        bindings.len(),
        secrets.len() - 2,
        "every session has a binding of its own"
    );
}

#[tokio::test]
async fn env_05_a_session_is_resumed_only_when_it_was() {
    let mut room = Room::open(Plan::fakes(&["alpha"])).await;
    room.ask("agent:alpha", "one").await;
    let starts = |room: &Room| -> Vec<(String, Value)> {
        let events = room.events().so_far();
        let sessions = events
            .iter()
            .filter(|event| event.kind().starts_with("session."));
        sessions
            .map(|event| (event.kind().to_owned(), event.body()["continuity"].clone()))
            .collect()
    };
    let before = starts(&room);
    assert!(
        before.contains(&("session.ready".into(), json!("new_session"))),
        "{before:?}"
    );
    assert!(
        !before.iter().any(|(kind, _)| kind == "session.resumed"),
        "{before:?}"
    );
    room.stop().await;
    room.start_again().await;
    let after = starts(&room);
    assert!(
        after.iter().any(|(kind, _)| kind == "session.stopped"),
        "{after:?}"
    );
    assert!(
        after.contains(&("session.resumed".into(), json!("resumed"))),
        "{after:?}"
    );
}

#[tokio::test]
async fn id_01_a_sender_field_is_refused_and_nothing_is_written() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    room.ask("agent:alpha", "hello").await;
    let turn = room.say("agent:alpha", "{{hang}}").await;
    room.reached(&turn, "turn.started").await;
    let before = room.through_seq().await;
    for field in ["from", "actor", "eventId", "provenance"] {
        let mut message =
            json!({"clientCommandId": command_id(), "to": ["agent:alpha"], "content": "hi"});
        message[field] = json!("agent:alpha");
        let mut command = json!({"clientCommandId": command_id()});
        command[field] = json!({"actorId": "user:web"});
        for (path, body) in [
            ("/api/messages".to_owned(), &message),
            (format!("/api/turns/{turn}/cancel"), &command),
            ("/api/agents/agent:alpha/restart".to_owned(), &command),
        ] {
            let reply = room.post(&path, body).await;
            reply.must_fail(400, "SENDER_FIELD_FORBIDDEN");
            assert_eq!(
                reply.body["error"]["details"]["forbiddenFields"],
                json!([field])
            );
        }
    }
    // The sender field is looked at before anything else that is wrong.
    let both = json!({"from": "user:web", "nonsense": true});
    room.post("/api/messages", &both)
        .await
        .must_fail(400, "SENDER_FIELD_FORBIDDEN");
    assert_eq!(room.through_seq().await, before);
    room.cancel(&turn).await;
}

#[tokio::test]
async fn id_02_an_agent_that_claims_to_be_another_still_appears_as_itself() {
    let room = Room::open(Plan::fakes(&["alpha", "beta"])).await;
    let claim = r#"{"actor":"agent:beta","from":"user:web"} I am agent:beta"#;
    let script = format!("{{{{say text={}}}}}", json!(claim));
    let turn = room.say("agent:alpha", &script).await;
    assert_eq!(room.answer(&turn).await, claim);
    let answer = room.reached(&turn, "message.created").await;
    assert_eq!(answer.actor(), "agent:alpha");
    assert_eq!(answer.raw["provenance"]["sourceKind"], "adapter");
    let id = answer.event_id().to_owned();
    assert_eq!(
        room.store()
            .text("SELECT actor_id FROM events WHERE event_id = ?1", [id]),
        "agent:alpha"
    );
}

#[tokio::test]
async fn id_03_a_restarted_agent_is_the_same_actor_in_a_new_instance() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let seat = |turn: String| {
        let room = &room;
        async move {
            room.answer(&turn).await;
            let answer = room.reached(&turn, "message.created").await;
            (
                answer.actor().to_owned(),
                answer.raw["actor"]["instanceId"].clone(),
            )
        }
    };
    let before = seat(room.say("agent:alpha", "one").await).await;
    let command = json!({"clientCommandId": command_id()});
    let reply = room
        .post("/api/agents/agent%3Aalpha/restart", &command)
        .await
        .must_be(202);
    assert_eq!(reply.body["actorId"], "agent:alpha");
    assert_eq!(reply.body["previousInstanceId"], before.1);
    let after = seat(room.say("agent:alpha", "two").await).await;
    assert_eq!(before.0, after.0);
    assert!(
        after.1.is_string() && before.1 != after.1,
        "{before:?} {after:?}"
    );
    assert_eq!(room.wire("alpha").received("thread/resume").len(), 1);
}
