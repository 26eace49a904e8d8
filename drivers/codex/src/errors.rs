//! Codex's errors as failures of the interface. What Codex says is kept word for word; only the code
//! is a judgement, and an error that is not known by its own sign gets none but "internal".

use groupx_driver_sdk::jsonrpc::RpcError;
use groupx_driver_sdk::{Failure, json, text};
use serde_json::Value;

const MESSAGE_BYTES: usize = 500;

/// A failure that trying again does not cure.
pub(crate) fn failure(code: &str, message: &str) -> Failure {
    Failure {
        code: code.to_owned(),
        message: text::one_line(message, MESSAGE_BYTES),
        detail: None,
        retryable: false,
    }
}

/// Why a turn failed, from the `error` of `turn/completed`; `null` when Codex gave none.
pub(crate) fn of_turn(error: &Value, max_json: u32) -> Failure {
    if error.is_null() {
        return failure("internal", "Codex failed the turn without a reason");
    }
    let (code, retryable) = judge(&error["codexErrorInfo"]);
    let mut message = words(error["message"].as_str().unwrap_or("Codex failed the turn"));
    if let Some(details) = error["additionalDetails"].as_str() {
        message = format!("{message} ({details})");
    }
    Failure {
        detail: Some(json::bounded(&error.to_string(), max_json)),
        retryable,
        ..failure(code, &message)
    }
}

/// Why a call was refused; `doing` says in words what was tried.
pub(crate) fn of_call(doing: &str, error: &RpcError, max_json: u32) -> Failure {
    let too_large = error.raw.contains("input_too_large");
    let message = match error
        .message
        .split_once("required MCP servers failed to initialize: ")
    {
        Some((_, why)) => {
            format!(
                "Codex could not attach the room's tools: {}",
                without_types(why)
            )
        }
        None => format!("Codex {doing}: {}", error.message),
    };
    Failure {
        detail: Some(json::bounded(&error.raw, max_json)),
        retryable: !too_large,
        ..failure(
            if too_large {
                "context-overflow"
            } else {
                "internal"
            },
            &message,
        )
    }
}

/// The names of Rust types, in brackets, fill these messages and tell a user nothing.
fn without_types(message: &str) -> String {
    let mut depth = 0_usize;
    let plain = message.chars().filter(|c| {
        match c {
            '[' => depth += 1,
            ']' => {
                depth = depth.saturating_sub(1);
                return false;
            }
            _ => {}
        }
        depth == 0
    });
    plain.collect()
}

/// A model's HTTP body often stands where the message should be.
fn words(message: &str) -> String {
    serde_json::from_str::<Value>(message)
        .ok()
        .and_then(|body| Some(body.pointer("/error/message")?.as_str()?.to_owned()))
        .unwrap_or_else(|| message.to_owned())
}

/// The code of a `codexErrorInfo` (a word, or an object with one key), and whether a retry may help.
fn judge(info: &Value) -> (&'static str, bool) {
    if let Some(word) = info.as_str() {
        return match word {
            "contextWindowExceeded" => ("context-overflow", false),
            "usageLimitExceeded" | "sessionBudgetExceeded" => ("quota", false),
            "rateLimitExceeded" => ("rate-limited", true),
            "serverOverloaded" | "flexUnavailable" | "policyCapacityUnavailable" => {
                ("model-unavailable", true)
            }
            "modelNotFound" => ("model-unavailable", false),
            "unauthorized" => ("not-authenticated", false),
            "cyberPolicy"
            | "bioPolicy"
            | "misalignmentPolicyViolation"
            | "inferenceHookDenied"
            | "tooManyDenials" => ("refused", false),
            "badRequest" => ("internal", false),
            _ => ("internal", true),
        };
    }
    let http = info.as_object().and_then(|info| info.values().next());
    match http.and_then(|http| http["httpStatusCode"].as_u64()) {
        Some(401) => ("not-authenticated", false),
        Some(404) => ("model-unavailable", false),
        Some(429) => ("rate-limited", true),
        Some(400..500) => ("internal", false),
        _ => ("internal", true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn error_info_of_both_shapes_is_judged() {
        for (info, code) in [
            (json!("contextWindowExceeded"), "context-overflow"),
            (json!("usageLimitExceeded"), "quota"),
            (json!("a word of next year"), "internal"),
            (
                json!({ "httpConnectionFailed": { "httpStatusCode": 401 } }),
                "not-authenticated",
            ),
            (
                json!({ "responseTooManyFailedAttempts": { "httpStatusCode": 429 } }),
                "rate-limited",
            ),
            (
                json!({ "responseStreamDisconnected": { "httpStatusCode": null } }),
                "internal",
            ),
            (
                json!({ "activeTurnNotSteerable": { "turnKind": "review" } }),
                "internal",
            ),
            (json!(null), "internal"),
            (json!([1]), "internal"),
        ] {
            assert_eq!(judge(&info).0, code, "{info}");
        }
    }

    #[test]
    fn a_body_in_place_of_a_message_is_opened() {
        let error =
            json!({ "message": r#"{"error":{"message":"bad thing"}}"#, "codexErrorInfo": "other" });
        assert_eq!(of_turn(&error, 1_000).message, "bad thing");
        assert_eq!(
            of_turn(&json!({ "message": "plain" }), 1_000).message,
            "plain"
        );
    }
}
