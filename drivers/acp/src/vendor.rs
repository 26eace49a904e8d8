//! The little that is of use in a vendor's own notifications. They look like `session/update` and are not.

use crate::update::Update;
use groupx_driver_sdk::text;
use serde_json::Value;
use serde_json::value::RawValue;

pub(crate) enum News {
    /// The model's stream failed and is tried again: what was streamed of it is void once it goes on.
    Retry(String),
    /// A reply of the model is whole.
    Counted,
}

pub(crate) fn read(params: Option<&RawValue>, session: &str) -> Option<News> {
    let update = Update::of_params(params).filter(|update| &*update.session == session)?;
    match &*update.kind {
        "response_completed" => Some(News::Counted),
        "retry_state" => {
            let state: Value = serde_json::from_str(update.raw.get()).ok()?;
            (state["type"] == "retrying").then(|| News::Retry(words(&state)))
        }
        _ => None,
    }
}

fn words(state: &Value) -> String {
    let reason = state["reason"].as_str().unwrap_or("the model failed");
    let reason = text::one_line(reason, 240);
    match (state["attempt"].as_u64(), state["max_retries"].as_u64()) {
        (Some(attempt), Some(most)) => format!("retry {attempt} of {most}: {reason}"),
        (Some(attempt), None) => format!("retry {attempt}: {reason}"),
        _ => format!("retry: {reason}"),
    }
}
