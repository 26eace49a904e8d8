//! Keys whose value is one of a few words.

use serde::Serialize;

/// What an accepted message has survived when its answer goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Durability {
    /// A power cut: it is flushed to the disk.
    Full,
    /// The end of the process; a power cut may take the newest events.
    Normal,
}

/// A language of the command line and the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Language {
    /// English.
    English,
    /// Chinese, simplified.
    Chinese,
}

impl Language {
    /// The word in the configuration and the page's `lang`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
        }
    }
}
