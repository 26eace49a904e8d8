//! One POST: the message is read and looked at, a server made for it answers it, and what that
//! says is brought into the shapes of section 4.
//!
//! Answers are JSON. A tool that waits will need a stream whose headers go out at once: that is
//! the same server with `with_json_response(false)`, chosen here, where the message is known.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use rmcp::model::ErrorCode as RpcCode;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::broker::Caller;
use crate::protocol::ErrorCode;

use super::refusal::{JSON, Refusal};
use super::server::MemberServer;
use super::{Member, version};

/// Most bytes of a message; far above the longest text that a tool takes.
const MESSAGE_BYTES: usize = 16 * 1024 * 1024;

/// Answers one message of `caller`.
pub(super) async fn answer(
    member: &Arc<Member>,
    caller: Caller,
    request: Request<Body>,
) -> Response {
    let (parts, body) = request.into_parts();
    let message = match read(body).await {
        Ok(message) => message,
        Err(refusal) => return refusal.into_response(),
    };
    let checked = request_id(&message)
        .and_then(|id| version::check(&parts.headers).map_err(|refusal| refusal.answering(id)));
    if let Err(refusal) = checked {
        return refusal.into_response();
    }
    let server = MemberServer::new(Arc::clone(member), caller);
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MESSAGE_BYTES)
        // The loopback guard has looked at Host and Origin, port included.
        .disable_allowed_hosts()
        .with_cancellation_token(member.closing.clone());
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    let request = Request::from_parts(parts, Full::new(message));
    tidy(service.handle(request).await).await
}

async fn read(body: Body) -> Result<Bytes, Refusal> {
    match Limited::new(body, MESSAGE_BYTES).collect().await {
        Ok(whole) => Ok(whole.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Refusal::with(
            StatusCode::PAYLOAD_TOO_LARGE,
            RpcCode::INVALID_REQUEST,
            format!("The message is too long: at most {MESSAGE_BYTES} bytes are taken."),
            json!({ "code": ErrorCode::MessageTooLarge }),
        )),
        Err(_) => Err(Refusal::request(
            StatusCode::BAD_REQUEST,
            "The body ended before it was whole. Send it again.",
        )),
    }
}

/// The id of the request, null where it has none; refuses what is no JSON object at all.
fn request_id(message: &[u8]) -> Result<Value, Refusal> {
    let fields: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_slice(message);
    match fields {
        Ok(fields) => {
            let id = fields.get("id").map(|id| serde_json::from_str(id.get()));
            Ok(id.and_then(Result::ok).unwrap_or_default())
        }
        Err(error) if error.is_data() => Err(Refusal::request(
            StatusCode::BAD_REQUEST,
            "Send one JSON-RPC message, as a JSON object.",
        )),
        Err(error) => Err(Refusal::with(
            StatusCode::BAD_REQUEST,
            RpcCode::PARSE_ERROR,
            format!("The body is not valid JSON: {error}."),
            json!({ "code": ErrorCode::InvalidEnvelope }),
        )),
    }
}

/// Plain texts of the library become JSON-RPC errors; its 415 means a message that is JSON but no
/// JSON-RPC, and what it says about its own failures stays inside.
async fn tidy(response: axum::http::Response<BoxBody<Bytes, Infallible>>) -> Response {
    let status = response.status();
    let media = response.headers().get(header::CONTENT_TYPE);
    let is_json = media.is_some_and(|media| media.as_bytes().starts_with(b"application/json"));
    if status.is_success() || is_json {
        let mut response = response.map(Body::new);
        if is_json {
            let (name, value) = JSON;
            response.headers_mut().insert(name, value);
        }
        return response;
    }
    if status.is_server_error() {
        return Refusal::with(
            status,
            RpcCode::INTERNAL_ERROR,
            "GroupX could not answer this message. Send it again.",
            json!({ "code": ErrorCode::InternalError }),
        )
        .into_response();
    }
    if status == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        let words = "This is not a JSON-RPC 2.0 message of MCP.";
        return Refusal::request(StatusCode::BAD_REQUEST, words).into_response();
    }
    let text = match response.into_body().collect().await {
        Ok(whole) => String::from_utf8_lossy(&whole.to_bytes()).into_owned(),
        Err(never) => match never {},
    };
    Refusal::request(status, text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn body(response: Response) -> Value {
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[tokio::test]
    async fn mcp_09_what_is_no_json_rpc_object_is_said_to_be_none() {
        assert_eq!(request_id(br#"{"id":7,"method":"ping"}"#).unwrap(), 7);
        assert_eq!(request_id(br#"{"method":"x"}"#).unwrap(), Value::Null);
        for (message, code) in [
            ("{\"id\":", -32700),
            ("", -32700),
            ("[{}]", -32600),
            ("7", -32600),
        ] {
            let refused = request_id(message.as_bytes()).unwrap_err().into_response();
            assert_eq!(refused.status(), 400);
            assert_eq!(body(refused).await["error"]["code"], code, "{message}");
        }
    }

    #[tokio::test]
    async fn mcp_09_the_librarys_plain_texts_become_json_rpc_errors_and_its_insides_stay_inside() {
        let cases = [
            (406, 406, "Not Acceptable"),
            (415, 400, "JSON-RPC 2.0"),
            (500, 500, "again"),
        ];
        for (given, expected, words) in cases {
            let text = Bytes::from("Not Acceptable: src/secret.rs");
            let mut plain = axum::http::Response::new(Full::new(text).boxed());
            *plain.status_mut() = StatusCode::from_u16(given).unwrap();
            let response = tidy(plain).await;
            assert_eq!(response.status(), expected);
            let body = body(response).await;
            assert!(
                body["error"]["message"].as_str().unwrap().contains(words),
                "{body}"
            );
            assert!(body["error"]["data"]["code"].is_string() && body["id"].is_null());
        }
    }

    #[tokio::test]
    async fn lim_03_a_message_of_five_megabytes_is_read_and_an_endless_one_is_not() {
        assert!(read(Body::from(vec![b' '; 5_000_000])).await.is_ok());
        let refused = read(Body::from(vec![b' '; MESSAGE_BYTES + 1]))
            .await
            .unwrap_err();
        let refused = refused.into_response();
        assert_eq!(refused.status(), 413);
        assert_eq!(
            body(refused).await["error"]["data"]["code"],
            "MESSAGE_TOO_LARGE"
        );
    }
}
