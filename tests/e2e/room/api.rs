//! Requests as the page sends them, and their answers. It knows JSON over HTTP and no route's shape.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use super::Room;
use super::deadline::within;

/// A command id that no other command of this test run has.
pub(crate) fn command_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!(
        "e2e-{}-{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// The body as JSON; null where it is something else.
    pub(crate) body: Value,
}

impl Reply {
    /// The error code, after checking the one shape that every error body has (REST-05).
    pub(crate) fn error_code(&self) -> &str {
        let error = &self.body["error"];
        let message = error["message"].as_str().unwrap_or_default();
        assert!(!message.is_empty(), "an error says what to do: {self:?}");
        for key in error.as_object().expect("an error is an object").keys() {
            assert!(
                ["code", "message", "details", "correlationId"].contains(&key.as_str()),
                "an error has nothing else: {self:?}"
            );
        }
        error["code"].as_str().expect("an error has a code")
    }

    pub(crate) fn must_be(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{:?}", self.body);
        self
    }

    pub(crate) fn must_fail(&self, status: u16, code: &str) {
        assert_eq!(
            (self.status, self.error_code()),
            (status, code),
            "{:?}",
            self.body
        );
    }
}

impl Room {
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port())
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path))
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.try_send(self.request(Method::GET, path))
            .await
            .expect("an answer")
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.try_post(path, body).await.expect("an answer")
    }

    /// A POST whose answer may never come because GroupX is killed meanwhile.
    pub(crate) async fn try_post(&self, path: &str, body: &Value) -> Option<Reply> {
        self.try_send(self.request(Method::POST, path).json(body))
            .await
    }

    /// Sends a request that a story has shaped itself.
    pub(crate) async fn try_send(&self, request: RequestBuilder) -> Option<Reply> {
        within("a request is answered", async {
            let answer = request.send().await.ok()?;
            let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
            let bytes = answer.bytes().await.ok()?;
            let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
            Some(Reply {
                status,
                headers,
                body,
            })
        })
        .await
    }
}
