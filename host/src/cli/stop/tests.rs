use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;

use serde_json::Value;

use super::*;
use crate::config::Language;

const PATIENCE: Duration = Duration::from_secs(10);

fn ours() -> RuntimeIdentity {
    RuntimeIdentity {
        runtime_key: "a".repeat(64),
        runtime_scope_key: "b".repeat(64),
    }
}

/// A listener that answers each request from a list, then is gone. It returns what it was asked.
struct Room {
    port: u16,
    asked: JoinHandle<Vec<String>>,
}

impl Room {
    fn answering(answers: Vec<(u16, Value)>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = thread::spawn(move || {
            let answer = |(status, body)| serve(&mut listener.accept().unwrap().0, status, &body);
            answers.into_iter().map(answer).collect()
        });
        Self { port, asked }
    }

    fn end(self) -> (Exit, Vec<String>) {
        let exit = end(self.port, &ours(), PATIENCE, Voice::new(Language::English));
        (exit, self.asked.join().unwrap())
    }
}

fn serve(stream: &mut TcpStream, status: u16, body: &Value) -> String {
    let mut request = vec![0; 4096];
    let read = stream.read(&mut request).unwrap();
    request.truncate(read);
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} x\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream
        .write_all(format!("{head}{body}").as_bytes())
        .unwrap();
    String::from_utf8(request).unwrap()
}

fn health(runtime: &str, scope: &str, status: &str) -> Value {
    json!({
        "service": "groupx", "protocol": "groupx.runtime/1", "status": status,
        "runtimeKey": runtime.repeat(64), "runtimeScopeKey": scope.repeat(64),
    })
}

#[test]
fn life_03_a_room_is_asked_once_and_watched_until_it_is_gone() {
    let room = Room::answering(vec![
        (200, health("a", "b", "ok")),
        (202, json!({"accepted": true})),
        (503, health("a", "b", "closing")),
    ]);
    let (exit, asked) = room.end();
    assert_eq!(exit, Exit::Done);
    assert!(
        asked[1].starts_with("POST /api/runtime/shutdown HTTP/1.1"),
        "{}",
        asked[1]
    );
    assert!(asked[1].contains(&"b".repeat(64)), "{}", asked[1]);
}

#[test]
fn life_03_a_room_whose_file_has_changed_since_is_still_its_own() {
    let room = Room::answering(vec![(200, health("c", "b", "ok")), (202, json!({}))]);
    assert_eq!(room.end().0, Exit::Done);
}

#[test]
fn life_03_a_room_that_is_ending_already_is_not_asked_again() {
    let room = Room::answering(vec![(503, health("a", "b", "closing"))]);
    assert_eq!(room.end().0, Exit::Done);
}

#[test]
fn life_03_another_room_and_another_program_are_left_alone() {
    let other = Room::answering(vec![(200, health("c", "d", "ok"))]);
    assert_eq!(other.end().0, Exit::Failed);
    let program = Room::answering(vec![(404, json!("no"))]);
    assert_eq!(program.end().0, Exit::Failed);
}

#[test]
fn life_03_a_refusal_and_a_replacement_are_failures() {
    let refuses = Room::answering(vec![(200, health("a", "b", "ok")), (409, json!({}))]);
    assert_eq!(refuses.end().0, Exit::Failed);
    let replaced = Room::answering(vec![
        (200, health("a", "b", "ok")),
        (202, json!({})),
        (200, health("c", "d", "ok")),
    ]);
    assert_eq!(replaced.end().0, Exit::Failed);
}

#[test]
fn life_03_nothing_to_stop_is_no_failure() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let exit = end(port, &ours(), PATIENCE, Voice::new(Language::English));
    assert_eq!(exit, Exit::Done);
}

#[test]
fn a_room_has_time_for_its_slowest_agent() {
    let with = |file: &str| {
        patience(&Config::parse(file, "/room/groupx.json".into(), None).unwrap()).as_millis()
    };
    assert_eq!(with("{}"), 16_000);
    assert_eq!(with(r#"{"timeouts":{"closeMs":100}}"#), 15_000);
    assert_eq!(with(r#"{"timeouts":{"closeMs":30000}}"#), 91_000);
}
