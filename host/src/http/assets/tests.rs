use axum::response::IntoResponse;
use http_body_util::BodyExt;

use super::*;

async fn ask(method: Method, path: &str, headers: &[(header::HeaderName, &str)]) -> Response {
    let headers = headers
        .iter()
        .map(|(name, value)| (name.clone(), value.parse().unwrap()));
    let answered = answer(method, path.parse().unwrap(), headers.collect()).await;
    answered.unwrap_or_else(Refusal::into_response)
}

#[tokio::test]
async fn web_07_the_page_itself_is_always_asked_for_again() {
    let page = ask(Method::GET, "/", &[]).await;
    assert_eq!(page.status(), 200);
    assert_eq!(page.headers()[header::CACHE_CONTROL], "no-cache");
    assert_eq!(
        page.headers()[header::CONTENT_TYPE],
        "text/html; charset=utf-8"
    );
    let tag = page.headers()[header::ETAG].to_str().unwrap().to_owned();
    let html = page.into_body().collect().await.unwrap().to_bytes();
    assert!(html.starts_with(b"<!"));

    let again = ask(Method::GET, "/", &[(header::IF_NONE_MATCH, &tag)]).await;
    assert_eq!(again.status(), 304);
    let weak = format!("\"other\", W/{tag}");
    let again = ask(
        Method::GET,
        "/index.html",
        &[(header::IF_NONE_MATCH, &weak)],
    )
    .await;
    assert_eq!(again.status(), 304);
}

#[tokio::test]
async fn sec_03_scripts_and_styles_have_their_type_and_never_change_under_a_name() {
    let hashed: Vec<_> = Page::iter()
        .filter(|name| name.starts_with(HASHED))
        .collect();
    assert!(
        hashed.iter().any(|name| name.ends_with(".js")),
        "{hashed:?}"
    );
    for name in hashed {
        let file = ask(Method::GET, &format!("/{name}"), &[]).await;
        let headers = file.headers();
        assert_eq!(
            headers[header::CACHE_CONTROL],
            "public, max-age=31536000, immutable"
        );
        let kind = headers[header::CONTENT_TYPE].to_str().unwrap();
        let expected = match name.rsplit_once('.') {
            Some((_, "js")) => "text/javascript; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            _ => kind,
        };
        assert_eq!(kind, expected, "{name}");
    }
}

#[tokio::test]
async fn rest_05_no_other_path_is_a_file_and_no_file_is_written() {
    for path in [
        "/nothing",
        "/api/nothing",
        "/../Cargo.toml",
        "//index.html",
        "/assets/",
    ] {
        assert_eq!(ask(Method::GET, path, &[]).await.status(), 404, "{path}");
    }
    assert_eq!(ask(Method::POST, "/nothing", &[]).await.status(), 404);
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
        let refused = ask(method, "/", &[]).await;
        assert_eq!(refused.status(), 405);
        assert_eq!(refused.headers()[header::ALLOW], "GET, HEAD");
    }
    assert_eq!(ask(Method::HEAD, "/", &[]).await.status(), 200);
}
