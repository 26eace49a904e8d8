//! A reader of the event stream: keeps every envelope in the order of arrival and wakes whoever
//! waits for one. It knows the SSE framing and no event's meaning.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use futures_util::StreamExt;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::deadline::within;
use super::process::log_tail;

/// One event as it came over the stream.
#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    /// The `id:` line of its frame.
    pub(crate) sse_id: Option<u64>,
    pub(crate) raw: Value,
}

impl Envelope {
    pub(crate) fn seq(&self) -> Option<u64> {
        self.raw["seq"].as_u64()
    }

    pub(crate) fn kind(&self) -> &str {
        self.raw["type"].as_str().unwrap_or_default()
    }

    pub(crate) fn event_id(&self) -> &str {
        self.raw["eventId"].as_str().unwrap_or_default()
    }

    pub(crate) fn actor(&self) -> &str {
        self.raw["actor"]["actorId"].as_str().unwrap_or_default()
    }

    pub(crate) fn body(&self) -> &Value {
        &self.raw["body"]
    }

    /// The Turn that the event belongs to, where its body names one.
    pub(crate) fn turn(&self) -> Option<&str> {
        self.body()["turnId"].as_str()
    }

    pub(crate) fn is_of(&self, turn: &str, kind: &str) -> bool {
        self.kind() == kind && self.turn() == Some(turn)
    }
}

/// A running reader.
pub(crate) struct Events {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
    log: PathBuf,
}

struct Shared {
    list: Mutex<Vec<Envelope>>,
    /// Number of envelopes so far, and whether the stream has ended.
    progress: watch::Sender<(usize, bool)>,
}

impl Shared {
    fn list(&self) -> MutexGuard<'_, Vec<Envelope>> {
        self.list.lock().expect("no reader panics with the list")
    }
}

impl Events {
    /// Opens the stream; `log` is quoted when a wait fails.
    pub(super) async fn connect(client: &reqwest::Client, url: &str, log: PathBuf) -> Self {
        let request = client.get(url).header("accept", "text/event-stream").send();
        let answer = within("the event stream opens", request)
            .await
            .expect("the event stream opens");
        assert_eq!(answer.status(), 200, "the event stream opens");
        let shared = Arc::new(Shared {
            list: Mutex::default(),
            progress: watch::Sender::new((0, false)),
        });
        let task = tokio::spawn(read(answer, Arc::clone(&shared)));
        Self { shared, task, log }
    }

    /// Everything that has arrived so far.
    pub(crate) fn so_far(&self) -> Vec<Envelope> {
        self.shared.list().clone()
    }

    /// Goes through the events from the first one and waits for more until `look` finds something.
    pub(crate) async fn find<T>(&self, what: &str, look: impl FnMut(&Envelope) -> Option<T>) -> T {
        let mut progress = self.shared.progress.subscribe();
        let search = async {
            let mut look = look;
            let mut from = 0;
            loop {
                let ended = progress.borrow_and_update().1;
                {
                    let list = self.shared.list();
                    if let Some(found) = list[from..].iter().find_map(&mut look) {
                        return found;
                    }
                    from = list.len();
                }
                if ended || progress.changed().await.is_err() {
                    panic!("the stream ended before: {what}\n{}", self.describe());
                }
            }
        };
        match tokio::time::timeout(super::deadline::PATIENCE, search).await {
            Ok(found) => found,
            Err(_) => panic!("never came: {what}\n{}", self.describe()),
        }
    }

    /// Waits for an event that satisfies `test` and returns it.
    pub(crate) async fn one(&self, what: &str, test: impl Fn(&Envelope) -> bool) -> Envelope {
        self.find(what, |event| test(event).then(|| event.clone()))
            .await
    }

    /// Waits until the server has closed the stream.
    pub(crate) async fn ended(&self) {
        let mut progress = self.shared.progress.subscribe();
        let wait = progress.wait_for(|(_, ended)| *ended);
        let _ = within("the event stream ends", wait).await;
    }

    /// The last events and GroupX's last words.
    fn describe(&self) -> String {
        let list = self.shared.list();
        let last: Vec<String> = list[list.len().saturating_sub(30)..]
            .iter()
            .map(|event| {
                let mut body = event.body().to_string();
                body.truncate(body.floor_char_boundary(300));
                format!(
                    "  {:?} {} {} {body}",
                    event.seq(),
                    event.kind(),
                    event.actor()
                )
            })
            .collect();
        format!(
            "last events:\n{}\nlog of GroupX:\n{}",
            last.join("\n"),
            log_tail(Path::new(&self.log))
        )
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read(answer: reqwest::Response, shared: Arc<Shared>) {
    let mut stream = answer.bytes_stream();
    let mut buffer: Vec<u8> = Vec::new();
    while let Some(Ok(bytes)) = stream.next().await {
        buffer.extend_from_slice(&bytes);
        let mut from = 0;
        while let Some(length) = find_blank_line(&buffer[from..]) {
            if let Some(event) = parse(&buffer[from..from + length]) {
                shared.list().push(event);
            }
            from += length + 2;
        }
        buffer.drain(..from);
        let count = shared.list().len();
        shared.progress.send_replace((count, false));
    }
    let count = shared.list().len();
    shared.progress.send_replace((count, true));
}

fn find_blank_line(bytes: &[u8]) -> Option<usize> {
    bytes.windows(2).position(|pair| pair == b"\n\n")
}

/// A frame with data; comments and `retry:` give nothing.
fn parse(frame: &[u8]) -> Option<Envelope> {
    let text = std::str::from_utf8(frame).expect("an SSE frame is UTF-8");
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let raw = serde_json::from_str(field("data: ")?).expect("the data of a frame is one JSON line");
    let sse_id = field("id: ").map(|id| id.parse().expect("the id of a frame is a number"));
    Some(Envelope { sse_id, raw })
}
