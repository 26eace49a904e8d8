//! Which recordings the command line asks for, in the words of Rust's own test programs: so that
//! `cargo test NAME` filters and nextest can list the recordings and run each by itself.

/// What was asked for.
#[derive(Default)]
pub(crate) struct Wanted {
    /// Only say which there are.
    pub(crate) list: bool,
    ignored: bool,
    exact: bool,
    names: Vec<String>,
}

impl Wanted {
    pub(crate) fn from_arguments(arguments: impl Iterator<Item = String>) -> Self {
        let mut wanted = Wanted::default();
        let mut is_value = false;
        for argument in arguments {
            match argument.as_str() {
                _ if is_value => is_value = false,
                "--list" => wanted.list = true,
                "--ignored" => wanted.ignored = true,
                "--exact" => wanted.exact = true,
                "--format" | "--color" | "--test-threads" | "--skip" | "-Z" => is_value = true,
                option if option.starts_with('-') => {}
                _ => wanted.names.push(argument),
            }
        }
        wanted
    }

    /// Whether the recording of that name is asked for. None is ever ignored.
    pub(crate) fn has(&self, name: &str) -> bool {
        let matches = |wanted: &String| match self.exact {
            true => name == wanted,
            false => name.contains(wanted.as_str()),
        };
        !self.ignored && (self.names.is_empty() || self.names.iter().any(matches))
    }
}
