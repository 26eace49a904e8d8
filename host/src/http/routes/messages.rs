//! `POST /api/messages`: the user says something to agents.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::reply;
use crate::protocol::request::PostMessage;

use super::Room;

pub(super) async fn answer(
    State(room): State<Room>,
    JsonBody(body): JsonBody,
) -> Result<Response, Refusal> {
    let request = PostMessage::parse(&body, room.message_characters)?;
    let accepted = room.broker.post_message(request).await?;
    Ok(reply::json(StatusCode::ACCEPTED, &accepted))
}
