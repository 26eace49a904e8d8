//! The loopback door: who may come in, what a bad request is told, and that it changes nothing.

use reqwest::Method;
use serde_json::{Value, json};

use crate::room::{AgentPlan, Plan, Room, command_id};

fn message() -> Value {
    json!({"clientCommandId": command_id(), "to": ["agent:alpha"], "content": "let me in"})
}

#[tokio::test]
async fn sec_01_a_foreign_host_origin_or_site_is_refused_everywhere() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let port = room.port();
    let before = room.through_seq().await;
    let foreign = [
        ("host", format!("evil.example:{port}")),
        ("host", "evil.example".to_owned()),
        ("host", format!("127.0.0.1.evil.example:{port}")),
        ("host", format!("127.0.0.1:{}", port - 1)),
        ("host", format!("10.0.0.1:{port}")),
        ("origin", "https://evil.example".to_owned()),
        ("origin", "null".to_owned()),
        ("origin", format!("http://localhost.evil.example:{port}")),
        ("origin", format!("http://127.0.0.1:{}", port + 1)),
        ("origin", format!("https://127.0.0.1:{port}")),
        ("sec-fetch-site", "cross-site".to_owned()),
        ("sec-fetch-site", "same-site".to_owned()),
    ];
    for (header, value) in &foreign {
        for (method, path) in [
            (Method::GET, "/"),
            (Method::GET, "/api/health"),
            (Method::GET, "/api/bootstrap"),
            (Method::GET, "/api/events?afterSeq=0"),
            (Method::GET, "/mcp"),
            (Method::POST, "/api/messages"),
            (Method::POST, "/api/runtime/shutdown"),
            (Method::POST, "/mcp"),
            (Method::DELETE, "/mcp"),
            (Method::OPTIONS, "/api/messages"),
        ] {
            let mut request = room.request(method.clone(), path).header(*header, value);
            if method == Method::POST {
                request = request.json(&message());
            }
            let reply = room.try_send(request).await.expect("an answer");
            assert_eq!(reply.status, 403, "{method} {path} with {header}: {value}");
            if path.starts_with("/api") && method != Method::OPTIONS {
                reply.error_code();
            }
            let allowed = reply.headers.get("access-control-allow-origin");
            assert_eq!(allowed, None, "{method} {path} with {header}: {value}");
        }
    }
    assert_eq!(room.through_seq().await, before, "nothing is written");
}

#[tokio::test]
async fn sec_01_our_own_names_are_let_in() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let port = room.port();
    for (header, value) in [
        ("host", format!("127.0.0.1:{port}")),
        ("host", format!("localhost:{port}")),
        ("host", format!("[::1]:{port}")),
        ("origin", format!("http://127.0.0.1:{port}")),
        ("origin", format!("http://localhost:{port}")),
        ("sec-fetch-site", "none".to_owned()),
        ("sec-fetch-site", "same-origin".to_owned()),
    ] {
        let request = room
            .request(Method::POST, "/api/messages")
            .header(header, &value);
        let reply = room
            .try_send(request.json(&message()))
            .await
            .expect("an answer");
        assert_eq!(reply.status, 202, "{header}: {value}: {:?}", reply.body);
    }
}

#[tokio::test]
async fn sec_01_a_write_needs_json() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let before = room.through_seq().await;
    let body = message().to_string();
    for kind in [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=x"),
        Some("application/jsonp"),
    ] {
        for path in [
            "/api/messages",
            "/api/agents/agent:alpha/restart",
            "/api/runtime/shutdown",
        ] {
            let mut request = room.request(Method::POST, path).body(body.clone());
            if let Some(kind) = kind {
                request = request.header("content-type", kind);
            }
            let reply = room.try_send(request).await.expect("an answer");
            reply.must_fail(415, "INVALID_ENVELOPE");
        }
    }
    assert_eq!(room.through_seq().await, before, "nothing is written");
    let with_charset = room
        .request(Method::POST, "/api/messages")
        .header("content-type", "application/json; charset=utf-8")
        .body(body);
    assert_eq!(
        room.try_send(with_charset).await.expect("an answer").status,
        202
    );
}

