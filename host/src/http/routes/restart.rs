//! `POST /api/agents/{actorId}/restart`: a new process for an agent, with its old native session
//! where that can go on.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;

use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::reply;
use crate::protocol::{ActorId, Fault, request};

use super::Room;

const VERB: &str = "/restart";

pub(super) async fn answer(
    State(room): State<Room>,
    uri: Uri,
    agent: Result<Path<String>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Response, Refusal> {
    let agent = agent.ok().map(|Path(agent)| agent);
    let actor = actor_id(uri.path(), agent.as_deref())?;
    let command = request::command_only(&body)?;
    let answer = room.broker.restart_agent(actor, command).await?;
    Ok(reply::json(StatusCode::ACCEPTED, &answer))
}

/// The agent in the path: `decoded` is all behind `/api/agents/`. The verb has to stand in the
/// path as it was sent, since an encoded slash belongs to the id.
fn actor_id(path: &str, decoded: Option<&str>) -> Result<ActorId, Refusal> {
    let Some(decoded) = decoded else {
        return Err(Fault::invalid("The agent's id in the path is not UTF-8.", &[]).into());
    };
    let id = decoded.strip_suffix(VERB).filter(|_| path.ends_with(VERB));
    let Some(id) = id else {
        return Err(Refusal::not_found(path));
    };
    let parsed = ActorId::parse_agent(id);
    parsed.map_err(|why| Fault::invalid(format!("The agent's id {why}."), &[]).into())
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;

    use super::*;

    #[test]
    fn web_02_the_agent_of_a_restart_may_be_encoded_and_may_hold_slashes() {
        let cases = [
            (
                "agent:codex/restart",
                "agent:codex/restart",
                Ok("agent:codex"),
            ),
            (
                "agent%3Acodex/restart",
                "agent:codex/restart",
                Ok("agent:codex"),
            ),
            ("agent:a/b/restart", "agent:a/b/restart", Ok("agent:a/b")),
            (
                "agent%3Aa%2Fb/restart",
                "agent:a/b/restart",
                Ok("agent:a/b"),
            ),
            (
                "agent:a/restart/restart",
                "agent:a/restart/restart",
                Ok("agent:a/restart"),
            ),
            ("agent:a%2Frestart", "agent:a/restart", Err(404)),
            ("agent:codex", "agent:codex", Err(404)),
            ("agent:codex/stop", "agent:codex/stop", Err(404)),
            ("user:web/restart", "user:web/restart", Err(400)),
            ("agent:/restart", "agent:/restart", Err(400)),
            ("codex/restart", "codex/restart", Err(400)),
        ];
        for (sent, decoded, expected) in cases {
            let found = actor_id(&format!("/api/agents/{sent}"), Some(decoded));
            let found = found.map_err(|refusal| refusal.into_response().status().as_u16());
            assert_eq!(found, expected.map(ActorId::trusted), "{sent}");
        }
    }
}
