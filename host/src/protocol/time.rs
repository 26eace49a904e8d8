//! A moment, as the envelope shows it. Nobody reads a clock here.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Milliseconds since 1970, shown as ISO 8601 in UTC with three decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
pub struct Timestamp(pub i64);

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let at = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        write!(f, "{at:.3}")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(input)?;
        let at: jiff::Timestamp = text.parse().map_err(serde::de::Error::custom)?;
        Ok(Self(at.as_millisecond()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn env_01_times_are_iso_utc_with_milliseconds() {
        assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00.000Z");
        let text = "2026-12-01T11:03:29.020Z";
        let read: Timestamp = serde_json::from_str(&format!("\"{text}\"")).unwrap();
        assert_eq!(read.to_string(), text);
    }
}
