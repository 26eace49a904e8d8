//! What a key of `groupx.json` can be. The keys themselves are declared in `keys`.

/// One key: the word in the file, what it is for (one line), and what its value may be.
pub struct Key<S: 'static> {
    /// The word in the file.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// What its value may be.
    pub shape: S,
}

/// What a value may be, for people and schemas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// A whole number within these bounds.
    Whole(u64, u64),
    /// A text of this many UTF-16 code units.
    Text(usize, usize),
    /// True or false.
    Flag,
    /// One of these words.
    Choice(Vec<&'static str>),
    /// A list of texts.
    Texts,
    /// A text, or an object with keys of its own.
    Command,
    /// An object with keys of its own.
    Object,
    /// An object whose keys are ids of agents, each with an object.
    Agents,
}

/// A kind of value.
pub trait Shape: Sync {
    /// What it may be.
    fn rule(&self) -> Rule;
    /// The value when the key is absent, as JSON; none where absence means something of its own.
    fn default(&self) -> Option<String> {
        None
    }
    /// The keys inside.
    fn inside(&self) -> Keys {
        &[]
    }
}

/// A key of any kind, as help, schema and documentation see it.
pub trait Declared: Sync {
    /// The word in the file.
    fn name(&self) -> &'static str;
    /// What it is for.
    fn about(&self) -> &'static str;
    /// What its value may be.
    fn shape(&self) -> &dyn Shape;
}

/// Keys in the order in which people read them.
pub type Keys = &'static [&'static dyn Declared];

impl<S: Shape> Declared for Key<S> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn shape(&self) -> &dyn Shape {
        &self.shape
    }
}

/// A whole number.
pub struct Whole {
    /// When absent.
    pub default: u64,
    /// Smallest.
    pub least: u64,
    /// Largest.
    pub most: u64,
    /// A default that earlier editions wrote into the files they made: it counts as absent.
    pub formerly: Option<u64>,
}

impl Shape for Whole {
    fn rule(&self) -> Rule {
        Rule::Whole(self.least, self.most)
    }

    fn default(&self) -> Option<String> {
        Some(self.default.to_string())
    }
}

/// A text.
pub struct Text {
    /// When absent.
    pub default: Option<&'static str>,
    /// Fewest UTF-16 code units; 1 also means that it is not blank.
    pub least: usize,
    /// Most UTF-16 code units.
    pub most: usize,
}

impl Shape for Text {
    fn rule(&self) -> Rule {
        Rule::Text(self.least, self.most)
    }

    fn default(&self) -> Option<String> {
        self.default.map(|text| format!("\"{text}\""))
    }
}

/// True or false.
pub struct Flag {
    /// When absent.
    pub default: bool,
}

impl Shape for Flag {
    fn rule(&self) -> Rule {
        Rule::Flag
    }

    fn default(&self) -> Option<String> {
        Some(self.default.to_string())
    }
}

/// One of a few words.
pub struct Choice<T: 'static> {
    /// The words and what each means.
    pub words: &'static [(&'static str, T)],
    /// The word that holds when the key is absent.
    pub default: Option<&'static str>,
}

impl<T: Sync> Shape for Choice<T> {
    fn rule(&self) -> Rule {
        Rule::Choice(self.words.iter().map(|(word, _)| *word).collect())
    }

    fn default(&self) -> Option<String> {
        self.default.map(|word| format!("\"{word}\""))
    }
}

/// A list of texts.
pub struct Texts;

impl Shape for Texts {
    fn rule(&self) -> Rule {
        Rule::Texts
    }

    fn default(&self) -> Option<String> {
        Some("[]".into())
    }
}

/// What to run: a text, or an object with these keys.
pub struct Command(pub Keys);

impl Shape for Command {
    fn rule(&self) -> Rule {
        Rule::Command
    }

    fn inside(&self) -> Keys {
        self.0
    }
}

/// An object that may hold these keys and no others.
pub struct Group(pub Keys);

impl Shape for Group {
    fn rule(&self) -> Rule {
        Rule::Object
    }

    fn inside(&self) -> Keys {
        self.0
    }
}

/// An object of agents by id; each may hold these keys and no others.
pub struct Agents(pub Keys);

impl Shape for Agents {
    fn rule(&self) -> Rule {
        Rule::Agents
    }

    fn inside(&self) -> Keys {
        self.0
    }
}
