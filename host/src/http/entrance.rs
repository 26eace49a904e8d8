//! The way every request takes: guard, then the doorman of a closing house, then the routes, and
//! on the way out the headers that every response has.

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::config::RuntimeIdentity;
use crate::protocol::{ErrorCode, Fault};

use super::guard::Guard;
use super::refusal::Refusal;
use super::{reply, routes};

/// One for the whole server.
pub(super) struct Entrance {
    guard: Guard,
    identity: RuntimeIdentity,
    draining: CancellationToken,
    running: TaskTracker,
    routes: Router,
}

impl Entrance {
    /// An entrance to `routes`. Once `draining` is cancelled nothing gets in any more, but health
    /// still says who is closing, so that nobody takes the port for a stranger's.
    pub(super) fn new(
        guard: Guard,
        identity: RuntimeIdentity,
        draining: CancellationToken,
        routes: Router,
    ) -> Self {
        Self {
            guard,
            identity,
            draining,
            running: TaskTracker::new(),
            routes,
        }
    }

    /// From now on requests are refused; those inside go on.
    pub(super) fn drain(&self) {
        self.draining.cancel();
        self.running.close();
    }

    /// Waits until the requests inside have their responses. Call [`Self::drain`] first.
    pub(super) async fn emptied(&self) {
        self.running.wait().await;
    }

    #[cfg(test)]
    pub(super) fn running_requests(&self) -> usize {
        self.running.len()
    }

    /// Answers one request.
    pub(super) async fn answer(&self, request: Request<Body>) -> Response {
        let mut response = self.inside(request).await;
        reply::secure(&mut response);
        response
    }

    async fn inside(&self, request: Request<Body>) -> Response {
        let checked = self
            .guard
            .check(request.method(), request.uri(), request.headers());
        if let Err(refusal) = checked {
            return refusal.into_response();
        }
        // Counted before the look at `draining`, so that a drain misses nobody who got past it.
        let inside = self.running.token();
        if self.draining.is_cancelled() {
            return self.closing(&request);
        }
        // A task of its own: a client that hangs up drops this future, and a command that was
        // begun must not stop halfway for that.
        let answered = self.routes.clone().oneshot(request);
        let task = tokio::spawn(async move {
            let answered = answered.await;
            drop(inside);
            answered
        });
        match task.await {
            Ok(Ok(response)) => response,
            Ok(Err(never)) => match never {},
            Err(error) => {
                tracing::error!(%error, "a request was not answered");
                let words = "GroupX failed at this request. Its log says more.";
                Refusal::from(Fault::new(ErrorCode::InternalError, words)).into_response()
            }
        }
    }

    fn closing(&self, request: &Request<Body>) -> Response {
        if request.method() == Method::GET && request.uri().path() == routes::HEALTH {
            let body = json!({
                "status": "closing",
                "service": routes::SERVICE,
                "protocol": routes::PROTOCOL,
                "runtimeKey": self.identity.runtime_key,
                "runtimeScopeKey": self.identity.runtime_scope_key,
            });
            return reply::json(StatusCode::SERVICE_UNAVAILABLE, &body);
        }
        Refusal::from(Fault::new(
            ErrorCode::StoreUnavailable,
            "GroupX is closing. Start it again with `groupx start`.",
        ))
        .into_response()
    }
}

#[cfg(test)]
mod tests;
