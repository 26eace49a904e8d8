//! Token figures. Codex counts for the thread; the room wants the turn, so a turn's figures are what the
//! thread's have grown by since the turn began.

use groupx_driver_sdk::Usage;
use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Meter {
    /// The thread's totals when the turn began; unknown in a resumed thread until the first figures.
    base: Option<Figures>,
    total: Option<Figures>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Figures {
    input: Option<u64>,
    cached: Option<u64>,
    output: Option<u64>,
    reasoning: Option<u64>,
}

impl Meter {
    pub(crate) fn new(resumed: bool) -> Self {
        Self {
            base: (!resumed).then(Figures::default),
            total: None,
        }
    }

    /// New figures; `turn` is ours, or none when they are of an earlier or a foreign turn.
    pub(crate) fn read(&mut self, turn: Option<String>, usage: &Value) -> Option<Usage> {
        usage.as_object()?;
        let total = Figures::of(&usage["total"]);
        self.total = Some(total);
        let last = Figures::of(&usage["last"]);
        let grown = match turn {
            None => {
                self.base = Some(total);
                None
            }
            Some(_) => Some(total.since(*self.base.get_or_insert(total.since(last)))),
        };
        Some(Usage {
            turn,
            input_tokens: grown.and_then(|figures| figures.input),
            cached_input_tokens: grown.and_then(|figures| figures.cached),
            output_tokens: grown.and_then(|figures| figures.output),
            reasoning_tokens: grown.and_then(|figures| figures.reasoning),
            context_window: usage["modelContextWindow"].as_u64(),
            context_used: usage["last"]["totalTokens"].as_u64(),
            cost_micro_usd: None,
        })
    }

    pub(crate) fn turn_ended(&mut self) {
        if self.total.is_some() {
            self.base = self.total;
        }
    }
}

impl Figures {
    fn of(value: &Value) -> Self {
        Self {
            input: value["inputTokens"].as_u64(),
            cached: value["cachedInputTokens"].as_u64(),
            output: value["outputTokens"].as_u64(),
            reasoning: value["reasoningOutputTokens"].as_u64(),
        }
    }

    fn since(self, base: Self) -> Self {
        // Totals can shrink when Codex compacts its context.
        let grown =
            |now: Option<u64>, base: Option<u64>| Some(now?.saturating_sub(base.unwrap_or(0)));
        Self {
            input: grown(self.input, base.input),
            cached: grown(self.cached, base.cached),
            output: grown(self.output, base.output),
            reasoning: grown(self.reasoning, base.reasoning),
        }
    }
}
