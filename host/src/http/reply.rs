//! What every response has: JSON with its charset, and the headers that keep the page closed to
//! everything from elsewhere.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;

const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

const SECURITY: [(HeaderName, HeaderValue); 3] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; \
             img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; \
             form-action 'self'",
        ),
    ),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
];

/// A whole JSON response; its length is known, so that it gets a `Content-Length`. It is true now
/// and never kept by a browser.
pub(super) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    // invariant: replies are structs of plain fields and JSON values, which always serialize
    let text = serde_json::to_vec(value).unwrap_or_default();
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, JSON);
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    response
}

/// Adds the security headers (contract section 1, SEC-03).
pub(super) fn secure(response: &mut Response) {
    for (name, value) in SECURITY {
        response.headers_mut().insert(name, value);
    }
}
