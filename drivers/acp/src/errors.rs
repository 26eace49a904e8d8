//! Errors of agents as failures of the interface. What an agent says is kept word for word; only the
//! code is a judgement, by numbers and names that agents are known to use, and never by a guess.

use groupx_driver_sdk::jsonrpc::RpcError;
use groupx_driver_sdk::{Failure, json, text};
use serde_json::Value;

const MESSAGE_BYTES: usize = 500;

/// JSON-RPC codes with a meaning in this protocol.
const AUTH_REQUIRED: i64 = -32000;
const RATE_LIMITED: i64 = -32003;
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;

/// Messages that say nothing: the reason then stands in `data`.
const EMPTY_MESSAGES: [&str; 5] = [
    "",
    "Internal error",
    "Invalid params",
    "Invalid request",
    "Server error",
];
/// Words by which a refusal says that a policy is behind it.
const POLICY: [&str; 4] = [
    "policy",
    "administrator",
    "untrusted folder",
    "managed setting",
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

/// Why a call was refused; `doing` says in words who tried what.
pub(crate) fn of_call(doing: &str, error: &RpcError, max_json: u32) -> Failure {
    let (code, retryable) = judge(error);
    Failure {
        detail: Some(json::bounded(&error.raw, max_json)),
        retryable,
        ..failure(code, &format!("{doing}: {}", words(error)))
    }
}

/// Whether a refusal says itself that a policy forbids what was asked.
pub(crate) fn is_policy(error: &RpcError) -> bool {
    let words = words(error).to_lowercase();
    POLICY.iter().any(|sign| words.contains(sign))
}

/// The reason of an error, for people.
pub(crate) fn words(error: &RpcError) -> String {
    let message = error.message.trim();
    let data = reason(&data(error));
    match data {
        Some(data) if EMPTY_MESSAGES.contains(&message) => data,
        Some(data) if !message.contains(&data) => format!("{message} ({data})"),
        _ if message.is_empty() => format!("error {}", error.code),
        _ => message.to_owned(),
    }
}

fn data(error: &RpcError) -> Value {
    serde_json::from_str::<Value>(&error.raw)
        .map(|mut error| error["data"].take())
        .unwrap_or_default()
}

/// A string, or the one member of an object that is written for people; its first line.
fn reason(data: &Value) -> Option<String> {
    let keys = ["message", "details", "detail", "reason", "error"];
    let text = data
        .as_str()
        .or_else(|| keys.iter().find_map(|key| data[*key].as_str()))?;
    let line = text.trim().lines().next()?;
    (!line.is_empty()).then(|| text::one_line(line, 300))
}

/// The failure's code, and whether a retry may help.
fn judge(error: &RpcError) -> (&'static str, bool) {
    match error.code {
        AUTH_REQUIRED | 401 => return ("not-authenticated", false),
        RATE_LIMITED | 429 => return ("rate-limited", true),
        _ => {}
    }
    let data = data(error);
    let status = ["http_status", "httpStatus", "status", "statusCode"]
        .iter()
        .find_map(|key| data[*key].as_u64())
        .or_else(|| status_in(&words(error)));
    of_status(status)
}

/// A failure that an agent told as text, such as `HTTP 401: bad key`.
pub(crate) fn of_text(title: &str, text: &str) -> Failure {
    let (code, retryable) = of_status(status_in(text));
    Failure {
        retryable,
        ..failure(code, &format!("{title}: {text}"))
    }
}

fn of_status(status: Option<u64>) -> (&'static str, bool) {
    match status {
        Some(401 | 403) => ("not-authenticated", false),
        Some(404) => ("model-unavailable", false),
        Some(429) => ("rate-limited", true),
        Some(400..500) => ("internal", false),
        _ => ("internal", true),
    }
}

/// The HTTP status in `HTTP 401: …`, `Unauthorized (401) …` or `API error (status 401 …`.
fn status_in(text: &str) -> Option<u64> {
    ["HTTP ", "Unauthorized (", "(status "]
        .iter()
        .find_map(|sign| {
            let (_, rest) = text.split_once(sign)?;
            let digits = rest.get(..3)?;
            let ends = !rest[3..].starts_with(|c: char| c.is_ascii_digit());
            digits.parse().ok().filter(|status| ends && *status >= 100)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(code: i64, message: &str, data: Value) -> RpcError {
        RpcError {
            code,
            message: message.into(),
            raw: json!({ "code": code, "message": message, "data": data }).to_string(),
        }
    }

    #[test]
    fn errors_of_all_agents_are_judged_by_their_own_signs() {
        let api = "API error (status 400 Bad Request): mock_error: bad request shape";
        let cases = [
            (
                error(-32000, "Authentication required: 401 bad key", json!(null)),
                "not-authenticated",
                "Authentication required: 401 bad key",
            ),
            (
                error(401, "bad key", json!(null)),
                "not-authenticated",
                "bad key",
            ),
            (
                error(
                    -32603,
                    "Internal error",
                    json!("Unauthorized (401) from http://x: bad key\n\n  Model: m"),
                ),
                "not-authenticated",
                "Unauthorized (401) from http://x: bad key",
            ),
            (
                error(
                    -32003,
                    "Rate limited",
                    json!("API error (status 429 Too Many Requests): slow"),
                ),
                "rate-limited",
                "Rate limited (API error (status 429 Too Many Requests): slow)",
            ),
            (
                error(
                    -32603,
                    "Internal error",
                    json!({ "message": api, "http_status": 400 }),
                ),
                "internal",
                api,
            ),
            (
                error(
                    -32603,
                    "Internal error: bad key",
                    json!({ "service": "session" }),
                ),
                "internal",
                "Internal error: bad key",
            ),
            (
                error(
                    -32603,
                    "Internal error",
                    json!({ "details": "'NoneType' object" }),
                ),
                "internal",
                "'NoneType' object",
            ),
            (
                error(-32602, "Invalid params", json!([{ "loc": [1] }])),
                "internal",
                "Invalid params",
            ),
            (error(7, "", json!(null)), "internal", "error 7"),
        ];
        for (error, code, told) in cases {
            assert_eq!(judge(&error).0, code, "{error}");
            assert_eq!(words(&error), told);
        }
    }

    #[test]
    fn a_failure_told_as_text_has_the_code_of_its_status() {
        assert_eq!(of_text("It", "HTTP 401: bad key").code, "not-authenticated");
        assert_eq!(of_text("It", "HTTP 429: slow down").code, "rate-limited");
        assert_eq!(of_text("It", "HTTP 4290").code, "internal");
        assert_eq!(of_text("It", "台HTTP 台").code, "internal");
        assert_eq!(of_text("It", "partial answer").code, "internal");
    }

    #[test]
    fn int_02_a_policy_is_one_only_where_the_refusal_says_so() {
        let gemini = "Cannot enable privileged approval modes in an untrusted folder.";
        assert!(is_policy(&error(-32603, gemini, json!(null))));
        assert!(!is_policy(&error(
            -32603,
            "Only default mode is supported",
            json!(null)
        )));
    }
}
