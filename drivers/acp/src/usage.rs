//! Token figures and what they cost. Agents that count since their process began are set back to what the
//! turn has added; a figure that nobody gave stays unknown.

use crate::agent::Agent;
use groupx_driver_sdk::Usage;
use serde_json::Value;

#[derive(Debug, Default)]
pub(crate) struct Meter {
    /// What the process had counted when the last turn ended.
    base: Figures,
    /// What the session has cost, in millionths of a dollar.
    cost: u64,
    /// The same when the turn began; unknown in a resumed session until it is said.
    cost_before: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Figures {
    input: Option<u64>,
    cached: Option<u64>,
    output: Option<u64>,
    thoughts: Option<u64>,
}

impl Meter {
    pub(crate) fn new(resumed: bool) -> Self {
        Self {
            cost_before: (!resumed).then_some(0),
            ..Self::default()
        }
    }

    /// The figures in the answer to a prompt, as the turn's own.
    pub(crate) fn of_answer(&mut self, turn: &str, answer: &Value, agent: &Agent) -> Option<Usage> {
        let given = agent.usage_at.iter().find_map(|at| answer.pointer(at))?;
        let given = Figures::of(given);
        let own = match agent.usage_is_cumulative {
            true => given.since(std::mem::replace(&mut self.base, given)),
            false => given,
        };
        // Agents write zeros for a turn that they did not count.
        if own.is_nothing() {
            return None;
        }
        Some(Usage {
            input_tokens: own.input,
            cached_input_tokens: own.cached,
            output_tokens: own.output,
            reasoning_tokens: own.thoughts,
            ..unknown(Some(turn))
        })
    }

    /// A `usage_update`: how full the context is, and what the session has cost so far.
    pub(crate) fn of_update(&mut self, turn: Option<&str>, update: &Value) -> Vec<Usage> {
        let mut told = Vec::new();
        // An agent that did not count writes 0.
        let used = update["used"].as_u64().filter(|used| *used > 0);
        let window = update["size"].as_u64();
        if used.is_some() || window.is_some() {
            told.push(Usage {
                context_used: used,
                context_window: window,
                ..unknown(None)
            });
        }
        if let Some(cost) = micro_dollars(&update["cost"]) {
            self.cost = self.cost.max(cost);
            let before = *self.cost_before.get_or_insert(self.cost);
            if turn.is_some() && self.cost > before {
                told.push(Usage {
                    cost_micro_usd: Some(self.cost - before),
                    ..unknown(turn)
                });
            }
        }
        told
    }

    pub(crate) fn turn_begins(&mut self) {
        if self.cost_before.is_some() {
            self.cost_before = Some(self.cost);
        }
    }
}

fn unknown(turn: Option<&str>) -> Usage {
    Usage {
        turn: turn.map(str::to_owned),
        input_tokens: None,
        cached_input_tokens: None,
        output_tokens: None,
        reasoning_tokens: None,
        context_window: None,
        context_used: None,
        cost_micro_usd: None,
    }
}

/// A price of nothing is what agents give for a model whose price they do not know.
fn micro_dollars(cost: &Value) -> Option<u64> {
    let amount = cost["amount"].as_f64()?;
    let in_dollars = cost["currency"]
        .as_str()
        .is_none_or(|currency| currency == "USD");
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let micro = (amount * 1e6).round() as u64;
    (in_dollars && amount > 0.0 && amount < 1e9).then_some(micro)
}

impl Figures {
    fn of(value: &Value) -> Self {
        let figure = |keys: &[&str]| keys.iter().find_map(|key| value[*key].as_u64());
        Self {
            input: figure(&["inputTokens", "input_tokens"]),
            cached: figure(&["cachedReadTokens", "cached_read_tokens"]),
            output: figure(&["outputTokens", "output_tokens"]),
            thoughts: figure(&["thoughtTokens", "reasoningTokens", "thought_tokens"]),
        }
    }

    fn since(self, base: Self) -> Self {
        let grown =
            |now: Option<u64>, base: Option<u64>| Some(now?.saturating_sub(base.unwrap_or(0)));
        Self {
            input: grown(self.input, base.input),
            cached: grown(self.cached, base.cached),
            output: grown(self.output, base.output),
            thoughts: grown(self.thoughts, base.thoughts),
        }
    }

    fn is_nothing(self) -> bool {
        let all = [self.input, self.cached, self.output, self.thoughts];
        all.into_iter().flatten().all(|figure| figure == 0)
    }
}
