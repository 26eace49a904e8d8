use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::house::{House, WAIT};

fn call(tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

fn list() -> Value {
    json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" })
}

/// Asks again and again until the answer is as wanted.
async fn eventually(house: &House, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let asking = async {
        loop {
            let (_, found) = house.get(path).await;
            if wanted(&found) {
                return found;
            }
        }
    };
    timeout(Duration::from_secs(10), asking)
        .await
        .expect("it never came")
}

/// Has the agent work on a message until it is let go; gives the message's id.
async fn working(house: &House) -> String {
    let message = json!({ "clientCommandId": "work", "to": ["agent:echo"], "content": WAIT });
    let (status, accepted) = house.post("/api/messages", message).await;
    assert_eq!(status, 202);
    eventually(house, "/api/bootstrap", |room| {
        room["activeTurns"][0]["status"] == "running"
    })
    .await;
    accepted["messageEventId"].as_str().unwrap().to_owned()
}

/// The error in a tool's result.
fn error(result: &Value) -> Value {
    assert_eq!(result["result"]["isError"], true, "{result}");
    let text = result["result"]["content"][0]["text"].as_str().unwrap();
    serde_json::from_str(text).unwrap_or_else(|_| json!({ "code": null, "message": text }))
}

#[tokio::test]
async fn mcp_02_a_published_message_is_public_and_wakes_nobody() {
    let house = House::open().await;
    let source = working(&house).await;
    let arguments = json!({ "content": "half way, @echo", "clientCommandId": "p" });
    let (status, first) = house
        .mcp(&house.binding(), call("publish", &arguments))
        .await;
    assert_eq!(status, 200);
    let published = &first["result"]["structuredContent"];
    let text = first["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(&serde_json::from_str::<Value>(text).unwrap(), published);
    let (_, again) = house
        .mcp(&house.binding(), call("publish", &arguments))
        .await;
    assert_eq!(again, first);

    let (_, history) = house.get("/api/history").await;
    let events = history["events"].as_array().unwrap();
    let ours: Vec<_> = events
        .iter()
        .filter(|e| e["eventId"] == published["messageEventId"])
        .collect();
    assert_eq!(ours.len(), 1);
    assert_eq!(ours[0]["actor"]["actorId"], "agent:echo");
    assert_eq!(ours[0]["to"], json!([]));
    assert_eq!(ours[0]["replyToEventId"], source);
    assert!(!history.to_string().contains(&house.binding()));
    house.let_go();
    let rest = |room: &Value| room["activeTurns"] == json!([]);
    let room = eventually(&house, "/api/bootstrap", rest).await;
    let queued = room["recentEvents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|e| e["type"] == "turn.queued");
    assert_eq!(queued.count(), 1, "it woke somebody");
    house.close().await;
}

#[tokio::test]
async fn mcp_05_a_conversation_is_read_by_cursor_and_an_event_in_full() {
    let house = House::open().await;
    let source = working(&house).await;
    let (_, page) = house
        .mcp(&house.binding(), call("read", &json!({ "limit": 1 })))
        .await;
    let page = &page["result"]["structuredContent"];
    assert_eq!(page["events"].as_array().unwrap().len(), 1);
    assert_eq!(page["turns"][0]["status"], "running");
    let arguments = json!({ "messageEventId": source });
    let (_, one) = house.mcp(&house.binding(), call("read", &arguments)).await;
    assert_eq!(
        one["result"]["structuredContent"]["events"][0]["body"]["content"],
        WAIT
    );
    let arguments = json!({ "messageEventId": "evt_0" });
    let (_, none) = house.mcp(&house.binding(), call("read", &arguments)).await;
    assert_eq!(error(&none)["code"], "UNKNOWN_TARGET");
    house.let_go();
    house.close().await;
}

#[tokio::test]
async fn id_04_without_a_living_binding_nothing_is_done_whatever_is_asked() {
    let house = House::open().await;
    let (status, refused) = house.mcp("0123456789abcdef", list()).await;
    assert_eq!((status, &refused["id"]), (400, &Value::Null));
    assert_eq!(refused["error"]["code"], -32602);
    assert_eq!(refused["error"]["data"]["code"], "MCP_BINDING_MISMATCH");
    for method in [Method::GET, Method::POST, Method::DELETE] {
        let request = house.request(method.clone(), "/mcp").json(&list());
        assert_eq!(request.send().await.unwrap().status(), 400, "{method}");
    }

    let old = house.binding();
    let (status, _) = house.mcp(&old, list()).await;
    assert_eq!(status, 200);
    let command = json!({ "clientCommandId": "again" });
    let (status, _) = house.post("/api/agents/agent:echo/restart", command).await;
    assert_eq!(status, 202);
    let (status, refused) = house.mcp(&old, list()).await;
    assert_eq!(status, 400, "{refused}");
    assert_ne!(house.binding(), old);
    assert_eq!(house.mcp(&house.binding(), list()).await.0, 200);
    house.close().await;
}

#[tokio::test]
async fn id_04_a_session_without_a_turn_may_look_at_the_tools_but_not_use_them() {
    let house = House::open().await;
    let arguments = json!({ "content": "hello", "clientCommandId": "p" });
    for (tool, arguments) in [("publish", arguments), ("read", json!({}))] {
        let (status, result) = house.mcp(&house.binding(), call(tool, &arguments)).await;
        assert_eq!(status, 200);
        assert_eq!(error(&result)["code"], "MCP_BINDING_MISMATCH", "{tool}");
    }
    house.close().await;
}

#[tokio::test]
async fn id_01_a_tool_call_cannot_say_who_it_is() {
    let house = House::open().await;
    working(&house).await;
    let arguments = json!({ "content": "hello", "clientCommandId": "p", "from": "user:web" });
    let (_, result) = house
        .mcp(&house.binding(), call("publish", &arguments))
        .await;
    assert_eq!(error(&result)["code"], "SENDER_FIELD_FORBIDDEN");
    let (_, history) = house.get("/api/history").await;
    assert!(!history.to_string().contains("hello"));
    house.let_go();
    house.close().await;
}

#[tokio::test]
async fn mcp_11_tools_are_attached_once_their_list_was_read() {
    let house = House::open().await;
    let (_, health) = house.get("/api/health").await;
    assert_eq!(health["agents"][0]["tools"], "pending");
    let (_, listed) = house.mcp(&house.binding(), list()).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["publish", "read"]);
    assert!(
        tools
            .iter()
            .all(|tool| tool["outputSchema"]["type"] == "object")
    );
    eventually(&house, "/api/health", |health| {
        health["agents"][0]["tools"] == "attached"
    })
    .await;
    house.close().await;
}

#[tokio::test]
async fn mcp_09_initialize_ping_notification_and_session_end_are_answered_as_agreed() {
    let house = House::open().await;
    let params = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    let (_, hello) = house.mcp(&house.binding(), initialize).await;
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(hello["result"]["serverInfo"]["name"], "groupx");
    assert_eq!(hello["result"]["serverInfo"]["version"], "0.1.0");
    assert!(hello["result"]["instructions"].is_string());
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(house.mcp(&house.binding(), initialized).await.0, 202);
    let ping = json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" });
    let (_, pong) = house.mcp(&house.binding(), ping.clone()).await;
    assert_eq!(pong, json!({ "jsonrpc": "2.0", "id": "p", "result": {} }));
    let misshapen = call("read", &json!("everything"));
    let (_, refused) = house.mcp(&house.binding(), misshapen).await;
    assert_eq!(refused["error"]["code"], -32602);

    let of = |method| {
        house
            .request(method, "/mcp")
            .header("x-groupx-binding", house.binding())
    };
    let picky = of(Method::POST)
        .header("accept", "application/json")
        .json(&ping);
    assert_eq!(picky.send().await.unwrap().status(), 406);
    assert_eq!(of(Method::DELETE).send().await.unwrap().status(), 200);
    assert_eq!(of(Method::GET).send().await.unwrap().status(), 406);
    let stream = of(Method::GET).header("accept", "text/event-stream");
    let mut stream = stream.send().await.unwrap();
    assert_eq!(stream.status(), 200);
    assert_eq!(stream.chunk().await.unwrap().unwrap(), ": connected\n\n");
    house.close().await;
}

#[tokio::test]
async fn sec_01_the_guard_stands_before_the_tools_too() {
    let house = House::open().await;
    let request = |method| {
        house
            .request(method, "/mcp")
            .header("x-groupx-binding", house.binding())
            .json(&list())
    };
    for method in [Method::GET, Method::POST, Method::DELETE] {
        let foreign = request(method).header("origin", "http://evil.example");
        assert_eq!(foreign.send().await.unwrap().status(), 403);
    }
    let text = house
        .request(Method::POST, "/mcp")
        .header("x-groupx-binding", house.binding());
    let text = text
        .header("content-type", "text/plain")
        .body(list().to_string());
    assert_eq!(text.send().await.unwrap().status(), 415);
    let (_, health) = house.get("/api/health").await;
    assert_eq!(
        health["agents"][0]["tools"], "pending",
        "a refused request did something"
    );
    house.close().await;
}
