//! Who calls: the secret that the session was given at its start, in one header.

use axum::http::{HeaderMap, HeaderName};

use crate::broker::{Broker, Caller};
use crate::protocol::{ErrorCode, Fault};

use super::refusal::Refusal;

/// The header; its value is new for every native session (Ours 11).
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-groupx-binding");

/// The caller behind a request, or why there is none.
pub(super) fn caller(broker: &Broker, headers: &HeaderMap) -> Result<Caller, Refusal> {
    let secret = secret(headers)?;
    Ok(broker.caller(secret)?)
}

fn secret(headers: &HeaderMap) -> Result<&str, Fault> {
    let mut values = headers.get_all(HEADER).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(Fault::new(
            ErrorCode::McpBindingMismatch,
            "GroupX's tools need the header `X-GroupX-Binding`, once, with the value that this \
             session was given when it started.",
        ));
    };
    // Bindings are ASCII; the Broker knows no empty one.
    Ok(value.to_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn id_04_the_binding_is_sent_exactly_once() {
        let mut headers = HeaderMap::new();
        let missing = secret(&headers).unwrap_err();
        assert_eq!(missing.code, ErrorCode::McpBindingMismatch);
        headers.append(HEADER, HeaderValue::from_static("abc"));
        assert_eq!(secret(&headers), Ok("abc"));
        headers.append(HEADER, HeaderValue::from_static("abc"));
        assert!(secret(&headers).is_err());
    }
}
