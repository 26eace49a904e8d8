//! Token figures of a turn, from three sources of which none is always there: what the model's messages
//! say while they stream, what the result says of the turn, and totals of the whole process.
//!
//! Claude counts input that came from or went to its cache apart; the room wants all of it in one
//! figure, and of that the part that was cached.

use groupx_driver_sdk::Usage;
use serde_json::Value;

#[derive(Debug, Default)]
pub(crate) struct Meter {
    /// Totals of the process when the last turn ended.
    process: Figures,
    cost: f64,
    /// Messages of this turn that are over, and the one that is not.
    ended: Figures,
    message: Figures,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Figures {
    input: u64,
    cached: u64,
    output: u64,
}

impl Meter {
    pub(crate) fn turn_begins(&mut self) {
        self.ended = Figures::default();
        self.message = Figures::default();
    }

    /// A message begins; its input is known, of its output nothing yet.
    pub(crate) fn message_begins(&mut self, usage: &Value) {
        self.ended = self.ended.plus(self.message);
        self.message = Figures {
            output: 0,
            ..Figures::of_usage(usage)
        };
    }

    /// New figures of the message, which say its totals.
    pub(crate) fn message_grows(&mut self, turn: &str, usage: &Value) -> Option<Usage> {
        let grown = Figures::of_usage(usage);
        self.message = Figures {
            input: self.message.input.max(grown.input),
            cached: self.message.cached.max(grown.cached),
            output: grown.output,
        };
        let total = self.ended.plus(self.message);
        total.is_known().then(|| self.told(turn, total))
    }

    /// The turn's last word; `model` is the one that the session works with.
    pub(crate) fn turn_ends(&mut self, turn: &str, result: &Value, model: &str) -> Option<Usage> {
        let process = Figures::of_models(&result["modelUsage"]);
        let grown = process.since(self.process);
        self.process = process;
        let streamed = self.ended.plus(self.message);
        let sources = [Figures::of_usage(&result["usage"]), grown, streamed];
        let total = sources.into_iter().find(|figures| figures.is_known());
        let total = total.unwrap_or_default();
        let usage = Usage {
            context_window: window(&result["modelUsage"], model),
            cost_micro_usd: self.spent(result["total_cost_usd"].as_f64()),
            ..self.told(turn, total)
        };
        let known = total.is_known() || usage.cost_micro_usd.is_some();
        known.then_some(usage)
    }

    /// A turn ended that was not ours.
    pub(crate) fn other_turn_ends(&mut self, result: &Value) {
        self.process = Figures::of_models(&result["modelUsage"]);
        self.spent(result["total_cost_usd"].as_f64());
    }

    fn told(&self, turn: &str, total: Figures) -> Usage {
        let known = |figure: u64| (figure > 0).then_some(figure);
        Usage {
            turn: Some(turn.to_owned()),
            input_tokens: known(total.input),
            cached_input_tokens: known(total.cached),
            output_tokens: known(total.output),
            reasoning_tokens: None,
            context_window: None,
            context_used: known(self.message.input.saturating_add(self.message.output)),
            cost_micro_usd: None,
        }
    }

    fn spent(&mut self, total: Option<f64>) -> Option<u64> {
        let total = total.filter(|total| total.is_finite())?;
        let micro = ((total - self.cost) * 1e6).round();
        self.cost = total;
        // Below a million dollars a turn the figure is exact.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        (micro > 0.0 && micro < 1e12).then_some(micro as u64)
    }
}

impl Figures {
    fn of_usage(usage: &Value) -> Self {
        let figure = |key: &str| usage[key].as_u64().unwrap_or(0);
        Self::all(
            figure("input_tokens"),
            figure("cache_creation_input_tokens"),
            figure("cache_read_input_tokens"),
            figure("output_tokens"),
        )
    }

    fn of_models(models: &Value) -> Self {
        let models = models
            .as_object()
            .into_iter()
            .flat_map(|models| models.values());
        models.fold(Self::default(), |sum, model| {
            let figure = |key: &str| model[key].as_u64().unwrap_or(0);
            sum.plus(Self::all(
                figure("inputTokens"),
                figure("cacheCreationInputTokens"),
                figure("cacheReadInputTokens"),
                figure("outputTokens"),
            ))
        })
    }

    fn all(fresh: u64, stored: u64, cached: u64, output: u64) -> Self {
        Self {
            input: fresh.saturating_add(stored).saturating_add(cached),
            cached,
            output,
        }
    }

    fn is_known(self) -> bool {
        self != Self::default()
    }

    fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cached: self.cached.saturating_add(other.cached),
            output: self.output.saturating_add(other.output),
        }
    }

    fn since(self, base: Self) -> Self {
        Self {
            input: self.input.saturating_sub(base.input),
            cached: self.cached.saturating_sub(base.cached),
            output: self.output.saturating_sub(base.output),
        }
    }
}

/// The context window of `model`, or of the only one there is.
fn window(models: &Value, model: &str) -> Option<u64> {
    let models = models.as_object()?;
    let only = (models.len() == 1)
        .then(|| models.values().next())
        .flatten();
    models.get(model).or(only)?["contextWindow"].as_u64()
}
