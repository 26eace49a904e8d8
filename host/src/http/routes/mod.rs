//! The table of routes. Each file holds one of them: request in, command to the Broker, reply out.

mod bootstrap;
mod cancel;
mod events;
mod health;
mod history;
mod messages;
mod restart;
mod shutdown;

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter, any, on};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::broker::Broker;
use crate::config::RuntimeIdentity;
use crate::mcp;

use super::assets;
use super::refusal::Refusal;

pub(super) use health::{PROTOCOL, SERVICE};

/// The path that answers as long as the port is held.
pub(super) const HEALTH: &str = "/api/health";

/// What the routes serve from.
pub(super) struct Served {
    /// Takes the commands.
    pub(super) broker: Broker,
    /// Shown by health, named by shutdown.
    pub(super) identity: RuntimeIdentity,
    /// The configured message limit, in UTF-16 code units.
    pub(super) message_characters: usize,
    /// One permit for each event stream that may still be opened.
    pub(super) streams: Arc<Semaphore>,
    /// Ends the event streams.
    pub(super) draining: CancellationToken,
    /// Stops the runtime.
    pub(super) stop: CancellationToken,
}

type Room = Arc<Served>;

/// All routes; what is no route is a file of the page, or nothing.
pub(super) fn all(served: Served, tools: mcp::Door) -> Router {
    let mcp = move |request: Request| {
        let tools = tools.clone();
        async move { tools.answer(request).await }
    };
    Router::new()
        .route(HEALTH, read(health::answer))
        .route("/api/bootstrap", read(bootstrap::answer))
        .route("/api/events", read(events::answer))
        .route("/api/history", read(history::answer))
        .route("/api/messages", write(messages::answer))
        .route("/api/turns/{turn}/cancel", write(cancel::answer))
        // The id of an agent may hold a slash, so the verb is taken off by the handler.
        .route("/api/agents/{*agent}", write(restart::answer))
        .route("/api/runtime/shutdown", write(shutdown::answer))
        .route("/mcp", any(mcp))
        .fallback(assets::answer)
        .with_state(Arc::new(served))
}

/// GET, and nothing else: a HEAD of an event stream or a snapshot would do all the work for naught.
fn read<H: Handler<T, Room>, T: 'static>(handler: H) -> MethodRouter<Room> {
    only(MethodFilter::GET, "GET", handler).on(MethodFilter::HEAD, || refused("GET"))
}

/// POST, and nothing else.
fn write<H: Handler<T, Room>, T: 'static>(handler: H) -> MethodRouter<Room> {
    only(MethodFilter::POST, "POST", handler)
}

fn only<H, T>(filter: MethodFilter, allow: &'static str, handler: H) -> MethodRouter<Room>
where
    H: Handler<T, Room>,
    T: 'static,
{
    on(filter, handler).fallback(move || refused(allow))
}

async fn refused(allow: &'static str) -> Refusal {
    Refusal::method(allow)
}
