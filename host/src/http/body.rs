//! Reads a JSON body within its bound.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Body as _;
use serde_json::Value;

use crate::protocol::limits::BODY_BYTES;
use crate::protocol::{ErrorCode, Fault};

use super::refusal::Refusal;

/// The JSON of a write. The guard has seen its content type already.
pub(super) struct JsonBody(pub(super) Value);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = Refusal;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Refusal> {
        read(request.into_body()).await.map(Self)
    }
}

async fn read(body: Body) -> Result<Value, Refusal> {
    // A declared length is refused without reading a byte of it.
    if body.size_hint().lower() > BODY_BYTES as u64 {
        return Err(Refusal::too_large(BODY_BYTES));
    }
    let bytes = match Limited::new(body, BODY_BYTES).collect().await {
        Ok(whole) => whole.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => {
            return Err(Refusal::too_large(BODY_BYTES));
        }
        Err(_) => {
            return Err(broken("The body ended before it was whole. Send it again."));
        }
    };
    if bytes.is_empty() {
        return Err(broken("The body is empty: send a JSON object."));
    }
    serde_json::from_slice(&bytes)
        .map_err(|error| broken(format!("The body is not valid JSON: {error}.")))
}

fn broken(message: impl Into<String>) -> Refusal {
    Fault::new(ErrorCode::InvalidEnvelope, message).into()
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;
    use bytes::Bytes;
    use futures_util::stream;

    use super::*;

    async fn refused(body: Body) -> (u16, String) {
        let response = read(body).await.unwrap_err().into_response();
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&body).unwrap();
        let error = &body["error"];
        (status, format!("{} {}", error["code"], error["message"]))
    }

    #[tokio::test]
    async fn rest_05_an_empty_or_broken_body_is_named_as_such() {
        let (status, words) = refused(Body::empty()).await;
        assert_eq!(status, 400);
        assert!(words.contains("INVALID_ENVELOPE") && words.contains("is empty"));
        let (status, words) = refused(Body::from("{\"to\":")).await;
        assert_eq!(status, 400);
        assert!(words.contains("not valid JSON: EOF") && words.contains("column 6"));
        let (status, _) = refused(Body::from(vec![b'"', 0xff, b'"'])).await;
        assert_eq!(status, 400);
    }

    #[tokio::test]
    async fn lim_03_a_body_over_two_mebibytes_is_refused_declared_or_counted() {
        let (status, words) = refused(Body::from(vec![b' '; BODY_BYTES + 1])).await;
        assert_eq!(status, 413);
        assert!(words.contains("MESSAGE_TOO_LARGE"));
        let pieces = (0..3).map(|_| Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 1 << 20])));
        let (status, _) = refused(Body::from_stream(stream::iter(pieces))).await;
        assert_eq!(status, 413);
    }

    #[tokio::test]
    async fn lim_03_a_body_of_exactly_two_mebibytes_is_read() {
        let mut text = vec![b' '; BODY_BYTES];
        text[0] = b'7';
        assert_eq!(read(Body::from(text)).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn rest_05_a_body_that_breaks_off_is_the_callers_to_send_again() {
        let pieces = [
            Ok(Bytes::from_static(b"{")),
            Err(std::io::Error::other("gone")),
        ];
        let (status, words) = refused(Body::from_stream(stream::iter(pieces))).await;
        assert_eq!(status, 400);
        assert!(words.contains("ended before it was whole"));
    }
}
