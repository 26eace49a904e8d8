//! `GET /api/events`: what happened since a cursor, and from then on what happens (section 3).
//!
//! The stream is pulled: the next batch is asked for when the socket has room, so a slow reader
//! slows nobody else, and what waits for it waits in the Broker, which merges what it may lose.

mod frame;

use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

use crate::broker::Subscription;
use crate::http::query::Query;
use crate::http::refusal::Refusal;
use crate::protocol::limits::SSE_CONNECTIONS;
use crate::protocol::{ErrorCode, Fault, Issue, Seq, request};

use super::Room;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const HEADERS: [(HeaderName, HeaderValue); 3] = [
    (
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/event-stream; charset=utf-8"),
    ),
    (
        header::CACHE_CONTROL,
        HeaderValue::from_static("no-cache, no-transform"),
    ),
    (header::CONNECTION, HeaderValue::from_static("keep-alive")),
];

/// Sent at once, so that a client knows that it is connected before anything happens.
const OPENING: Bytes = Bytes::from_static(b"retry: 1000\n: connected\n\n");
const HEARTBEAT: Bytes = Bytes::from_static(b": heartbeat\n\n");
const HEARTBEAT_EVERY: Duration = Duration::from_secs(15);

pub(super) async fn answer(
    State(room): State<Room>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let after = cursor(&uri, &headers)?;
    let Ok(seat) = Arc::clone(&room.streams).try_acquire_owned() else {
        return Err(Fault::new(
            ErrorCode::StoreUnavailable,
            format!("{SSE_CONNECTIONS} event streams are open already: close a page or a client."),
        )
        .into());
    };
    let mut heartbeat = interval_at(Instant::now() + HEARTBEAT_EVERY, HEARTBEAT_EVERY);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let tail = Tail {
        subscription: room.broker.subscribe(after),
        heartbeat,
        draining: room.draining.clone(),
        _seat: seat,
    };
    let chunks = stream::once(ready(OPENING)).chain(stream::unfold(tail, Tail::next));
    let body = Body::from_stream(chunks.map(Ok::<_, Infallible>));
    Ok((HEADERS, body).into_response())
}

/// Where the stream begins. The header of a reconnecting client and the query have to agree: one
/// of them guessed wrong otherwise, and events would be lost or shown twice (REST-03).
fn cursor(uri: &Uri, headers: &HeaderMap) -> Result<Seq, Fault> {
    let queried = Query::of(uri, &["afterSeq"])?.number("afterSeq")?;
    let mut sent = headers.get_all(LAST_EVENT_ID).iter();
    let last = match (sent.next(), sent.next()) {
        (None, _) => None,
        (Some(value), None) => {
            let text = String::from_utf8_lossy(value.as_bytes());
            Some(request::query_number("Last-Event-ID", &text)?)
        }
        (Some(_), Some(_)) => {
            return Err(Fault::invalid("`Last-Event-ID` was sent twice.", &[]));
        }
    };
    match (queried, last) {
        (Some(after), Some(last)) if after != last => {
            let path = vec!["afterSeq".to_owned()];
            let code = "custom";
            let words = format!("`afterSeq` {after} and `Last-Event-ID` {last} differ: send one.");
            Err(Fault::invalid(words, &[Issue { path, code }]))
        }
        (after, last) => Ok(last.or(after).map_or(Seq::START, Seq)),
    }
}

/// One client's place in the room.
struct Tail {
    subscription: Subscription,
    heartbeat: Interval,
    draining: CancellationToken,
    _seat: OwnedSemaphorePermit,
}

impl Tail {
    /// The next chunk, or the end: the house closes, or this client was left too far behind.
    async fn next(mut self) -> Option<(Bytes, Self)> {
        let chunk = tokio::select! {
            biased;
            () = self.draining.cancelled() => return None,
            _ = self.heartbeat.tick() => HEARTBEAT,
            frames = self.subscription.next() => match frames {
                Ok(frames) => frame::encode(&frames),
                Err(fault) => {
                    tracing::debug!(%fault, "an event stream is closed");
                    return None;
                }
            },
        };
        Some((chunk, self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(query: &str, last: Option<&str>) -> Result<u64, String> {
        let uri = format!("/api/events{query}").parse().unwrap();
        let mut headers = HeaderMap::new();
        if let Some(last) = last {
            headers.insert(LAST_EVENT_ID, last.parse().unwrap());
        }
        let Seq(seq) = cursor(&uri, &headers).map_err(|fault| fault.message)?;
        Ok(seq)
    }

    #[test]
    fn rest_03_the_cursor_comes_from_one_place_or_two_that_agree() {
        assert_eq!(start("", None), Ok(0));
        assert_eq!(start("?afterSeq=7", None), Ok(7));
        assert_eq!(start("", Some("9")), Ok(9));
        assert_eq!(start("?afterSeq=9", Some("9")), Ok(9));
        let words = start("?afterSeq=7", Some("9")).unwrap_err();
        assert_eq!(
            words,
            "`afterSeq` 7 and `Last-Event-ID` 9 differ: send one."
        );
        for (query, last) in [
            ("?afterSeq=x", None),
            ("?afterSeq=", None),
            ("?after=7", None),
            ("?afterSeq=7&since=1", None),
            ("", Some("")),
            ("", Some("evt_1")),
        ] {
            assert!(start(query, last).is_err(), "{query} {last:?}");
        }
    }
}
