use std::io;
use std::net::SocketAddr;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::{get, post};
use futures_util::stream;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::config::RuntimeIdentity;
use crate::http::body::JsonBody;
use crate::http::guard::Guard;

use super::*;

async fn endless(draining: CancellationToken) -> Body {
    let pieces = stream::unfold(draining, |draining| async move {
        draining.cancelled().await;
        None::<(io::Result<Bytes>, CancellationToken)>
    });
    Body::from_stream(pieces)
}

/// More than any socket holds, and a guard that tells when nobody holds it any more.
async fn flood(given_up: CancellationToken) -> Body {
    let guard = given_up.drop_guard();
    let piece = Bytes::from(vec![b'.'; 1 << 16]);
    let pieces = stream::unfold(guard, move |guard| {
        let piece = piece.clone();
        async move { Some((io::Result::Ok(piece), guard)) }
    });
    Body::from_stream(pieces)
}

/// A server on a free port with a few routes of the test's own.
async fn serve() -> (Server, SocketAddr) {
    let (server, address, _) = serve_with(Duration::from_secs(60)).await;
    (server, address)
}

/// The same with a bound on its patience, and the token that a given up flood cancels.
async fn serve_with(patience: Duration) -> (Server, SocketAddr, CancellationToken) {
    let given_up = CancellationToken::new();
    let giving_up = given_up.clone();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let draining = CancellationToken::new();
    let ends = draining.clone();
    let routes = Router::new()
        .route(
            "/api/echo",
            post(|JsonBody(body)| async move { body.to_string() }),
        )
        .route("/api/tail", get(move || endless(ends.clone())))
        .route("/api/flood", get(move || flood(giving_up.clone())))
        .route("/api/stuck", get(std::future::pending::<()>));
    let identity = RuntimeIdentity {
        runtime_key: "key".into(),
        runtime_scope_key: "scope".into(),
    };
    let entrance = Entrance::new(Guard::new(address.port()), identity, draining, routes);
    let server = start(listener, entrance, patience, CancellationToken::new());
    (server, address, given_up)
}

fn head(method: &str, path: &str, address: SocketAddr, more: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\n{more}\r\n")
}

/// Reads one response with a `Content-Length` or up to the end of the connection.
async fn response(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let taken = stream.read(&mut piece).await.unwrap();
        text.extend_from_slice(&piece[..taken]);
        let so_far = String::from_utf8_lossy(&text);
        let whole = so_far.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            length.is_some_and(|length| body.len() >= length.parse().unwrap())
        });
        if whole || taken == 0 {
            return so_far.into_owned();
        }
    }
}

#[tokio::test]
async fn lim_03_a_refusal_arrives_although_the_body_was_never_read() {
    let (server, address) = serve().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let length = 8 << 20;
    let json = format!("content-type: application/json\r\ncontent-length: {length}\r\n");
    let head = head("POST", "/api/echo", address, &json);
    stream.write_all(head.as_bytes()).await.unwrap();
    // The whole body goes out before the first look at the answer, as most clients do it.
    stream.write_all(&vec![b' '; length]).await.unwrap();
    let text = response(&mut stream).await;
    assert!(text.starts_with("HTTP/1.1 413"), "{text}");
    assert!(text.contains("MESSAGE_TOO_LARGE"), "{text}");
    server.close().await;
}

#[tokio::test]
async fn life_03_draining_ends_streams_and_keeps_the_port_and_closing_releases_it() {
    let (server, address) = serve().await;
    let mut tail = TcpStream::connect(address).await.unwrap();
    let ask = head("GET", "/api/tail", address, "");
    tail.write_all(ask.as_bytes()).await.unwrap();
    let mut first = [0; 15];
    tail.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200 OK");

    let mut stuck = TcpStream::connect(address).await.unwrap();
    let ask = head("GET", "/api/stuck", address, "");
    stuck.write_all(ask.as_bytes()).await.unwrap();
    while server.entrance.running_requests() == 0 {
        tokio::task::yield_now().await;
    }

    server.drain(Duration::from_millis(20)).await;
    let mut rest = String::new();
    let ended = async {
        while !rest.ends_with("0\r\n\r\n") {
            let mut piece = [0; 512];
            let taken = tail.read(&mut piece).await.unwrap();
            rest.push_str(std::str::from_utf8(&piece[..taken]).unwrap());
        }
    };
    timeout(Duration::from_secs(5), ended)
        .await
        .expect("the stream went on");

    let mut probe = TcpStream::connect(address).await.unwrap();
    let ask = head("GET", "/api/health", address, "");
    probe.write_all(ask.as_bytes()).await.unwrap();
    let text = response(&mut probe).await;
    assert!(
        text.starts_with("HTTP/1.1 503") && text.contains("\"closing\""),
        "{text}"
    );

    server.close().await;
    let refused = TcpStream::connect(address).await.unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
    let cut = stuck.read(&mut [0; 64]).await;
    assert!(
        matches!(cut, Ok(0) | Err(_)),
        "a request outlived the server"
    );
}

#[tokio::test]
async fn life_03_a_dropped_server_lets_its_port_go() {
    let (server, address) = serve().await;
    drop(server);
    let gone = async { while TcpStream::connect(address).await.is_ok() {} };
    timeout(Duration::from_secs(5), gone)
        .await
        .expect("the port is still held");
}

#[tokio::test]
async fn rest_05_a_kept_connection_answers_again_after_a_refusal() {
    let (server, address) = serve().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    for (body, status) in [("[1,", "400"), ("[1]", "200"), ("", "400"), ("2", "200")] {
        let length = body.len();
        let json = format!("content-type: application/json\r\ncontent-length: {length}\r\n");
        let text = head("POST", "/api/echo", address, &json) + body;
        stream.write_all(text.as_bytes()).await.unwrap();
        let text = response(&mut stream).await;
        assert!(
            text.starts_with(&format!("HTTP/1.1 {status}")),
            "{body}: {text}"
        );
    }
    server.close().await;
}

#[tokio::test]
async fn rest_04_a_reader_that_takes_nothing_loses_its_stream_and_nobody_else_notices() {
    let (server, address, given_up) = serve_with(Duration::from_millis(100)).await;
    let mut stuck = TcpStream::connect(address).await.unwrap();
    let ask = head("GET", "/api/flood", address, "");
    stuck.write_all(ask.as_bytes()).await.unwrap();

    let mut other = TcpStream::connect(address).await.unwrap();
    let ask = head("GET", "/api/nothing", address, "");
    other.write_all(ask.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    other.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 404");

    let gone = timeout(Duration::from_secs(10), given_up.cancelled()).await;
    assert!(gone.is_ok(), "the stream is still held");
    server.close().await;
}
