//! The loopback guard: who may speak at all. It looks at the request's head only, so that a
//! refused request is refused before its body is read (contract Ours 12, SEC-01).
//!
//! There is no login. What keeps a web page out is that a browser always tells the truth in three
//! headers, and that a page cannot send JSON to another origin without asking first.

use axum::http::{HeaderMap, HeaderName, Method, Uri, header};

use super::refusal::Refusal;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The rules for one port.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    port: String,
}

impl Guard {
    /// A guard for the server at 127.0.0.1:`port`.
    pub(super) fn new(port: u16) -> Self {
        let port = port.to_string();
        Self { port }
    }

    /// Lets a request pass, or says what is wrong with it. The order is fixed: where it was sent
    /// to, who sent it, and only then what it carries.
    pub(super) fn check(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), Refusal> {
        // An absolute request target overrides `Host`, so both have to be ours.
        let target = uri.authority().is_none_or(|a| self.is_ours(a.as_str()));
        if !target || !matches!(one(headers, header::HOST), Sent::Once(host) if self.is_ours(host))
        {
            return Err(Refusal::forbidden(format!(
                "GroupX answers on this machine only: use http://127.0.0.1:{} as the address.",
                self.port
            )));
        }
        let origin = match one(headers, header::ORIGIN) {
            Sent::Never => true,
            Sent::Once(origin) => origin
                .strip_prefix("http://")
                .is_some_and(|authority| self.is_ours(authority)),
            Sent::Unclear => false,
        };
        if !origin {
            return Err(Refusal::forbidden(
                "Pages of another origin may not speak to GroupX: use the room's own page.",
            ));
        }
        let site = match one(headers, SEC_FETCH_SITE) {
            Sent::Never => true,
            Sent::Once(site) => matches!(site, "none" | "same-origin"),
            Sent::Unclear => false,
        };
        if !site {
            return Err(Refusal::forbidden(
                "This request was started by a page of another site: open the address by hand.",
            ));
        }
        if writes(method) && !is_json(headers) {
            return Err(Refusal::not_json());
        }
        Ok(())
    }

    fn is_ours(&self, authority: &str) -> bool {
        // The colons inside `[::1]` are no port.
        let (name, port) = match authority.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port),
            _ => (authority, "80"),
        };
        port == self.port
            && ["127.0.0.1", "localhost", "[::1]"]
                .iter()
                .any(|ours| name.eq_ignore_ascii_case(ours))
    }
}

/// DELETE carries no body (it only ends an MCP session), so it needs no content type.
fn writes(method: &Method) -> bool {
    matches!(*method, Method::POST | Method::PUT | Method::PATCH)
}

fn is_json(headers: &HeaderMap) -> bool {
    let Sent::Once(value) = one(headers, header::CONTENT_TYPE) else {
        return false;
    };
    let essence = value.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

enum Sent<'a> {
    Never,
    Once(&'a str),
    Unclear,
}

fn one(headers: &HeaderMap, name: HeaderName) -> Sent<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Sent::Never,
        (Some(value), None) => value.to_str().map_or(Sent::Unclear, Sent::Once),
        (Some(_), Some(_)) => Sent::Unclear,
    }
}

#[cfg(test)]
mod tests;
