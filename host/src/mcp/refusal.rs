//! How a whole MCP request is refused: a JSON-RPC error, since that is what its client reads.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rmcp::model::ErrorCode as RpcCode;
use serde_json::{Value, json};

use crate::protocol::{ErrorCode, Fault};

/// The content type of every JSON answer.
pub(super) const JSON: (HeaderName, HeaderValue) = (
    header::CONTENT_TYPE,
    HeaderValue::from_static("application/json; charset=utf-8"),
);

/// A refused request. It is never 401 or 403: those make MCP clients start a login.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    rpc: RpcCode,
    message: String,
    data: Box<Value>,
    id: Box<Value>,
}

impl Refusal {
    /// Not a request that this endpoint can take.
    pub(super) fn request(status: StatusCode, message: impl Into<String>) -> Self {
        let data = json!({ "code": ErrorCode::InvalidEnvelope });
        Self::with(status, RpcCode::INVALID_REQUEST, message, data)
    }

    /// Any refusal; `data.code` is one of ours.
    pub(super) fn with(
        status: StatusCode,
        rpc: RpcCode,
        message: impl Into<String>,
        data: Value,
    ) -> Self {
        Self {
            status,
            rpc,
            message: message.into(),
            data: Box::new(data),
            id: Box::new(Value::Null),
        }
    }

    /// The same refusal as the answer to the request with this id.
    pub(super) fn answering(mut self, id: Value) -> Self {
        *self.id = id;
        self
    }
}

/// The Broker knows no such caller, or this caller has no tools.
impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        let status = StatusCode::from_u16(fault.code.http_status())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let rpc = match status.is_client_error() {
            true => RpcCode::INVALID_PARAMS,
            false => RpcCode::INTERNAL_ERROR,
        };
        Self::with(status, rpc, fault.message, json!({ "code": fault.code }))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({
            "jsonrpc": "2.0",
            "error": { "code": self.rpc.0, "message": self.message, "data": self.data },
            "id": self.id,
        });
        (self.status, [JSON], Json(body)).into_response()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    async fn parts(refusal: Refusal) -> (u16, String, Value) {
        let response = refusal.into_response();
        let status = response.status().as_u16();
        let kind = response.headers()[header::CONTENT_TYPE]
            .to_str()
            .unwrap()
            .to_owned();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, kind, serde_json::from_slice(&bytes).unwrap())
    }

    #[tokio::test]
    async fn id_04_a_bad_binding_is_a_json_rpc_error_and_never_a_login() {
        let fault = Fault::new(ErrorCode::McpBindingMismatch, "No such binding.");
        let (status, kind, body) = parts(fault.into()).await;
        assert_eq!(status, 400);
        assert_eq!(kind, "application/json; charset=utf-8");
        let expected = json!({
            "jsonrpc": "2.0",
            "error": {
                "code": -32602,
                "message": "No such binding.",
                "data": { "code": "MCP_BINDING_MISMATCH" },
            },
            "id": null,
        });
        assert_eq!(body, expected);
    }

    #[tokio::test]
    async fn mcp_08_a_session_without_tools_is_unavailable_and_nothing_else() {
        let fault = Fault::new(ErrorCode::McpUnavailable, "No tools here.");
        let (status, _, body) = parts(fault.into()).await;
        assert_eq!(status, 503);
        assert_eq!(body["error"]["data"]["code"], "MCP_UNAVAILABLE");
    }
}