#[tokio::test]
async fn sec_01_only_loopback_listens() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let wanted = format!(":{:04X}", room.port());
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let table6 = std::fs::read_to_string("/proc/net/tcp6").unwrap_or_default();
    let listeners: Vec<&str> = table
        .lines()
        .chain(table6.lines())
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            (fields.len() > 3 && fields[3] == "0A" && fields[1].ends_with(&wanted))
                .then_some(fields[1])
        })
        .map(|address| address.split(':').next().unwrap())
        .collect();
    assert_eq!(listeners, ["0100007F"], "127.0.0.1 and nothing else");
}

#[tokio::test]
async fn sec_03_every_answer_carries_the_same_strict_headers() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    for path in [
        "/",
        "/api/health",
        "/api/bootstrap",
        "/api/events?afterSeq=x",
        "/nowhere",
    ] {
        let reply = room.get(path).await;
        let header = |name: &str| {
            let value = reply.headers.get(name);
            value
                .unwrap_or_else(|| panic!("{name} on {path}"))
                .to_str()
                .unwrap()
                .to_owned()
        };
        let policy = header("content-security-policy");
        for part in [
            "default-src 'self'",
            "script-src 'self'",
            "style-src 'self'",
            "connect-src 'self'",
            "img-src 'self' data:",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        ] {
            assert!(policy.contains(part), "{part} in {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("referrer-policy"), "no-referrer");
    }
}

#[tokio::test]
async fn sec_04_database_and_folder_belong_to_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    room.ask("agent:alpha", "make the log grow").await;
    let folder = room.folder().join(".groupx");
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for entry in std::fs::read_dir(&folder).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        let wanted = if kind.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&entry.path()), wanted, "{}", entry.path().display());
    }
    assert!(folder.join("groupx.db").exists());
}

#[tokio::test]
async fn rest_05_every_mistake_has_its_status_its_code_and_a_sentence() {
    let room = Room::open(Plan::fakes(&["alpha"]).set("limits.messageCharacters", 2_000)).await;
    let before = room.through_seq().await;
    let id = command_id;
    let long_id = "x".repeat(129);
    let cases = [
        (json!({}), 400, "INVALID_ENVELOPE"),
        (json!([]), 400, "INVALID_ENVELOPE"),
        (
            json!({"clientCommandId": id(), "to": ["agent:alpha"]}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": " ", "to": ["agent:alpha"], "content": "x"}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": long_id, "to": ["agent:alpha"], "content": "x"}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": 7, "to": ["agent:alpha"], "content": "x"}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": id(), "to": [], "content": "x"}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": id(), "to": "agent:alpha", "content": "x"}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": id(), "to": ["alpha"], "content": "x"}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": id(), "to": ["@all", "agent:alpha"], "content": "x"}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": id(), "to": ["agent:alpha"], "content": "  \n "}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": id(), "to": ["agent:alpha"], "content": "x", "colour": 1}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": id(), "to": ["agent:alpha"], "content": "x", "transport": "direct"}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": id(), "to": ["agent:alpha"], "content": "x", "access": "unrestricted"}),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            json!({"clientCommandId": id(), "to": ["agent:nobody"], "content": "x"}),
            404,
            "UNKNOWN_TARGET",
        ),
        (
            json!({"clientCommandId": id(), "to": ["agent:alpha"], "content": "x".repeat(2_001)}),
            413,
            "MESSAGE_TOO_LARGE",
        ),
    ];
    for (body, status, code) in &cases {
        room.post("/api/messages", body)
            .await
            .must_fail(*status, code);
    }
    // The limit counts UTF-16 units: an emoji is two.
    let emoji =
        json!({"clientCommandId": id(), "to": ["agent:alpha"], "content": "😀".repeat(1_001)});
    room.post("/api/messages", &emoji)
        .await
        .must_fail(413, "MESSAGE_TOO_LARGE");
    assert_eq!(room.through_seq().await, before, "nothing is written");
}

