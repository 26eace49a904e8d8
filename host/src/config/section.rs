//! Reads one object of the file key by key and notes all that is wrong with it. A wrong value
//! reads as its default, so that reading goes on and every mistake is found in one go.

use super::document::Node;
use super::key::{Agents, Choice, Flag, Key, Keys, Rule, Shape, Text, Texts, Whole};
use super::keys;
use super::problem::{Kind, Problem, Reason};
use crate::protocol::text::utf16_len;

/// An object of the file, or nothing where it is absent.
pub(super) struct Section<'a> {
    path: String,
    entries: &'a [(String, Node)],
    /// False where the file has something else or nothing in its place.
    is_object: bool,
    problems: &'a mut Vec<Problem>,
}

impl<'a> Section<'a> {
    /// Opens an object that may hold the `known` keys and no others.
    pub(super) fn open(
        path: String,
        node: Option<&'a Node>,
        known: Keys,
        problems: &'a mut Vec<Problem>,
    ) -> Self {
        let mut section = Self::open_any(path, node, problems);
        let known: Vec<_> = known.iter().map(|key| key.name()).collect();
        for (key, _) in section.entries {
            if !known.contains(&key.as_str()) {
                let nearest = nearest(key, &section.path, &known);
                section.note(
                    key,
                    Reason::Unknown {
                        nearest,
                        known: known.clone(),
                    },
                );
            }
        }
        section
    }

    /// Opens an object with keys of the user's own choice.
    fn open_any(path: String, node: Option<&'a Node>, problems: &'a mut Vec<Problem>) -> Self {
        let entries: &[(String, Node)] = match node {
            Some(Node::Object(entries)) => entries,
            Some(_) => {
                problems.push(Problem {
                    path: path.clone(),
                    reason: Reason::Kind(Kind::Object),
                });
                &[]
            }
            None => &[],
        };
        let mut section = Self {
            path,
            entries,
            is_object: matches!(node, Some(Node::Object(_))),
            problems,
        };
        for (at, (key, _)) in entries.iter().enumerate() {
            if entries[..at].iter().any(|(earlier, _)| earlier == key) {
                section.note(key, Reason::Repeated);
            }
        }
        section
    }

    /// Notes that something is wrong with a key of this object.
    pub(super) fn note(&mut self, key: &str, reason: Reason) {
        self.problems.push(Problem {
            path: join(&self.path, key),
            reason,
        });
    }

    /// Whether the file has an object in this place.
    pub(super) fn is_object(&self) -> bool {
        self.is_object
    }

    /// Notes that a key has to be there; inside of what is no object that would say nothing new.
    pub(super) fn missing(&mut self, key: &str) {
        if self.is_object {
            self.note(key, Reason::Missing);
        }
    }

