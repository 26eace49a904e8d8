//! The clients of the kill loop: they post and cancel until the room dies under them, and note what
//! they were told.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::dice::Dice;
use crate::room::{Accepted, Reply, Room, command_id};

/// Messages of one client in one round: enough to be killed in the middle of, few enough to drain.
const MESSAGES: u64 = 6;

/// What the clients know.
#[derive(Default)]
pub(super) struct Ledger {
    pub(super) entries: Mutex<Vec<Entry>>,
    /// Requests whose answer never came.
    unsure: Mutex<Vec<(String, Value)>>,
    /// How many those were after the last kill.
    pub(super) unsure_total: AtomicUsize,
    pub(super) cancels: AtomicUsize,
    next: AtomicUsize,
}

/// A message that the room has promised to keep.
pub(super) struct Entry {
    pub(super) marker: String,
    pub(super) accepted: Accepted,
}

/// A name that stands in one message only.
pub(super) fn marker(number: usize) -> String {
    format!("mark-{number:06}")
}

impl Ledger {
    fn promise(&self, marker: String, reply: &Reply) -> Accepted {
        assert_eq!(reply.status, 202, "{:?}", reply.body);
        let accepted = Accepted::from(reply);
        let entry = Entry {
            marker,
            accepted: accepted.clone(),
        };
        self.entries.lock().unwrap().push(entry);
        accepted
    }
}

/// One client of one round.
pub(super) async fn post_until_refused(room: &Room, ledger: &Ledger, mut dice: Dice) {
    for _ in 0..MESSAGES {
        let marker = marker(ledger.next.fetch_add(1, Ordering::Relaxed));
        let to: &[&str] = match dice.below(4) {
            0 => &["@all"],
            1 => &["agent:beta"],
            _ => &["agent:alpha"],
        };
        let content = format!("{}\n{marker}", script(&mut dice));
        let body = json!({"clientCommandId": command_id(), "to": to, "content": content});
        // Noted before it is sent: a kill may drop this client anywhere after this line.
        ledger
            .unsure
            .lock()
            .unwrap()
            .push((marker.clone(), body.clone()));
        let Some(reply) = room.try_post("/api/messages", &body).await else {
            return;
        };
        let accepted = ledger.promise(marker.clone(), &reply);
        ledger
            .unsure
            .lock()
            .unwrap()
            .retain(|(other, _)| *other != marker);
        if dice.below(5) == 0 {
            let (_, turn) = &accepted.turns[0];
            let path = format!("/api/turns/{turn}/cancel");
            let command = json!({"clientCommandId": command_id()});
            let Some(reply) = room.try_post(&path, &command).await else {
                return;
            };
            assert_eq!(reply.status, 202, "{:?}", reply.body);
            ledger.cancels.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// What a careful client does after a lost connection: the same command again.
pub(super) async fn send_again_what_was_unsure(room: &Room, ledger: &Ledger) {
    let unsure = std::mem::take(&mut *ledger.unsure.lock().unwrap());
    ledger.unsure_total.store(unsure.len(), Ordering::Relaxed);
    for (marker, body) in unsure {
        let reply = room.post("/api/messages", &body).await;
        ledger.promise(marker, &reply);
    }
}

/// Something for the agent to do that takes from no time to a few hundred milliseconds.
fn script(dice: &mut Dice) -> String {
    match dice.below(6) {
        0 => "{{deltas n=40 size=6 every=3}}".into(),
        1 => r#"{{reason text="hm"}}{{tool name=shell n=3 ms=5}}{{say text="done"}}"#.into(),
        2 => format!(
            r#"{{{{sleep ms={}}}}}{{{{say text="late"}}}}"#,
            dice.below(150)
        ),
        3 => "{{fail}}".into(),
        _ => r#"{{say text="at once"}}"#.into(),
    }
}
