//! The page's files, built into the program.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::Response;
use bytes::Bytes;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::refusal::Refusal;

#[derive(RustEmbed)]
#[folder = "$GROUPX_WEB_DIST_RESOLVED"]
struct Page;

/// The folder in which a file's name changes with its content.
const HASHED: &str = "assets/";

/// Answers with a file of the page, or that there is nothing.
pub(super) async fn answer(
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let name = match uri.path() {
        "/" => "index.html",
        path => path.strip_prefix('/').unwrap_or(path),
    };
    let Some(file) = Page::get(name) else {
        return Err(Refusal::not_found(uri.path()));
    };
    if !matches!(method, Method::GET | Method::HEAD) {
        return Err(Refusal::method("GET, HEAD"));
    }
    Ok(respond(name, file, &headers))
}

fn respond(name: &str, file: EmbeddedFile, asked: &HeaderMap) -> Response {
    let tag = tag(&file);
    let known = asked
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|tags| tags.split(','))
        .any(|known| known.trim().trim_start_matches("W/") == tag);
    let mut response = Response::new(if known {
        Body::empty()
    } else {
        Body::from(bytes(file.data))
    });
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let cache = if name.starts_with(HASHED) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let kind = kind(file.metadata.mimetype());
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    for (name, value) in [(header::CONTENT_TYPE, kind), (header::ETAG, tag)] {
        // invariant: media types and hex digits are always fit for a header
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    response
}

fn bytes(data: Cow<'static, [u8]>) -> Bytes {
    match data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => Bytes::from(data),
    }
}

/// Text without a charset would be read in the charset of the reader's system.
fn kind(media: &str) -> String {
    let text = media.starts_with("text/") || media == "application/json";
    match text {
        true => format!("{media}; charset=utf-8"),
        false => media.to_owned(),
    }
}

fn tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let digits: String = hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("\"{digits}\"")
}

#[cfg(test)]
mod tests;