#[tokio::test]
async fn rest_05_the_edge_of_http_speaks_the_same_error_language() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    room.get("/api/nothing")
        .await
        .must_fail(404, "INVALID_ENVELOPE");
    let wrong = room
        .try_send(room.request(Method::GET, "/api/messages"))
        .await
        .unwrap();
    wrong.must_fail(405, "INVALID_ENVELOPE");
    assert_eq!(wrong.headers["allow"], "POST");
    let options = room
        .try_send(room.request(Method::OPTIONS, "/api/messages"))
        .await
        .unwrap();
    options.must_fail(405, "INVALID_ENVELOPE");

    let raw = |body: Vec<u8>| {
        let request = room.request(Method::POST, "/api/messages");
        request
            .header("content-type", "application/json")
            .body(body)
    };
    for body in [
        b"".to_vec(),
        b"{".to_vec(),
        b"{\"a\":\xff}".to_vec(),
        b"null".to_vec(),
    ] {
        let reply = room.try_send(raw(body)).await.unwrap();
        reply.must_fail(400, "INVALID_ENVELOPE");
    }
    let huge = room.try_send(raw(vec![b' '; 2 * 1_024 * 1_024 + 1])).await;
    huge.expect("an answer").must_fail(413, "MESSAGE_TOO_LARGE");

    for query in [
        "afterSeq=-1",
        "afterSeq=x",
        "afterSeq=1.5",
        "since=3",
        "afterSeq=",
    ] {
        room.get(&format!("/api/events?{query}"))
            .await
            .must_fail(400, "INVALID_ENVELOPE");
    }
    let unknown = json!({"clientCommandId": command_id()});
    let reply = room
        .post("/api/agents/agent:nobody/restart", &unknown)
        .await;
    assert_eq!(reply.status, 404);
    reply.error_code();
    let scope = json!({"runtimeScopeKey": "0".repeat(64)});
    room.post("/api/runtime/shutdown", &scope)
        .await
        .must_fail(409, "STORE_CONFLICT");
}

#[tokio::test]
async fn an_unknown_target_is_told_from_a_disabled_one() {
    let room =
        Room::open(Plan::fakes(&["alpha"]).with(AgentPlan::fake("resting").disabled())).await;
    let to =
        |target: &str| json!({"clientCommandId": command_id(), "to": [target], "content": "x"});
    let disabled = room.post("/api/messages", &to("agent:resting")).await;
    disabled.must_fail(404, "UNKNOWN_TARGET");
    assert!(
        disabled.body["error"]["message"]
            .as_str()
            .unwrap()
            .contains("disabled")
    );
    assert_eq!(
        disabled.body["error"]["details"]["unknownTargets"],
        json!(["agent:resting"])
    );
    let unknown = room.post("/api/messages", &to("agent:nobody")).await;
    unknown.must_fail(404, "UNKNOWN_TARGET");
    assert!(
        !unknown.body["error"]["message"]
            .as_str()
            .unwrap()
            .contains("disabled")
    );
    let agents = room.get("/api/bootstrap").await.body["agents"].clone();
    assert_eq!(agents.as_array().unwrap().len(), 1, "{agents}");
}

#[tokio::test]
async fn the_page_is_served_with_everything_it_names() {
    let room = Room::open(Plan::fakes(&["alpha"])).await;
    let answer = room.request(Method::GET, "/").send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert!(
        answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/html")
    );
    assert_eq!(answer.headers()["cache-control"], "no-cache");
    let html = answer.text().await.unwrap();
    let named = |attribute: &str| -> Vec<String> {
        let values = html.split(attribute).skip(1);
        values
            .filter_map(|rest| rest.split('"').next().map(str::to_owned))
            .collect()
    };
    let assets: Vec<String> = [named("src=\""), named("href=\"")].concat();
    assert!(!assets.is_empty(), "{html}");
    for asset in assets {
        let path = format!("/{}", asset.trim_start_matches(['.', '/']));
        let status = room
            .request(Method::GET, &path)
            .send()
            .await
            .unwrap()
            .status();
        assert_eq!(status, 200, "{asset}");
    }
}

#[tokio::test]
async fn a_full_queue_is_refused_and_writes_nothing() {
    let room = Room::open(Plan::fakes(&["alpha"]).set("limits.queuePerAgent", 3)).await;
    let busy = room.say("agent:alpha", "{{hang}}").await;
    room.reached(&busy, "turn.started").await;
    for _ in 0..2 {
        room.say("agent:alpha", "waiting").await;
    }
    let before = room.through_seq().await;
    room.post("/api/messages", &message())
        .await
        .must_fail(429, "QUEUE_CAPACITY_REACHED");
    assert_eq!(room.through_seq().await, before);
    room.cancel(&busy).await;
}
