//! Claude's errors as failures of the interface. What Claude says is kept word for word; only the code
//! is a judgement, and an error that is not known by its own sign gets none but "internal".

use crate::launch::UNRESTRICTED;
use groupx_driver_sdk::{Failure, json, text};
use serde_json::{Map, Value};

const MESSAGE_BYTES: usize = 500;
const DETAIL_BYTES: usize = 4_000;
/// What of a result tells why it failed; the rest is figures.
const REASONS: [&str; 7] = [
    "subtype",
    "api_error_status",
    "terminal_reason",
    "stop_reason",
    "result",
    "errors",
    "error",
];

/// A failure that trying again does not cure.
pub(crate) fn failure(code: &str, message: &str) -> Failure {
    Failure {
        code: code.to_owned(),
        message: text::one_line(message, MESSAGE_BYTES),
        detail: None,
        retryable: false,
    }
}

/// Claude works in a mode that would stop at questions which nobody answers.
pub(crate) fn wrong_mode(mode: &str) -> Failure {
    let message =
        format!("Claude works in permission mode {mode:?} although {UNRESTRICTED:?} was asked");
    failure("policy-blocked", &message)
}

/// Claude refuses the unrestricted mode, in words that say whether that is a policy.
pub(crate) fn mode_refused(error: &str) -> Failure {
    let policy = error.contains("disabled by");
    failure(
        if policy { "policy-blocked" } else { "internal" },
        &format!("Claude refuses the unrestricted mode: {error}"),
    )
}

/// A session that did not begin: Claude says so with a `result`, and ends.
pub(crate) fn of_start(result: &Value, max_json: u32) -> Failure {
    let words = words(result, "");
    let gone = words.contains("No conversation found");
    Failure {
        detail: Some(detail(result, max_json)),
        ..failure(
            if gone { "resume-not-found" } else { "internal" },
            &format!("Claude did not begin a session: {words}"),
        )
    }
}

/// Why a turn failed: its `result`, and what Claude had said in the model's place, if anything.
pub(crate) fn of_turn(result: &Value, said: &Said, max_json: u32) -> Failure {
    let words = words(result, &said.text);
    let (code, retryable) = judge(result, &said.error, &words);
    Failure {
        detail: Some(detail(result, max_json)),
        retryable,
        ..failure(code, &words)
    }
}

/// What Claude said in the model's place: no answer, but the likely reason of a failure.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// Claude's own word for the kind of error; empty if it gave none.
    pub(crate) error: String,
    pub(crate) text: String,
}

fn words(result: &Value, said: &str) -> String {
    let errors = result["errors"].as_array().into_iter().flatten();
    let errors: Vec<_> = errors
        .filter_map(|error| Some(text::head(error.as_str()?, DETAIL_BYTES)))
        // Claude's note to its own makers.
        .filter(|error| !error.starts_with("[ede_diagnostic]"))
        .collect();
    let own = result["result"].as_str().unwrap_or_default().trim();
    let own = text::head(own, DETAIL_BYTES);
    match (own, errors.is_empty()) {
        ("", false) => errors.join("; "),
        ("", true) if said.is_empty() => "Claude failed the turn without a reason".to_owned(),
        ("", true) => said.to_owned(),
        _ => own.to_owned(),
    }
}

fn detail(result: &Value, max_json: u32) -> String {
    let reasons: Map<_, _> = REASONS
        .iter()
        .filter(|key| !result[**key].is_null())
        .map(|key| ((*key).to_owned(), clipped(&result[*key])))
        .collect();
    json::bounded(&Value::Object(reasons).to_string(), max_json)
}

/// A reason may be as long as a whole frame, and there is no room for a second one.
fn clipped(reason: &Value) -> Value {
    match reason {
        Value::String(words) => text::clip(words, DETAIL_BYTES).into(),
        Value::Array(reasons) => reasons.iter().take(8).map(clipped).collect(),
        reason => reason.clone(),
    }
}

/// The code, and whether a retry may help.
fn judge(result: &Value, error: &str, words: &str) -> (&'static str, bool) {
    let full = ["Prompt is too long", "exceed context limit"];
    if result["terminal_reason"] == "prompt_too_long"
        || full.iter().any(|full| words.contains(full))
    {
        return ("context-overflow", false);
    }
    if result["stop_reason"] == "refusal" {
        return ("refused", false);
    }
    match error {
        "authentication_failed" | "oauth_org_not_allowed" => return ("not-authenticated", false),
        "billing_error" => return ("quota", false),
        "rate_limit" => return ("rate-limited", true),
        "overloaded" => return ("model-unavailable", true),
        "model_not_found" => return ("model-unavailable", false),
        _ => {}
    }
    match result["api_error_status"].as_u64() {
        Some(401 | 403) => ("not-authenticated", false),
        Some(402) => ("quota", false),
        Some(404) => ("model-unavailable", false),
        Some(429) => ("rate-limited", true),
        Some(529) => ("model-unavailable", true),
        Some(400..500) => ("internal", false),
        _ => ("internal", true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_error_is_judged_by_its_own_sign() {
        for (result, error, code) in [
            (json!({ "api_error_status": 401 }), "", "not-authenticated"),
            (json!({}), "authentication_failed", "not-authenticated"),
            (
                json!({ "api_error_status": 404 }),
                "model_not_found",
                "model-unavailable",
            ),
            (json!({ "api_error_status": 529 }), "", "model-unavailable"),
            (
                json!({ "api_error_status": 429 }),
                "rate_limit",
                "rate-limited",
            ),
            (json!({}), "billing_error", "quota"),
            (
                json!({ "stop_reason": "refusal" }),
                "invalid_request",
                "refused",
            ),
            (
                json!({ "result": "Prompt is too long" }),
                "invalid_request",
                "context-overflow",
            ),
            (
                json!({ "terminal_reason": "prompt_too_long" }),
                "",
                "context-overflow",
            ),
            (json!({ "api_error_status": 400 }), "unknown", "internal"),
            (
                json!({ "api_error_status": "a word of next year" }),
                "moon_phase",
                "internal",
            ),
            (json!(null), "", "internal"),
        ] {
            let said = Said {
                error: error.to_owned(),
                text: String::new(),
            };
            assert_eq!(
                of_turn(&result, &said, 1_000).code,
                code,
                "{result} {error}"
            );
        }
    }

    #[test]
    fn the_reason_is_in_claudes_own_words() {
        let said = Said {
            error: String::new(),
            text: "said before".to_owned(),
        };
        let words = |result: Value| of_turn(&result, &said, 1_000).message;
        assert_eq!(
            words(json!({ "result": "API Error: 400 bad" })),
            "API Error: 400 bad"
        );
        assert_eq!(words(json!({ "errors": ["one", "two"] })), "one; two");
        let own_note = json!({ "errors": ["[ede_diagnostic] result_type=user"] });
        assert_eq!(words(own_note), "said before");
    }
}