    /// The value of a key, whatever it is.
    pub(super) fn value(&self, key: &str) -> Option<&'a Node> {
        self.entries
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// Opens the object inside this one.
    pub(super) fn group<S: Shape>(&mut self, key: &Key<S>) -> Section<'_> {
        let path = join(&self.path, key.name);
        Section::open(
            path,
            self.value(key.name),
            key.shape.inside(),
            self.problems,
        )
    }

    /// Opens the agents.
    pub(super) fn members(&mut self, key: &Key<Agents>) -> Section<'_> {
        Section::open_any(
            join(&self.path, key.name),
            self.value(key.name),
            self.problems,
        )
    }

    /// Opens one of the agents.
    pub(super) fn member(&mut self, id: &str, known: Keys) -> Section<'_> {
        Section::open(join(&self.path, id), self.value(id), known, self.problems)
    }

    /// The keys in the order of the file.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.entries.iter().map(|(key, _)| key.as_str())
    }

    /// A whole number. The default of an earlier edition counts as absent.
    pub(super) fn whole(&mut self, key: &Key<Whole>) -> u64 {
        let Whole {
            default,
            least,
            most,
            formerly,
        } = key.shape;
        let Some(node) = self.value(key.name) else {
            return default;
        };
        match whole(node) {
            Some(value) if Some(value) == formerly => default,
            Some(value) if (least..=most).contains(&value) => value,
            outside => {
                let is_number = outside.is_some() || matches!(node, Node::Number(n) if n.is_i64());
                let reason = match is_number {
                    true => Reason::Bounds(least, most),
                    false => Reason::Kind(Kind::Whole),
                };
                self.note(key.name, reason);
                default
            }
        }
    }

    /// A text, or its default if it has one.
    pub(super) fn text(&mut self, key: &Key<Text>) -> Option<&'a str> {
        let Some(node) = self.value(key.name) else {
            return key.shape.default;
        };
        let Node::Text(text) = node else {
            self.note(key.name, Reason::Kind(Kind::Text));
            return key.shape.default;
        };
        if key.shape.least > 0 && text.trim().is_empty() {
            self.note(key.name, Reason::Blank);
        } else if utf16_len(text) > key.shape.most {
            self.note(key.name, Reason::TooLong(key.shape.most));
        }
        Some(text)
    }

    /// A text that has to be there; an empty one stands in for it after the note.
    pub(super) fn required(&mut self, key: &Key<Text>) -> &'a str {
        if self.value(key.name).is_none() {
            self.missing(key.name);
        }
        self.text(key).unwrap_or_default()
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, key: &Key<Texts>) -> Vec<String> {
        let Some(node) = self.value(key.name) else {
            return vec![];
        };
        let text = |item: &Node| match item {
            Node::Text(text) => Some(text.clone()),
            _ => None,
        };
        let texts = match node {
            Node::List(items) => items.iter().map(text).collect::<Option<_>>(),
            _ => None,
        };
        texts.unwrap_or_else(|| {
            self.note(key.name, Reason::Kind(Kind::Texts));
            vec![]
        })
    }

    /// True or false.
    pub(super) fn flag(&mut self, key: &Key<Flag>) -> bool {
        match self.value(key.name) {
            None => key.shape.default,
            Some(Node::Flag(flag)) => *flag,
            Some(_) => {
                self.note(key.name, Reason::Kind(Kind::Flag));
                key.shape.default
            }
        }
    }

    /// What the word in the file, or the default word, means.
    pub(super) fn choice<T: Copy>(&mut self, key: &Key<Choice<T>>) -> Option<T> {
        let meaning = |word: &str| {
            let mut words = key.shape.words.iter();
            words
                .find(|(known, _)| *known == word)
                .map(|(_, meaning)| *meaning)
        };
        let default = key.shape.default.and_then(meaning);
        let Some(node) = self.value(key.name) else {
            return default;
        };
        let found = match node {
            Node::Text(word) => meaning(word),
            _ => None,
        };
        if found.is_none() {
            let words = key.shape.words.iter().map(|(word, _)| *word).collect();
            self.note(key.name, Reason::Word(words));
        }
        found.or(default)
    }
}

/// A number without a fraction that fits; `4310.0` is the same number in JSON.
fn whole(node: &Node) -> Option<u64> {
    let Node::Number(number) = node else {
        return None;
    };
    number.as_u64().or_else(|| {
        let float = number
            .as_f64()
            .filter(|n| n.fract() == 0.0 && (0.0..=1e15).contains(n))?;
        // Exact: whole and far below 2^53.
        Some(float as u64)
    })
}

/// The path of a key inside an object; ids with other characters than a word's are quoted.
pub(super) fn join(path: &str, key: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    let quoted = key.is_empty() || !key.chars().all(plain);
    match (path.is_empty(), quoted) {
        (true, false) => key.into(),
        (false, false) => format!("{path}.{key}"),
        (_, true) => format!("{path}[{key:?}]"),
    }
}

/// The known key that an unknown one may have been meant to be: a similar one in the same object,
/// or the same word elsewhere in the file.
fn nearest(key: &str, path: &str, known: &[&'static str]) -> Option<String> {
    let distance = |name: &&'static str| {
        let (name, key) = (name.to_lowercase(), key.to_lowercase());
        strsim::damerau_levenshtein(&name, &key)
    };
    // A third of the letters may be wrong; beyond that the guess would confuse.
    let close = |name: &&&'static str| distance(name) <= (name.len() / 3).max(1);
    let similar = known.iter().filter(close).min_by_key(|name| distance(name));
    similar
        .map(|name| join(path, name))
        .or_else(|| elsewhere(key, "", keys::ROOT.0))
}

fn elsewhere(key: &str, path: &str, known: Keys) -> Option<String> {
    known.iter().find_map(|declared| {
        let here = join(path, declared.name());
        if declared.name() == key {
            return Some(here);
        }
        let inside = match declared.shape().rule() {
            Rule::Agents => format!("{here}.<id>"),
            _ => here,
        };
        elsewhere(key, &inside, declared.shape().inside())
    })
}
