//! What a fake agent noted of its wire, over all its processes. It outlives kills, so it is the
//! witness of what was really sent.

use std::path::Path;

use serde_json::Value;

/// The frames of one agent, oldest first.
pub(crate) struct WireLog {
    frames: Vec<Frame>,
}

struct Frame {
    pid: u64,
    /// Read by the agent, not written.
    inward: bool,
    body: Value,
}

impl WireLog {
    pub(super) fn read(folder: &Path) -> Self {
        let text = std::fs::read_to_string(folder.join("wire-log.jsonl")).unwrap_or_default();
        // The last line of a killed agent may be cut.
        let entries = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let frames = entries
            .map(|mut entry| Frame {
                pid: entry["pid"].as_u64().expect("the writer's pid"),
                inward: entry["direction"] == "in",
                body: entry["frame"].take(),
            })
            .collect();
        Self { frames }
    }

    /// The parameters of every request or notice of this method that the agent got.
    pub(crate) fn received(&self, method: &str) -> Vec<&Value> {
        self.inward()
            .filter(|frame| frame.body["method"] == method)
            .map(|frame| &frame.body["params"])
            .collect()
    }

    /// Answers that the agent got to its own requests, as result or error.
    pub(crate) fn answers(&self) -> Vec<&Value> {
        self.inward()
            .filter(|frame| frame.body.get("method").is_none())
            .map(|frame| &frame.body)
            .collect()
    }

    /// Whole prompts, in the order of their arrival.
    pub(crate) fn prompts(&self) -> Vec<&str> {
        self.received("turn/start")
            .into_iter()
            .map(|params| params["input"][0]["text"].as_str().expect("a text prompt"))
            .collect()
    }

    /// The newest message of every prompt, without the context before it.
    pub(crate) fn messages(&self) -> Vec<&str> {
        let current = |prompt: &'_ str| prompt.rfind("\n[current_message]\n").map(|at| at + 19);
        self.prompts()
            .into_iter()
            .map(|prompt| &prompt[current(prompt).expect("a current message")..])
            .collect()
    }

    /// How often a prompt with this text in its newest message arrived.
    pub(crate) fn times_prompted(&self, marker: &str) -> usize {
        self.messages()
            .iter()
            .filter(|text| text.contains(marker))
            .count()
    }

    /// How many processes of the agent have been greeted.
    pub(crate) fn processes(&self) -> usize {
        self.received("initialize").len()
    }

    /// Process ids of the agent, oldest first.
    pub(crate) fn pids(&self) -> Vec<u64> {
        let mut pids: Vec<u64> = self.frames.iter().map(|frame| frame.pid).collect();
        pids.dedup();
        pids
    }

    /// The native thread ids that the agent made up.
    pub(crate) fn threads(&self) -> Vec<&str> {
        self.frames
            .iter()
            .filter(|frame| !frame.inward && frame.body["method"] == "thread/started")
            .filter_map(|frame| frame.body["params"]["thread"]["id"].as_str())
            .collect()
    }

    fn inward(&self) -> impl Iterator<Item = &Frame> {
        self.frames.iter().filter(|frame| frame.inward)
    }
}
