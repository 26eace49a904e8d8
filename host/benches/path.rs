//! What the whole path costs with an agent that costs nothing: POST → broker → store → session →
//! live events → SSE on a real socket, and how many flushes an accepted message takes.
//!
//! `cargo bench -p groupx --bench path`. Rows T2b, T3 and T5 of docs/benchmarks.md.

// A bench that cannot run says why and ends.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use groupx::broker::{
    Broker, BrokerParts, MailboxLimits, Member, RoomLimits, RoomTimeouts, Roster, Sources,
};
use groupx::config::Config;
use groupx::http::{self, Doors};
use groupx::protocol::reply::DriverSummary;
use groupx::protocol::{ActorId, AgentId, Seq};
use groupx::session::{
    SessionCommand, SessionEvent, SessionFacts, SessionLink, SessionRequest, SessionSource, TurnEnd,
};
use groupx::store::{Durability, Store};
use tokio::sync::mpsc;

/// Deltas of one native message that stand in one batch, as they come from a busy driver.
const BATCH: usize = 64;

/// An agent without a process: `deltas N` streams N deltas of eight characters, anything else is
/// answered with one.
struct Emitter;

impl SessionSource for Emitter {
    fn open(&self, _: SessionRequest) -> SessionLink {
        let (commands, mut told) = mpsc::channel(8);
        let (events, heard) = mpsc::channel(16);
        tokio::spawn(async move {
            let ready = SessionFacts {
                native_session_id: Some("native".into()),
                ..SessionFacts::default()
            };
            let _ = events.send(vec![SessionEvent::Ready(ready)]).await;
            while let Some(command) = told.recv().await {
                let SessionCommand::Prompt { text, .. } = command else {
                    return;
                };
                let last = text.lines().last().unwrap_or_default();
                let count = last
                    .strip_prefix("deltas ")
                    .and_then(|n| n.parse().ok())
                    .unwrap_or(1);
                let delta = || SessionEvent::Content {
                    item: "m".into(),
                    text: "abcdefgh".into(),
                };
                let mut left: usize = count;
                while left > 0 {
                    let size = left.min(BATCH);
                    left -= size;
                    let _ = events
                        .send(std::iter::repeat_with(delta).take(size).collect())
                        .await;
                }
                let end = TurnEnd::Completed { final_text: None };
                let _ = events.send(vec![SessionEvent::TurnEnded(end)]).await;
            }
        });
        SessionLink {
            commands,
            events: heard,
        }
    }

    fn driver(&self, _: &str) -> Option<DriverSummary> {
        None
    }
}

struct House {
    store: Store,
    _broker: Broker,
    server: http::Server,
    port: u16,
}

async fn house(folder: &std::path::Path, durability: Durability) -> House {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
        .await
        .unwrap();
    let port = listener.local_addr().unwrap().port();
    let text = r#"{"agents":{"codex":{"command":"codex","cwd":"."}}}"#;
    let config = Config::parse(text, folder.join("groupx.json"), None).unwrap();
    let store = Store::open(&folder.join("room.db"), durability).unwrap();
    let agent = AgentId::trusted("codex");
    let member = Member {
        actor: ActorId::of(&agent),
        agent,
        name: "Codex".into(),
        driver: "codex".into(),
        cwd: ".".into(),
        identity: None,
        enabled: true,
    };
    let parts = BrokerParts {
        store: store.clone(),
        roster: Roster(vec![member]),
        sessions: Box::new(Emitter),
        sources: Sources::of_the_system(),
        limits: RoomLimits {
            message_characters: 131_072,
            context_characters: 256_000,
            queue_per_agent: 10_000,
            mailbox: MailboxLimits {
                frames: 512,
                bytes: 2 << 20,
            },
        },
        timeouts: RoomTimeouts {
            cancel: Duration::from_secs(10),
        },
        mcp_url: String::new(),
        ui_language: None,
    };
    let (broker, lanes) = Broker::open(parts).await.unwrap();
    let doors = Doors {
        broker: broker.clone(),
        identity: config.identity(),
        limits: config.limits.clone(),
        port,
        stop: tokio_util::sync::CancellationToken::new(),
    };
    let server = http::open(listener, doors);
    broker.run(lanes);
    broker.settled().await;
    House {
        store,
        _broker: broker,
        server,
        port,
    }
}

/// A blocking client: the server's runtime must not share its threads.
struct Client {
    port: u16,
    stream: TcpStream,
    sent: u64,
}

