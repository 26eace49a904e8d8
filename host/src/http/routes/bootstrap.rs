//! `GET /api/bootstrap`: the room in one snapshot, with the cursor to go on from.

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;

use crate::http::query::Query;
use crate::http::refusal::Refusal;
use crate::http::reply;

use super::Room;

pub(super) async fn answer(State(room): State<Room>, uri: Uri) -> Result<Response, Refusal> {
    Query::of(&uri, &[])?;
    let snapshot = room.broker.bootstrap().await?;
    Ok(reply::json(StatusCode::OK, &snapshot))
}
