//! The stream that a client opens with GET to hear from the server by itself. This server has
//! nothing to say by itself, but some clients take a refusal for a broken server.

use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::broker::Broker;

use super::refusal::Refusal;
use super::{Member, binding};

/// Most idle streams at once.
pub(super) const STREAMS: usize = 64;

const EVENT_STREAM: &str = "text/event-stream";
const HEADERS: [(HeaderName, HeaderValue); 2] = [
    (header::CONTENT_TYPE, HeaderValue::from_static(EVENT_STREAM)),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
];
const OPENING: Bytes = Bytes::from_static(b": connected\n\n");
const HEARTBEAT: Bytes = Bytes::from_static(b": heartbeat\n\n");
const HEARTBEAT_EVERY: Duration = Duration::from_secs(15);

/// Opens an idle stream, if the client takes one and there is room.
pub(super) fn answer(member: &Member, streams: &Arc<Semaphore>, headers: &HeaderMap) -> Response {
    if !accepts_events(headers) {
        let words = "Send `Accept: text/event-stream` to open a stream.";
        return Refusal::request(StatusCode::NOT_ACCEPTABLE, words).into_response();
    }
    let Ok(seat) = Arc::clone(streams).try_acquire_owned() else {
        let words = format!("{STREAMS} idle streams are open already; POST works without one.");
        return Refusal::request(StatusCode::SERVICE_UNAVAILABLE, words).into_response();
    };
    let silence = Silence {
        broker: member.broker.clone(),
        binding: headers.get(binding::HEADER).cloned(),
        draining: member.draining.clone(),
        _seat: seat,
    };
    let chunks = stream::once(ready(OPENING)).chain(stream::unfold(silence, Silence::next));
    let body = Body::from_stream(chunks.map(Ok::<_, Infallible>));
    (HEADERS, body).into_response()
}

fn accepts_events(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|range| range.split(';').next())
        .any(|media| media.trim().eq_ignore_ascii_case(EVENT_STREAM))
}

struct Silence {
    broker: Broker,
    binding: Option<HeaderValue>,
    draining: CancellationToken,
    _seat: OwnedSemaphorePermit,
}

impl Silence {
    /// A heartbeat, as long as the house is open and the session behind the stream lives.
    async fn next(self) -> Option<(Bytes, Self)> {
        self.draining
            .run_until_cancelled(sleep(HEARTBEAT_EVERY))
            .await?;
        let secret = self.binding.as_ref()?.to_str().ok()?;
        self.broker.caller(secret).ok()?;
        Some((HEARTBEAT, self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mcp_09_a_stream_is_opened_for_those_who_accept_one() {
        let accepts = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, value.parse().unwrap());
            accepts_events(&headers)
        };
        assert!(accepts("text/event-stream"));
        assert!(accepts("application/json, Text/Event-Stream;q=0.5"));
        assert!(!accepts("application/json"));
        assert!(!accepts_events(&HeaderMap::new()));
    }
}
