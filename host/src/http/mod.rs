//! The HTTP door: turns requests into commands of the Broker, and what the Broker says into
//! responses.
//!
//! Owns the listener, the loopback guard, the routes, the event stream and the page's files. It
//! refuses to know how anything is stored, which agents there are, or what a driver speaks.

mod assets;
mod body;
mod connection;
mod entrance;
mod guard;
mod patience;
mod query;
mod refusal;
mod reply;
mod routes;
mod server;

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::broker::Broker;
use crate::config::{Limits, RuntimeIdentity};
use crate::mcp;
use crate::protocol::limits::SSE_CONNECTIONS;

use entrance::Entrance;
use guard::Guard;

pub use server::Server;

/// A reader that takes nothing for this long while something waits is gone (REST-04).
const PATIENCE: Duration = Duration::from_secs(30);

/// Everything that stands behind the door.
pub struct Doors {
    /// Takes the commands.
    pub broker: Broker,
    /// What health shows, and what a shutdown has to name.
    pub identity: RuntimeIdentity,
    /// The configured bounds.
    pub limits: Limits,
    /// The port that a `Host` header has to name.
    pub port: u16,
    /// Cancelled when somebody asked over HTTP that the runtime stop.
    pub stop: CancellationToken,
}

/// Serves `listener`, which must be bound to 127.0.0.1, until the server is closed or dropped.
pub fn open(listener: TcpListener, doors: Doors) -> Server {
    let draining = CancellationToken::new();
    let closing = CancellationToken::new();
    let tools = mcp::Door::new(mcp::Member {
        broker: doors.broker.clone(),
        message_characters: doors.limits.message_characters,
        draining: draining.clone(),
        closing: closing.clone(),
    });
    let served = routes::Served {
        broker: doors.broker,
        identity: doors.identity.clone(),
        message_characters: doors.limits.message_characters,
        streams: Arc::new(Semaphore::new(SSE_CONNECTIONS)),
        draining: draining.clone(),
        stop: doors.stop,
    };
    let entrance = Entrance::new(
        Guard::new(doors.port),
        doors.identity,
        draining,
        routes::all(served, tools),
    );
    server::start(listener, entrance, PATIENCE, closing)
}

#[cfg(test)]
mod tests;
