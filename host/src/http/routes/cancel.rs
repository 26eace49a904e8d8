//! `POST /api/turns/{turnId}/cancel`: ends a Turn that waits or works.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::reply;
use crate::protocol::{Fault, TurnId, request};

use super::Room;

pub(super) async fn answer(
    State(room): State<Room>,
    turn: Result<Path<String>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Response, Refusal> {
    let turn = turn_id(turn)?;
    let command = request::command_only(&body)?;
    let answer = room.broker.cancel_turn(turn, command).await?;
    Ok(reply::json(StatusCode::ACCEPTED, &answer))
}

fn turn_id(turn: Result<Path<String>, PathRejection>) -> Result<TurnId, Fault> {
    let Ok(Path(turn)) = turn else {
        return Err(Fault::invalid("The Turn id in the path is not UTF-8.", &[]));
    };
    TurnId::parse(&turn).map_err(|why| Fault::invalid(format!("The Turn id {why}."), &[]))
}
