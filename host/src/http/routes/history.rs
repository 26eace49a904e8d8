//! `GET /api/history`: older events, page by page towards the beginning (Ours 5).

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;

use crate::http::query::Query;
use crate::http::refusal::Refusal;
use crate::http::reply;
use crate::protocol::limits::RECENT_EVENTS;
use crate::protocol::{Fault, Issue, Seq};

use super::Room;

const MOST: u32 = 500;

pub(super) async fn answer(State(room): State<Room>, uri: Uri) -> Result<Response, Refusal> {
    let (before, limit) = page(&uri)?;
    let page = room.broker.history(before, limit).await?;
    Ok(reply::json(StatusCode::OK, &page))
}

/// Where the page ends and how many events it holds; the newest 100 where nothing is said.
fn page(uri: &Uri) -> Result<(Option<Seq>, u32), Fault> {
    let query = Query::of(uri, &["beforeSeq", "limit"])?;
    let before = query.number("beforeSeq")?.map(Seq);
    let limit = match query.number("limit")? {
        None => RECENT_EVENTS,
        Some(limit) => u32::try_from(limit)
            .ok()
            .filter(|limit| (1..=MOST).contains(limit))
            .ok_or_else(|| {
                let path = vec!["limit".to_owned()];
                let code = "custom";
                let words = format!("`limit` must be 1 to {MOST}.");
                Fault::invalid(words, &[Issue { path, code }])
            })?,
    };
    Ok((before, limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_06_a_page_is_one_to_five_hundred_events() {
        let of = |query: &str| page(&format!("/api/history{query}").parse().unwrap());
        assert_eq!(of("").unwrap(), (None, 100));
        assert_eq!(of("?beforeSeq=7&limit=500").unwrap(), (Some(Seq(7)), 500));
        for query in [
            "?limit=0",
            "?limit=501",
            "?limit=4294967297",
            "?beforeSeq=x",
        ] {
            assert!(of(query).is_err(), "{query}");
        }
    }
}
