//! The revisions of MCP that this door speaks.

use axum::http::{HeaderMap, HeaderName, StatusCode};
use rmcp::model::{ErrorCode as RpcCode, ProtocolVersion};
use serde_json::json;

use crate::protocol::ErrorCode;

use super::refusal::Refusal;

const HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// All revisions with an `initialize`; the later ones, which drop it, are not promised yet.
pub(super) fn spoken() -> &'static [ProtocolVersion] {
    ProtocolVersion::known_up_to(&ProtocolVersion::LATEST_WITH_INITIALIZE)
}

/// Refuses a revision that is not spoken; a request without one is taken as 2025-03-26, as the
/// specification wants it.
pub(super) fn check(headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(sent) = headers.get(HEADER) else {
        return Ok(());
    };
    let sent = String::from_utf8_lossy(sent.as_bytes());
    if spoken().iter().any(|version| version.as_str() == sent) {
        return Ok(());
    }
    let supported: Vec<_> = spoken().iter().map(ProtocolVersion::as_str).collect();
    Err(Refusal::with(
        StatusCode::BAD_REQUEST,
        RpcCode::UNSUPPORTED_PROTOCOL_VERSION,
        format!(
            "Unsupported protocol version. Use one of {}.",
            supported.join(", ")
        ),
        json!({
            "code": ErrorCode::InvalidEnvelope,
            "requested": sent,
            "supported": supported,
        }),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mcp_09_four_revisions_are_spoken_and_others_refused() {
        let mut headers = HeaderMap::new();
        assert!(check(&headers).is_ok());
        for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
            headers.insert(HEADER, version.parse().unwrap());
            assert!(check(&headers).is_ok(), "{version}");
        }
        for version in ["1999-01-01", "2026-07-28", "", "latest"] {
            headers.insert(HEADER, version.parse().unwrap());
            assert!(check(&headers).is_err(), "{version}");
        }
    }
}
