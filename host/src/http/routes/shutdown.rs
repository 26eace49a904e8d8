//! `POST /api/runtime/shutdown`: ends this runtime, if it is the one that the caller means.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use serde_json::json;
use tokio_util::sync::DropGuard;

use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::reply;
use crate::protocol::{ErrorCode, Fault, request};

use super::Room;

pub(super) async fn answer(
    State(room): State<Room>,
    JsonBody(body): JsonBody,
) -> Result<Response, Refusal> {
    let scope = request::shutdown_scope(&body)?;
    let identity = &room.identity;
    if scope != identity.runtime_scope_key {
        return Err(Fault::new(
            ErrorCode::StoreConflict,
            "Another runtime answers here: `runtimeScopeKey` is not the one that /api/health shows.",
        )
        .into());
    }
    let body = json!({
        "accepted": true,
        "runtimeKey": identity.runtime_key,
        "runtimeScopeKey": identity.runtime_scope_key,
    });
    let stop = room.stop.clone().drop_guard();
    Ok(reply::json(StatusCode::ACCEPTED, &body)
        .map(|body| Body::new(LastWord { body, _stop: stop })))
}

/// A body that stops the runtime once it is out, or can no longer get out.
struct LastWord {
    body: Body,
    _stop: DropGuard,
}

impl hyper::body::Body for LastWord {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use tokio_util::sync::CancellationToken;

    use super::*;

    #[tokio::test]
    async fn life_03_the_runtime_stops_only_after_the_answer_is_taken() {
        let stop = CancellationToken::new();
        let body = LastWord {
            body: Body::from("accepted"),
            _stop: stop.clone().drop_guard(),
        };
        assert_eq!(hyper::body::Body::size_hint(&body).exact(), Some(8));
        assert!(!stop.is_cancelled());
        let text = Body::new(body).collect().await.unwrap().to_bytes();
        assert_eq!(text, "accepted");
        assert!(stop.is_cancelled());
    }
}
