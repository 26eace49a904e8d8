//! Every key that `groupx.json` may hold, declared once: what it means, what it may be, and what
//! it is when absent. The reader checks against these; help, schema and documentation list them.
//! The numbers of `limits` and `timeouts` stand in `numbers`, each beside its field.

use super::choice::{Durability, Language};
use super::key::{Agents, Choice, Command, Flag, Group, Key, Text, Texts, Whole};
pub(super) use super::numbers::{LIMITS, TIMEOUTS};

/// Longest path or command that is taken, in UTF-16 code units; more is no path anywhere.
const PATH: usize = 4_096;
/// Longest identity and longest addition to the assistant's instructions.
const IDENTITY: usize = 32_768;
/// Longest name for people.
const NAME: usize = 64;

macro_rules! key {
    ($visible:vis $static:ident: $kind:ty = $name:literal, $about:literal, $shape:expr) => {
        $visible static $static: Key<$kind> = Key { name: $name, about: $about, shape: $shape };
    };
}

const REQUIRED_PATH: Text = Text {
    default: None,
    least: 1,
    most: PATH,
};

/// All of the file.
pub static ROOT: Group = Group(&[
    &SCHEMA, &TRANSPORT, &SERVER, &STORAGE, &AGENTS, &ASSISTANT, &LIMITS, &TIMEOUTS, &DRIVERS, &UI,
]);

key!(pub(super) SCHEMA: Text = "$schema",
    "Where editors find the schema of this file.",
    Text { default: None, least: 0, most: PATH });
key!(pub(super) TRANSPORT: Choice<()> = "transport",
    "How agents are spoken to; there is only one way.",
    Choice { words: &[("structured", ())], default: Some("structured") });

key!(pub(super) SERVER: Group = "server", "Where the room is served.", Group(&[&HOST, &PORT]));
key!(pub(super) PORT: Whole = "port",
    "The port; one room at a time has it.",
    Whole { default: 4_310, least: 1, most: 65_535, formerly: None });
key!(pub(super) HOST: Choice<()> = "host",
    "The address; the room is never offered to a network.",
    Choice { words: &[("127.0.0.1", ())], default: Some("127.0.0.1") });

key!(pub(super) STORAGE: Group = "storage",
    "Where and how safely events are kept.",
    Group(&[&STORAGE_PATH, &DURABILITY]));
key!(pub(super) STORAGE_PATH: Text = "path",
    "The database file.",
    Text { default: Some(".groupx/groupx.db"), least: 1, most: PATH });
key!(pub(super) DURABILITY: Choice<Durability> = "durability",
"Whether an accepted message survives a power cut (full) or the end of the process (normal).",
Choice {
    words: &[("full", Durability::Full), ("normal", Durability::Normal)],
    default: Some("full"),
});

key!(pub(super) AGENTS: Agents = "agents",
    "The agents of the room by id, in their order; codex, grok and kimi when absent.",
    Agents(&[&DRIVER, &AGENT_NAME, &AGENT_IDENTITY, &COMMAND, &CWD, &ENABLED]));
key!(pub(super) DRIVER: Text = "driver",
    "The driver that speaks the CLI's language; the agent's id where that is a driver's.",
    Text { default: None, least: 1, most: 32 });
key!(pub(super) AGENT_NAME: Text = "name",
    "The agent's name for people.",
    Text { default: None, least: 1, most: NAME });
key!(pub(super) AGENT_IDENTITY: Text = "identity",
    "What the agent is told about itself with every Turn.",
    Text { default: None, least: 0, most: IDENTITY });
key!(pub(super) COMMAND: Command = "command",
    "What to run: a name for PATH, or a path.",
    Command(&[&EXECUTABLE, &PREFIX_ARGS]));
key!(pub(super) EXECUTABLE: Text = "executable", "The name or path.", REQUIRED_PATH);
key!(pub(super) PREFIX_ARGS: Texts = "prefixArgs", "For node: its one script.", Texts);
key!(pub(super) CWD: Text = "cwd", "The folder to work in.", REQUIRED_PATH);
key!(pub(super) ENABLED: Flag = "enabled",
    "Whether the agent takes part.",
    Flag { default: true });

key!(pub(super) ASSISTANT: Group = "assistant",
    "The side conversation about the room.",
    Group(&[&ASSISTANT_ENABLED, &ASSISTANT_NAME, &BRAIN, &EXTRA_INSTRUCTIONS]));
key!(pub(super) ASSISTANT_ENABLED: Flag = "enabled",
    "Whether it is there.",
    Flag { default: false });
key!(pub(super) ASSISTANT_NAME: Text = "name",
    "Its name for people.",
    Text { default: Some("助理"), least: 1, most: NAME });
key!(pub(super) BRAIN: Group = "brain", "The CLI behind it.", Group(&[&BRAIN_DRIVER, &COMMAND, &CWD]));
key!(pub(super) BRAIN_DRIVER: Text = "driver",
    "The driver that speaks the CLI's language.",
    Text { default: None, least: 1, most: 32 });
key!(pub(super) EXTRA_INSTRUCTIONS: Text = "extraInstructions",
    "What it is told in addition.",
    Text { default: None, least: 0, most: IDENTITY });

key!(pub(super) DRIVERS: Group = "drivers", "Further drivers.", Group(&[&DRIVERS_DIR]));
key!(pub(super) DRIVERS_DIR: Text = "dir", "A folder with drivers, as .wasm files.", REQUIRED_PATH);

key!(pub(super) UI: Group = "ui", "How GroupX speaks to people.", Group(&[&LANGUAGE]));
key!(pub(super) LANGUAGE: Choice<Language> = "language",
    "The language of the command line and the page; the locale decides when absent.",
    Choice { words: &[("en", Language::English), ("zh", Language::Chinese)], default: None });
