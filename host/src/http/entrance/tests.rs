use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header;
use axum::routing::get;
use http_body_util::BodyExt;
use serde_json::Value;
use tokio::sync::Notify;

use super::*;

/// An entrance at port 4310 to one path that answers, and one that waits until it is let go.
fn entrance() -> (Entrance, Arc<Notify>) {
    let letting_go = Arc::new(Notify::new());
    let held = Arc::clone(&letting_go);
    let routes = Router::new()
        .route("/api/health", get(|| async { "healthy" }))
        .route("/api/held", get(|| async move { held.notified().await }))
        .route("/api/stuck", get(pending::<()>))
        .route("/api/broken", get(|| async { assert_eq!(1, 2) }));
    let identity = RuntimeIdentity {
        runtime_key: "key".into(),
        runtime_scope_key: "scope".into(),
    };
    let draining = CancellationToken::new();
    (
        Entrance::new(Guard::new(4310), identity, draining, routes),
        letting_go,
    )
}

fn get_request(path: &str) -> Request<Body> {
    let request = Request::get(path).header(header::HOST, "127.0.0.1:4310");
    request.body(Body::empty()).unwrap()
}

async fn body(response: Response) -> Value {
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    serde_json::from_slice(&bytes).unwrap()
}

#[tokio::test]
async fn sec_01_a_foreign_request_never_reaches_a_route() {
    let (entrance, _) = entrance();
    let mut request = get_request("/api/stuck");
    let foreign = "http://evil.example".parse().unwrap();
    request.headers_mut().insert(header::ORIGIN, foreign);
    let response = entrance.answer(request).await;
    assert_eq!(response.status(), 403);
    assert_eq!(body(response).await["error"]["code"], "INVALID_ENVELOPE");
}

#[tokio::test]
async fn sec_03_every_response_carries_the_security_headers() {
    let (entrance, _) = entrance();
    let mut foreign = get_request("/");
    foreign.headers_mut().remove(header::HOST);
    for request in [get_request("/api/health"), get_request("/nowhere"), foreign] {
        let response = entrance.answer(request).await;
        let headers = response.headers();
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.starts_with("default-src 'self'; script-src 'self'; style-src"));
        assert!(policy.ends_with("frame-ancestors 'none'; form-action 'self'"));
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert_eq!(headers[header::REFERRER_POLICY], "no-referrer");
    }
}

#[tokio::test]
async fn life_03_a_closing_house_says_who_it_is_and_takes_nothing_more() {
    let (entrance, _) = entrance();
    entrance.drain();
    let health = entrance.answer(get_request("/api/health")).await;
    assert_eq!(health.status(), 503);
    let health = body(health).await;
    assert_eq!(health["status"], "closing");
    assert_eq!(health["service"], "groupx");
    assert_eq!(health["protocol"], "groupx.runtime/1");
    assert_eq!(health["runtimeKey"], "key");
    assert_eq!(health["runtimeScopeKey"], "scope");
    for path in ["/api/held", "/", "/mcp", "/nowhere"] {
        let refused = entrance.answer(get_request(path)).await;
        assert_eq!(refused.status(), 503, "{path}");
        assert_eq!(body(refused).await["error"]["code"], "STORE_UNAVAILABLE");
    }
}

#[tokio::test]
async fn life_03_a_request_inside_is_waited_for_and_its_answer_goes_out() {
    let (entrance, letting_go) = entrance();
    let entrance = Arc::new(entrance);
    let inside = Arc::clone(&entrance);
    let held = tokio::spawn(async move { inside.answer(get_request("/api/held")).await });
    while entrance.running_requests() == 0 {
        tokio::task::yield_now().await;
    }
    entrance.drain();
    let early = tokio::time::timeout(Duration::from_millis(10), entrance.emptied()).await;
    assert!(early.is_err(), "it did not wait");
    letting_go.notify_one();
    entrance.emptied().await;
    assert_eq!(held.await.unwrap().status(), 200);
}

#[tokio::test]
async fn turn_03_a_command_goes_on_when_its_client_hangs_up() {
    let (entrance, letting_go) = entrance();
    let mut asked = Box::pin(entrance.answer(get_request("/api/held")));
    assert!(futures_util::poll!(&mut asked).is_pending());
    drop(asked);
    assert_eq!(entrance.running_requests(), 1);
    letting_go.notify_one();
    entrance.drain();
    entrance.emptied().await;
}

#[tokio::test]
async fn rest_05_a_failure_of_ours_has_the_one_shape_too() {
    let (entrance, _) = entrance();
    let response = entrance.answer(get_request("/api/broken")).await;
    assert_eq!(response.status(), 500);
    assert_eq!(body(response).await["error"]["code"], "INTERNAL_ERROR");
}
