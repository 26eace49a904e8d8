//! One MCP endpoint: binding first, then the method.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use super::refusal::Refusal;
use super::{Member, binding, idle, post, version};

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");

/// The endpoint of the member tools; a cheap handle.
#[derive(Clone)]
pub struct Door {
    member: Arc<Member>,
    streams: Arc<Semaphore>,
}

impl Door {
    /// A door to the member tools.
    pub fn new(member: Member) -> Self {
        Self {
            member: Arc::new(member),
            streams: Arc::new(Semaphore::new(idle::STREAMS)),
        }
    }

    /// Answers one request that the loopback guard let pass. Without a living binding it gets no
    /// further than here, whatever it asks (ID-04).
    pub async fn answer(&self, request: Request<Body>) -> Response {
        let caller = match binding::caller(&self.member.broker, request.headers()) {
            Ok(caller) => caller,
            Err(refusal) => return refusal.into_response(),
        };
        match *request.method() {
            Method::POST => post::answer(&self.member, caller, request).await,
            Method::GET => match version::check(request.headers()) {
                Ok(()) => idle::answer(&self.member, &self.streams, request.headers()),
                Err(refusal) => refusal.into_response(),
            },
            // There is no session to end, and nothing is wrong with asking for its end.
            Method::DELETE => StatusCode::OK.into_response(),
            _ => {
                let words = "This path takes GET, POST, DELETE only.";
                let refusal = Refusal::request(StatusCode::METHOD_NOT_ALLOWED, words);
                ([(header::ALLOW, METHODS)], refusal).into_response()
            }
        }
    }
}
