//! How a request is refused: a status, the one error body, and the allowed methods where they are
//! the reason.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::protocol::{ErrorCode, Fault};

use super::reply;

/// A refused request. Most faults carry their own status; the door's own reasons (403, 404, 405,
/// 415) have a status of theirs and the code `INVALID_ENVELOPE` (contract section 1).
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    fault: Box<Fault>,
    allow: Option<&'static str>,
}

impl Refusal {
    /// The request comes from where no request may come from.
    pub(super) fn forbidden(message: impl Into<String>) -> Self {
        Self::of_the_door(StatusCode::FORBIDDEN, message)
    }

    /// The body is not announced as JSON.
    pub(super) fn not_json() -> Self {
        Self::of_the_door(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "Writes take JSON only: send the header `Content-Type: application/json`.",
        )
    }

    /// Nothing is at this path.
    pub(super) fn not_found(path: &str) -> Self {
        let shown = crate::protocol::text::clip_bytes(path, 200);
        Self::of_the_door(
            StatusCode::NOT_FOUND,
            format!("There is nothing at `{shown}`. Check the path; the room's page is at `/`."),
        )
    }

    /// The path exists and takes other methods.
    pub(super) fn method(allow: &'static str) -> Self {
        let message = format!("This path takes {allow} only.");
        Self {
            allow: Some(allow),
            ..Self::of_the_door(StatusCode::METHOD_NOT_ALLOWED, message)
        }
    }

    /// The body is longer than the door takes.
    pub(super) fn too_large(most: usize) -> Self {
        Fault::new(
            ErrorCode::MessageTooLarge,
            format!("The body is too long: at most {most} bytes are taken. Send less at once."),
        )
        .into()
    }

    fn of_the_door(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            fault: Box::new(Fault::new(ErrorCode::InvalidEnvelope, message)),
            allow: None,
        }
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        let status = StatusCode::from_u16(fault.code.http_status())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self {
            status,
            fault: Box::new(fault),
            allow: None,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = reply::json(self.status, &self.fault.body());
        if let Some(allow) = self.allow {
            let allow = HeaderValue::from_static(allow);
            response.headers_mut().insert(header::ALLOW, allow);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_05_a_fault_keeps_its_own_status_and_the_door_has_its_own() {
        let busy = Refusal::from(Fault::new(ErrorCode::QueueCapacityReached, "full"));
        assert_eq!(busy.into_response().status(), 429);
        assert_eq!(Refusal::not_json().into_response().status(), 415);
        assert_eq!(Refusal::too_large(5).into_response().status(), 413);
        let other = Refusal::method("GET").into_response();
        assert_eq!(other.status(), 405);
        assert_eq!(other.headers()[header::ALLOW], "GET");
    }
}
