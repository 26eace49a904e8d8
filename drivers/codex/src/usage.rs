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
    input: u64,
    cached: u64,
    output: u64,
    reasoning: u64,
}

impl Meter {
    pub(crate) fn new(resumed: bool) -> Self {
        Self {
            base: (!resumed).then(Figures::default),
            total: None,
        }
    }

    /// New figures; `turn` is ours, or none when they are of an earlier or a foreign turn.
    pub(crate) fn read(&mut self, turn: Option<String>, usage: &Value) -> Usage {
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
        Usage {
            turn,
            input_tokens: grown.map(|figures| figures.input),
            cached_input_tokens: grown.map(|figures| figures.cached),
            output_tokens: grown.map(|figures| figures.output),
            reasoning_tokens: grown.map(|figures| figures.reasoning),
            context_window: usage["modelContextWindow"].as_u64(),
            context_used: usage["last"]["totalTokens"].as_u64(),
            cost_micro_usd: None,
        }
    }

    pub(crate) fn turn_ended(&mut self) {
        if self.total.is_some() {
            self.base = self.total;
        }
    }
}

impl Figures {
    fn of(value: &Value) -> Self {
        let figure = |key: &str| value[key].as_u64().unwrap_or(0);
        Self {
            input: figure("inputTokens"),
            cached: figure("cachedInputTokens"),
            output: figure("outputTokens"),
            reasoning: figure("reasoningOutputTokens"),
        }
    }

    /// Totals can shrink when Codex compacts its context.
    fn since(self, base: Self) -> Self {
        Self {
            input: self.input.saturating_sub(base.input),
            cached: self.cached.saturating_sub(base.cached),
            output: self.output.saturating_sub(base.output),
            reasoning: self.reasoning.saturating_sub(base.reasoning),
        }
    }
}
