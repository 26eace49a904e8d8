//! `GET /api/health`: how things stand, from memory alone (Ours 7).

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;

use crate::http::query::Query;
use crate::http::refusal::Refusal;
use crate::http::reply;
use crate::protocol::Transport;
use crate::protocol::reply::Health;

use super::Room;

/// Who answers here.
pub(in crate::http) const SERVICE: &str = "groupx";
/// How it can be stopped and recognized.
pub(in crate::http) const PROTOCOL: &str = "groupx.runtime/1";

pub(super) async fn answer(State(room): State<Room>, uri: Uri) -> Result<Response, Refusal> {
    Query::of(&uri, &[])?;
    let seen = room.broker.health();
    let health = Health {
        status: if seen.degraded { "degraded" } else { "ok" },
        readiness: seen.readiness,
        transport: Transport::Structured,
        transport_lifecycle: "active",
        access: "unrestricted",
        store: seen.store,
        agents: seen.agents,
        active_turns: seen.active_turns,
        queued_turns: seen.queued_turns,
        service: SERVICE,
        protocol: PROTOCOL,
        runtime_key: room.identity.runtime_key.clone(),
        runtime_scope_key: room.identity.runtime_scope_key.clone(),
    };
    Ok(reply::json(StatusCode::OK, &health))
}