impl Client {
    fn new(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            port,
            stream,
            sent: 0,
        }
    }

    fn post(&mut self, name: &str, content: &str) {
        self.sent += 1;
        let body = format!(
            r#"{{"clientCommandId":"{name}-{}","to":["agent:codex"],"content":"{content}"}}"#,
            self.sent
        );
        let head = format!(
            "POST /api/messages HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        self.stream
            .write_all(format!("{head}{body}").as_bytes())
            .unwrap();
        let mut answer = [0; 4096];
        let read = self.stream.read(&mut answer).unwrap();
        assert!(
            answer[..read].starts_with(b"HTTP/1.1 202"),
            "{}",
            String::from_utf8_lossy(&answer[..read])
        );
    }
}

/// Reads the event stream; gives the characters of deltas seen until `ends` Turns are completed.
fn listen(port: u16, after: Seq, ends: usize, heard: &std::sync::mpsc::Sender<Instant>) -> usize {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(
        stream,
        "GET /api/events?afterSeq={after} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
    )
    .unwrap();
    let mut characters = 0;
    let mut ended = 0;
    for line in BufReader::with_capacity(1 << 20, stream).lines() {
        let line = line.unwrap();
        if line.contains("\"type\":\"turn.content.delta\"") {
            characters += line.matches("abcdefgh").count() * 8;
        } else if line.contains("\"type\":\"turn.completed\"") {
            ended += 1;
            let _ = heard.send(Instant::now());
            if ended == ends {
                return characters;
            }
        }
    }
    panic!("the stream ended");
}

fn echo(house: &House, rounds: usize) -> Vec<Duration> {
    let (heard, ends) = std::sync::mpsc::channel();
    let (port, from) = (house.port, house.store.tail().shown());
    let reader = std::thread::spawn(move || listen(port, from, rounds, &heard));
    let mut client = Client::new(port);
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let begun = Instant::now();
            client.post("echo", "hello");
            ends.recv_timeout(Duration::from_secs(10)).unwrap() - begun
        })
        .collect();
    reader.join().unwrap();
    times.sort();
    times
}

fn stream(house: &House, deltas: usize) -> (Duration, usize) {
    let (heard, _ends) = std::sync::mpsc::channel();
    let (port, from) = (house.port, house.store.tail().shown());
    let reader = std::thread::spawn(move || listen(port, from, 1, &heard));
    let begun = Instant::now();
    Client::new(port).post(&format!("stream-{deltas}"), &format!("deltas {deltas}"));
    let characters = reader.join().unwrap();
    (begun.elapsed(), characters)
}

fn accept(house: &House, clients: usize, each: usize) -> (Duration, f64) {
    let before = house.store.flushes();
    let begun = Instant::now();
    let threads: Vec<_> = (0..clients)
        .map(|number| {
            let port = house.port;
            std::thread::spawn(move || {
                let mut client = Client::new(port);
                for _ in 0..each {
                    client.post(&format!("accept-{number}"), "hello");
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let took = begun.elapsed();
    #[allow(clippy::cast_precision_loss)] // a few thousand
    let flushes = (house.store.flushes() - before) as f64 / (clients * each) as f64;
    (took, flushes)
}

#[allow(clippy::cast_precision_loss)] // counts far below 2^52
fn main() {
    let runtime = Arc::new(
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap(),
    );
    for durability in [Durability::Normal, Durability::Full] {
        let folder = tempfile::tempdir().unwrap();
        let house = runtime.block_on(house(folder.path(), durability));
        let times = echo(&house, 300);
        println!(
            "{durability:?}: echo Turn, POST to turn.completed on SSE: p50 {:.2} ms, p99 {:.2} ms",
            times[times.len() / 2].as_secs_f64() * 1e3,
            times[times.len() * 99 / 100].as_secs_f64() * 1e3
        );
        for deltas in [100_000, 400_000] {
            let (took, characters) = stream(&house, deltas);
            assert_eq!(characters, deltas * 8, "no delta may be lost");
            println!(
                "{durability:?}: {deltas} deltas of 8 characters to one SSE client: {:.0} a second",
                deltas as f64 / took.as_secs_f64()
            );
        }
        let (took, flushes) = accept(&house, 16, 200);
        println!(
            "{durability:?}: 16 clients: {:.0} accepted a second, {flushes:.3} flushes each (their Turns included)",
            3_200.0 / took.as_secs_f64()
        );
        runtime.block_on(house.server.close());
    }
}
