//! Says sentences in the user's language: answers on stdout, complaints on stderr.

use std::io::{self, Write};

use super::language::Sentence;
use crate::config::Language;

/// A language to speak.
#[derive(Debug, Clone, Copy)]
pub(super) struct Voice {
    language: Language,
}

impl Voice {
    pub(super) fn new(language: Language) -> Self {
        Self { language }
    }

    /// The language that the configuration asks for, if it does, takes over from the locale.
    pub(super) fn in_language(self, wanted: Option<Language>) -> Self {
        Self::new(wanted.unwrap_or(self.language))
    }

    pub(super) fn language(self) -> Language {
        self.language
    }

    /// An answer. A reader that went away is no reason to end.
    pub(super) fn say(self, sentence: &Sentence<'_>) {
        let _ = writeln!(
            io::stdout().lock(),
            "{}",
            sentence.in_language(self.language)
        );
    }

    /// A complaint.
    pub(super) fn complain(self, sentence: &Sentence<'_>) {
        let _ = writeln!(
            io::stderr().lock(),
            "{}",
            sentence.in_language(self.language)
        );
    }
}
