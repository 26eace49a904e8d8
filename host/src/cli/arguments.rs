//! What can be typed. The words of the help come from the catalogue.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::exit::Exit;
use super::language::{Help, Sentence};
use crate::config::{DEFAULT_FILE, Language};

#[derive(Debug, Parser)]
#[command(
    name = "groupx",
    disable_help_subcommand = true,
    disable_version_flag = true
)]
struct Line {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[arg(short = 'v', long)]
    version: bool,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum Verb {
    Start(StartOptions),
    Stop(ConfigOptions),
    Doctor(DoctorOptions),
    Version,
    Help,
    #[command(hide = true)]
    DemoAgent,
}

/// Which configuration.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(super) struct ConfigOptions {
    /// The file; relative to where the command runs.
    #[arg(long, value_name = "FILE", default_value = DEFAULT_FILE, hide_default_value = true)]
    pub(super) config: PathBuf,
}

/// How to start.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(super) struct StartOptions {
    #[command(flatten)]
    pub(super) file: ConfigOptions,
    #[arg(long)]
    pub(super) no_open: bool,
    #[arg(long, conflicts_with = "config")]
    pub(super) demo: bool,
}

/// How to look.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(super) struct DoctorOptions {
    #[command(flatten)]
    pub(super) file: ConfigOptions,
    #[arg(long)]
    pub(super) json: bool,
}

/// Instead of a verb: something to print at once.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Instead {
    /// Help that was asked for.
    Help(String),
    /// What was not understood, and what to type.
    Mistake(String),
}

impl Instead {
    /// Prints it where it belongs.
    pub(super) fn print(&self) -> Exit {
        match self {
            Self::Help(text) => {
                let _ = write!(std::io::stdout().lock(), "{text}");
                Exit::Done
            }
            Self::Mistake(text) => {
                let _ = writeln!(std::io::stderr().lock(), "{text}");
                Exit::Failed
            }
        }
    }
}

/// Understands a command line. No verb means `start`.
pub(super) fn parse(
    line: impl IntoIterator<Item = OsString>,
    language: Language,
) -> Result<Verb, Instead> {
    let mut command = command(language);
    let refused = |error: clap::Error| instead(&error, language);
    let matches = command.try_get_matches_from_mut(line).map_err(refused)?;
    let line = Line::from_arg_matches(&matches).map_err(refused)?;
    Ok(match line {
        Line { version: true, .. } => Verb::Version,
        Line {
            verb: Some(verb), ..
        } => verb,
        Line { verb: None, .. } => Verb::Start(StartOptions {
            file: ConfigOptions {
                config: DEFAULT_FILE.into(),
            },
            no_open: false,
            demo: false,
        }),
    })
}

/// Prints the help of the whole program.
pub(super) fn print_help(language: Language) {
    let help = command(language).render_help();
    let _ = write!(std::io::stdout().lock(), "{help}");
}

/// Prints the version.
pub(super) fn print_version() {
    let _ = writeln!(
        std::io::stdout().lock(),
        "groupx {}",
        env!("CARGO_PKG_VERSION")
    );
}

fn command(language: Language) -> Command {
    let words = Help::of(language);
    let described = |command: Command| {
        let name = command.get_name().to_owned();
        describe(command, words.verb(&name), words)
    };
    let command = describe(Line::command(), words.about, words)
        .subcommand_help_heading(words.commands)
        .subcommand_value_name(words.command)
        .after_help(words.exit_codes);
    let names: Vec<_> = command
        .get_subcommands()
        .map(|verb| verb.get_name().to_owned())
        .collect();
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, described)
    })
}

/// Gives a command its texts; clap's own are English.
fn describe(command: Command, about: &'static str, words: &'static Help) -> Command {
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help);
    command
        .about(about)
        .help_template(words.template)
        .disable_help_flag(true)
        .arg(help)
        .mut_args(|arg| {
            let text = words.flag(arg.get_id().as_str());
            arg.help(text).help_heading(words.options)
        })
}

fn instead(error: &clap::Error, language: Language) -> Instead {
    let text = match (error.kind(), language) {
        (ErrorKind::DisplayHelp, _) => return Instead::Help(error.to_string()),
        (_, Language::English) => error.to_string().trim_end().to_owned(),
        (_, Language::Chinese) => chinese(error),
    };
    if error.kind() == ErrorKind::InvalidSubcommand {
        return Instead::Mistake(format!("{text}\n\n{}", command(language).render_help()));
    }
    Instead::Mistake(text)
}

/// clap explains itself in English only; its facts are enough for a sentence.
fn chinese(error: &clap::Error) -> String {
    let fact = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        Some(ContextValue::Strings(texts)) => texts.first().map(String::as_str),
        _ => None,
    };
    let word = fact(ContextKind::InvalidArg).or_else(|| fact(ContextKind::InvalidSubcommand));
    let meant = fact(ContextKind::SuggestedArg).or_else(|| fact(ContextKind::SuggestedSubcommand));
    let word = word.unwrap_or_default();
    let sentence = match error.kind() {
        ErrorKind::ArgumentConflict => Sentence::NotTogether { word },
        ErrorKind::InvalidValue => Sentence::ValueNeeded { word },
        _ => Sentence::NotUnderstood { word, meant },
    };
    sentence.in_language(Language::Chinese)
}

#[cfg(test)]
mod tests;
