//! The three books, closed: promises, the room's events, and what the agents read. Balanced means
//! nothing lost, nothing twice, nothing open.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::load::Ledger;
use crate::room::{Envelope, Room, TERMINAL};

/// Everything that is compared.
pub(super) struct Books {
    /// Marker and message id of every promise.
    promised: Vec<(String, String)>,
    /// Turn ids of every promise.
    promised_turns: Vec<String>,
    /// Content of every message by the user in the room, by event id.
    messages: HashMap<String, String>,
    queued: HashSet<String>,
    /// Terminal events of every Turn.
    ends: HashMap<String, Vec<String>>,
    /// How often each agent read a prompt with each marker.
    reads: HashMap<(String, String), usize>,
    open_in_store: Vec<String>,
    unsure: usize,
    cancels: usize,
}

impl Books {
    /// Waits until every promised Turn has ended, then reads all books.
    pub(super) async fn close(room: &Room, ledger: &Ledger, agents: &[&str]) -> Self {
        let (mut promised, mut promised_turns) = (Vec::new(), Vec::new());
        for entry in ledger.entries.lock().unwrap().iter() {
            promised.push((entry.marker.clone(), entry.accepted.message.clone()));
            promised_turns.extend(entry.accepted.turns.iter().map(|(_, turn)| turn.clone()));
        }
        for turn in &promised_turns {
            room.end(turn).await;
        }
        let events = room.events().so_far();
        let mut reads = HashMap::new();
        for agent in agents {
            for message in room.wire(agent).messages() {
                let marker = message.lines().last().unwrap_or_default().to_owned();
                *reads.entry(((*agent).to_owned(), marker)).or_insert(0) += 1;
            }
        }
        let open = "SELECT turn_id FROM turns WHERE status NOT IN \
                    ('completed', 'failed', 'cancelled', 'interrupted')";
        Self {
            promised,
            promised_turns,
            messages: user_messages(&events),
            queued: turns_with(&events, "turn.queued"),
            ends: ends(&events),
            reads,
            open_in_store: room.store().rows(open, []),
            unsure: ledger.unsure_total.load(Ordering::Relaxed),
            cancels: ledger.cancels.load(Ordering::Relaxed),
        }
    }

    pub(super) fn must_balance(&self) {
        assert_eq!(
            self.lost(),
            Vec::<&str>::new(),
            "accepted messages that are gone"
        );
        assert_eq!(
            self.doubled(),
            Vec::<String>::new(),
            "prompts that were sent twice"
        );
        assert_eq!(
            self.messages.len(),
            self.promised.len(),
            "messages that nobody sent"
        );
        let promised: HashSet<String> = self.promised_turns.iter().cloned().collect();
        assert_eq!(self.queued, promised, "Turns that nobody was told of");
        for (turn, ends) in &self.ends {
            assert_eq!(ends.len(), 1, "{turn} ended more than once: {ends:?}");
        }
        assert_eq!(self.ends.len(), promised.len(), "every Turn has an end");
        assert_eq!(
            self.open_in_store,
            Vec::<String>::new(),
            "Turns still open on the disk"
        );
    }

    fn lost(&self) -> Vec<&str> {
        let kept = |marker: &str, message: &str| {
            self.messages
                .get(message)
                .is_some_and(|content| content.ends_with(marker))
        };
        let lost = self
            .promised
            .iter()
            .filter(|(marker, message)| !kept(marker, message));
        lost.map(|(marker, _)| marker.as_str()).collect()
    }

    fn doubled(&self) -> Vec<String> {
        let twice = self.reads.iter().filter(|(_, times)| **times > 1);
        twice
            .map(|((agent, marker), times)| format!("{marker} at {agent}: {times} times"))
            .collect()
    }

    pub(super) fn report(&self, rounds: u64, seed: u64, took: Duration) -> String {
        let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
        for kind in self.ends.values().flatten() {
            *outcomes.entry(kind).or_default() += 1;
        }
        let outcomes: Vec<String> = outcomes
            .iter()
            .map(|(kind, count)| format!("| Turns that ended `{kind}` | {count} |"))
            .collect();
        format!(
            "# SIGKILLs under load\n\n\
             `tests/kill-report {rounds}` kills the running program at random instants while three clients post and\n\
             cancel and two agents work, starts it again on the same database, and compares what the clients were\n\
             promised, what the room tells, and what the agents really read.\n\n\
             | what | count |\n|---|---|\n\
             | kills | {rounds} |\n\
             | messages accepted | {} |\n\
             | requests cut off by a kill and sent again with the same id | {} |\n\
             | cancels answered | {} |\n\
             | Turns | {} |\n\
             | prompts that reached an agent | {} |\n\
             {}\n\
             | **accepted messages lost** | **{}** |\n\
             | **prompts sent twice** | **{}** |\n\
             | **Turns not terminal after the restart** | **{}** |\n\n\
             Seed {seed}, {} s.\n",
            self.promised.len(),
            self.unsure,
            self.cancels,
            self.promised_turns.len(),
            self.reads.values().sum::<usize>(),
            outcomes.join("\n"),
            self.lost().len(),
            self.doubled().len(),
            self.open_in_store.len(),
            took.as_secs(),
        )
    }
}

fn user_messages(events: &[Envelope]) -> HashMap<String, String> {
    let messages = events
        .iter()
        .filter(|event| event.kind() == "message.created");
    let by_user = messages.filter(|event| event.actor() == "user:web");
    by_user
        .map(|event| {
            let content = event.body()["content"].as_str().unwrap_or_default();
            (event.event_id().to_owned(), content.to_owned())
        })
        .collect()
}

fn turns_with(events: &[Envelope], kind: &str) -> HashSet<String> {
    let of_kind = events.iter().filter(|event| event.kind() == kind);
    of_kind
        .filter_map(|event| event.turn().map(str::to_owned))
        .collect()
}

fn ends(events: &[Envelope]) -> HashMap<String, Vec<String>> {
    let mut ends: HashMap<String, Vec<String>> = HashMap::new();
    for event in events
        .iter()
        .filter(|event| TERMINAL.contains(&event.kind()))
    {
        let turn = event.turn().unwrap_or_default().to_owned();
        ends.entry(turn).or_default().push(event.kind().to_owned());
    }
    ends
}
