use axum::http::{HeaderValue, StatusCode};
use axum::response::IntoResponse;

use super::*;

const JSON: &str = "application/json";

/// The status that the guard gives to a request with these headers, 200 where it lets it pass.
fn status(method: Method, target: &str, headers: &[(&'static str, &str)]) -> StatusCode {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
        map.append(HeaderName::from_static(name), value);
    }
    let uri = target.parse().unwrap();
    match Guard::new(4310).check(&method, &uri, &map) {
        Ok(()) => StatusCode::OK,
        Err(refusal) => refusal.into_response().status(),
    }
}

#[test]
fn sec_01_every_combination_of_the_three_headers_passes_only_when_all_are_ours() {
    let hosts = [
        (Some("127.0.0.1:4310"), true),
        (Some("localhost:4310"), true),
        (Some("LOCALHOST:4310"), true),
        (Some("[::1]:4310"), true),
        (None, false),
        (Some(""), false),
        (Some("127.0.0.1"), false),
        (Some("127.0.0.1:4311"), false),
        (Some("127.0.0.1:04310"), false),
        (Some("127.0.0.1:"), false),
        (Some("[::1]"), false),
        (Some("::1:4310"), false),
        (Some("0.0.0.0:4310"), false),
        (Some("localhost.:4310"), false),
        (Some("localhost.evil.example:4310"), false),
        (Some("evil.example:4310"), false),
        (Some("user@localhost:4310"), false),
        (Some("127.0.0.1:4310 "), false),
        (Some("\u{fc}:4310"), false),
    ];
    let origins = [
        (None, true),
        (Some("http://127.0.0.1:4310"), true),
        (Some("http://localhost:4310"), true),
        (Some("http://[::1]:4310"), true),
        (Some("null"), false),
        (Some(""), false),
        (Some("https://127.0.0.1:4310"), false),
        (Some("http://127.0.0.1"), false),
        (Some("http://127.0.0.1:8080"), false),
        (Some("http://127.0.0.1:4310/"), false),
        (Some("http://evil.example"), false),
        (Some("http://127.0.0.1:4310.evil.example"), false),
        (Some("chrome-extension://abcdef"), false),
    ];
    let sites = [
        (None, true),
        (Some("none"), true),
        (Some("same-origin"), true),
        (Some("same-site"), false),
        (Some("cross-site"), false),
        (Some("unheard-of"), false),
        (Some(""), false),
    ];
    for method in [Method::GET, Method::POST, Method::DELETE, Method::OPTIONS] {
        for (host, host_is_ours) in hosts {
            for (origin, origin_is_ours) in origins {
                for (site, site_is_ours) in sites {
                    let mut headers = vec![("content-type", JSON)];
                    headers.extend(host.map(|value| ("host", value)));
                    headers.extend(origin.map(|value| ("origin", value)));
                    headers.extend(site.map(|value| ("sec-fetch-site", value)));
                    let passes = host_is_ours && origin_is_ours && site_is_ours;
                    let expected = if passes { 200 } else { 403 };
                    assert_eq!(
                        status(method.clone(), "/api/messages", &headers),
                        expected,
                        "{method} {headers:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn sec_01_a_header_that_is_sent_twice_is_trusted_for_nothing() {
    let ours = ("host", "127.0.0.1:4310");
    assert_eq!(status(Method::GET, "/", &[ours, ours]), 403);
    let origin = ("origin", "http://127.0.0.1:4310");
    assert_eq!(status(Method::GET, "/", &[ours, origin, origin]), 403);
    let site = ("sec-fetch-site", "none");
    assert_eq!(status(Method::GET, "/", &[ours, site, site]), 403);
    let json = ("content-type", JSON);
    assert_eq!(status(Method::POST, "/", &[ours, json, json]), 415);
}

#[test]
fn sec_01_an_absolute_target_has_to_be_ours_too() {
    let ours = [("host", "127.0.0.1:4310")];
    assert_eq!(status(Method::GET, "http://localhost:4310/", &ours), 200);
    assert_eq!(status(Method::GET, "http://evil.example/", &ours), 403);
}

#[test]
fn sec_01_only_json_may_be_written_and_who_asks_is_looked_at_first() {
    let cases = [
        (Some(JSON), 200),
        (Some("application/json; charset=utf-8"), 200),
        (Some("Application/JSON ;x=y"), 200),
        (None, 415),
        (Some(""), 415),
        (Some("text/plain"), 415),
        (Some("text/plain; application/json"), 415),
        (Some("application/jsonp"), 415),
        (Some("application/x-www-form-urlencoded"), 415),
        (Some("multipart/form-data; boundary=x"), 415),
    ];
    for (kind, expected) in cases {
        let mut headers = vec![("host", "localhost:4310")];
        headers.extend(kind.map(|kind| ("content-type", kind)));
        assert_eq!(status(Method::POST, "/mcp", &headers), expected, "{kind:?}");
        assert_eq!(status(Method::GET, "/mcp", &headers), 200, "{kind:?}");
        assert_eq!(status(Method::DELETE, "/mcp", &headers), 200, "{kind:?}");
        headers[0].1 = "evil.example";
        assert_eq!(status(Method::POST, "/mcp", &headers), 403, "{kind:?}");
    }
}

#[test]
fn sec_01_port_80_is_the_one_that_an_address_leaves_out() {
    let guard = Guard::new(80);
    for authority in ["127.0.0.1", "localhost:80", "[::1]", "[::1]:80"] {
        assert!(guard.is_ours(authority), "{authority}");
    }
    assert!(!guard.is_ours("127.0.0.1:4310"));
}
