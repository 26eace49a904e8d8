//! Query strings: only the keys that a route knows, each at most once.

use axum::extract::Query as Pairs;
use axum::http::Uri;

use crate::protocol::{Fault, Issue, request};

/// The keys and values that came.
#[derive(Debug)]
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads the query of `uri`; a key that is not in `known`, or that comes twice, is refused by
    /// name, so that a misspelt cursor cannot pass for the beginning.
    pub(super) fn of(uri: &Uri, known: &[&str]) -> Result<Self, Fault> {
        let Pairs(pairs) = Pairs::<Vec<(String, String)>>::try_from_uri(uri)
            .map_err(|_| Fault::invalid("The query is not well-formed.", &[]))?;
        for (at, (key, _)) in pairs.iter().enumerate() {
            let words = if !known.contains(&key.as_str()) {
                let takes = match known {
                    [] => "no query".to_owned(),
                    keys => keys.join(", "),
                };
                format!("`{key}` is not known in this query. It takes {takes}.")
            } else if pairs[..at].iter().any(|(earlier, _)| earlier == key) {
                format!("`{key}` stands twice in the query.")
            } else {
                continue;
            };
            let path = vec![key.clone()];
            let code = "unrecognized_keys";
            return Err(Fault::invalid(words, &[Issue { path, code }]));
        }
        Ok(Self(pairs))
    }

    /// A whole number, where the key came.
    pub(super) fn number(&self, name: &str) -> Result<Option<u64>, Fault> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found
            .map(|(_, value)| request::query_number(name, value))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Result<Query, Fault> {
        let uri = format!("/api/history?{text}").parse().unwrap();
        Query::of(&uri, &["beforeSeq", "limit"])
    }

    #[test]
    fn rest_05_a_query_takes_known_keys_once_and_numbers_only() {
        let read = query("limit=5&beforeSeq=%37").unwrap();
        assert_eq!(read.number("beforeSeq").unwrap(), Some(7));
        assert_eq!(read.number("limit").unwrap(), Some(5));
        assert_eq!(query("").unwrap().number("limit").unwrap(), None);
        for text in ["after=1", "limit=1&limit=2", "beforeseq=1", "=1", "%ff=1"] {
            assert!(query(text).is_err(), "{text}");
        }
        for value in [
            "",
            "-1",
            "+1",
            "1.5",
            "1e3",
            "x",
            "%2031",
            "9007199254740992",
        ] {
            let read = query(&format!("limit={value}")).unwrap();
            assert!(read.number("limit").is_err(), "{value}");
        }
    }

    #[test]
    fn rest_05_the_refusal_names_the_key_and_what_is_taken() {
        let fault = query("before=1").unwrap_err();
        assert_eq!(
            fault.message,
            "`before` is not known in this query. It takes beforeSeq, limit."
        );
        assert_eq!(fault.details.unwrap()["issues"][0]["path"][0], "before");
    }
}
