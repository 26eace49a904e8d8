use reqwest::Method;
use serde_json::json;

use super::house::House;

fn message(command: &str, content: &str) -> serde_json::Value {
    json!({ "clientCommandId": command, "to": ["agent:echo"], "content": content })
}

#[tokio::test]
async fn rest_01_health_and_bootstrap_have_the_contracts_shape() {
    let house = House::open().await;
    let (status, health) = house.get("/api/health").await;
    assert_eq!(status, 200);
    assert_eq!(health["status"], "ok");
    assert_eq!(health["readiness"], "ready");
    assert_eq!(health["transportLifecycle"], "active");
    assert_eq!(health["access"], "unrestricted");
    assert_eq!(health["agents"][0]["adapterId"], "echo");
    assert_eq!(health["runtimeScopeKey"], house.identity.runtime_scope_key);
    let (status, bootstrap) = house.get("/api/bootstrap").await;
    assert_eq!(status, 200);
    assert_eq!(bootstrap["schema"], "groupx.bootstrap/0.1");
    assert_eq!(bootstrap["agents"][0]["actorId"], "agent:echo");
    house.close().await;
}

#[tokio::test]
async fn idem_01_a_repeated_message_has_the_same_answer_and_a_changed_one_none() {
    let house = House::open().await;
    let (status, first) = house.post("/api/messages", message("one", "hello")).await;
    assert_eq!(status, 202);
    assert_eq!(first["turns"][0]["target"], "agent:echo");
    assert_eq!(first["turns"][0]["status"], "queued");
    assert_eq!(
        house.post("/api/messages", message("one", "hello")).await,
        (202, first)
    );
    let (status, refused) = house.post("/api/messages", message("one", "bye")).await;
    assert_eq!(status, 409);
    assert_eq!(refused["error"]["code"], "CLIENT_COMMAND_CONFLICT");
    house.close().await;
}

#[tokio::test]
async fn rest_05_every_refusal_has_its_status_its_code_and_writes_nothing() {
    let house = House::open().await;
    let (_, before) = house.get("/api/bootstrap").await;
    let mut forged = message("x", "hello");
    forged["from"] = json!("agent:codex");
    let unknown = json!({ "clientCommandId": "x", "to": ["agent:nobody"], "content": "hello" });
    let transport = json!({
        "clientCommandId": "x", "to": ["@all"], "content": "hello", "transport": "direct",
    });
    let command = json!({ "clientCommandId": "x" });
    let scope = json!({ "runtimeScopeKey": "0".repeat(64) });
    for (path, body, status, code) in [
        ("/api/messages", forged, 400, "SENDER_FIELD_FORBIDDEN"),
        ("/api/messages", unknown, 404, "UNKNOWN_TARGET"),
        ("/api/messages", transport, 400, "INVALID_ENVELOPE"),
        ("/api/messages", json!([]), 400, "INVALID_ENVELOPE"),
        ("/api/messages", message("x", " "), 400, "INVALID_ENVELOPE"),
        (
            "/api/messages",
            message("x", &"x".repeat(1025)),
            413,
            "MESSAGE_TOO_LARGE",
        ),
        (
            "/api/turns/turn_0/cancel",
            command.clone(),
            404,
            "UNKNOWN_TARGET",
        ),
        (
            "/api/turns/%ff/cancel",
            command.clone(),
            400,
            "INVALID_ENVELOPE",
        ),
        (
            "/api/turns/turn_0/retract",
            command.clone(),
            404,
            "INVALID_ENVELOPE",
        ),
        (
            "/api/agents/agent%3Anobody/restart",
            command.clone(),
            404,
            "UNKNOWN_TARGET",
        ),
        ("/api/agents/agent:echo", command, 404, "INVALID_ENVELOPE"),
        ("/api/runtime/shutdown", scope, 409, "STORE_CONFLICT"),
        ("/api/runtime/shutdown", json!({}), 400, "INVALID_ENVELOPE"),
    ] {
        let (found, refused) = house.post(path, body).await;
        assert_eq!(
            (found, &refused["error"]["code"]),
            (status, &json!(code)),
            "{path} {refused}"
        );
        assert!(
            refused["error"]["message"]
                .as_str()
                .is_some_and(|words| words.len() > 10)
        );
    }
    for (path, status) in [
        ("/api/bootstrap?x=1", 400),
        ("/api/history?limit=0", 400),
        ("/api/events?afterSeq=-1", 400),
        ("/api/nothing", 404),
        ("/mcp/nothing", 404),
    ] {
        let (found, refused) = house.get(path).await;
        assert_eq!(
            (found, &refused["error"]["code"]),
            (status, &json!("INVALID_ENVELOPE"))
        );
    }
    assert_eq!(house.get("/api/bootstrap").await.1, before);
    assert!(!house.stop.is_cancelled());
    house.close().await;
}

#[tokio::test]
async fn rest_05_a_path_says_which_methods_it_takes() {
    let house = House::open().await;
    for (method, path, allow) in [
        (Method::POST, "/api/health", "GET"),
        (Method::HEAD, "/api/events", "GET"),
        (Method::OPTIONS, "/api/bootstrap", "GET"),
        (Method::GET, "/api/messages", "POST"),
        (Method::OPTIONS, "/api/messages", "POST"),
        (Method::DELETE, "/api/turns/turn_0/cancel", "POST"),
        (Method::GET, "/api/agents/agent:echo/restart", "POST"),
        (Method::PUT, "/api/runtime/shutdown", "POST"),
        (Method::DELETE, "/", "GET, HEAD"),
    ] {
        let request = house
            .request(method.clone(), path)
            .header("content-type", "application/json");
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 405, "{method} {path}");
        assert_eq!(response.headers()["allow"], allow, "{method} {path}");
    }
    house.close().await;
}

#[tokio::test]
async fn life_03_a_shutdown_by_the_right_name_is_answered_and_then_happens() {
    let house = House::open().await;
    let scope = json!({ "runtimeScopeKey": house.identity.runtime_scope_key });
    let (status, accepted) = house.post("/api/runtime/shutdown", scope).await;
    assert_eq!(status, 202);
    assert_eq!(accepted["accepted"], true);
    assert_eq!(accepted["runtimeKey"], house.identity.runtime_key);
    house.stop.cancelled().await;
    house.close().await;
}
