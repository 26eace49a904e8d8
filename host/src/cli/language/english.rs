//! English.

use super::Sentence;

pub(super) fn say(sentence: &Sentence<'_>) -> String {
    match *sentence {
        Sentence::NotUnderstood {
            word,
            meant: Some(meant),
        } => {
            format!("`{word}` is not known. Did you mean `{meant}`?")
        }
        Sentence::NotUnderstood { word, meant: None } => {
            format!("`{word}` is not known. `groupx --help` lists what is.")
        }
        Sentence::NotTogether { word } => format!("{word} cannot be used with the other flags."),
        Sentence::ValueNeeded { word } => format!("{word} needs a value."),
        Sentence::NoConfiguration { path, example } => format!(
            "There is no {}.\n\
             To look around without any agent installed: groupx start --demo\n\
             For a room of your own, put this there and start again:\n\n{example}",
            path.display()
        ),
        Sentence::BadConfiguration(error) => error.to_string(),
        Sentence::Listening { origin } => {
            format!("GroupX listening on {origin} (transport=structured, access=unrestricted)")
        }
        Sentence::AlreadyRunning { origin } => format!("This room is already running: {origin}"),
        Sentence::RunsAsItWas { port } => format!(
            "Port {port} has this room as it was before its configuration changed, or in another \
             version of GroupX. Run `groupx stop`, then start again."
        ),
        Sentence::OtherRoom { port } => format!(
            "Port {port} has another GroupX room. Stop that one, or choose another `server.port`."
        ),
        Sentence::OtherProgram { port } => format!(
            "Port {port} is used by another program. End that one, or choose another \
             `server.port`."
        ),
        Sentence::StillEnding { port } => {
            format!("The room on port {port} is still ending. Start again when it is gone.")
        }
        Sentence::NotStarted { reason } => format!("The room could not be opened. {reason}"),
        Sentence::DemoRoom { folder } => format!(
            "A demo room in {}; it is gone when you end it.",
            folder.display()
        ),
        Sentence::NoDemoRoom { reason } => {
            format!("There is no place for a demo room: {reason}. TMPDIR may name one.")
        }
        Sentence::DriverCompiling { driver } => format!("  preparing the driver {driver} …"),
        Sentence::AgentStarting { agent } => format!("  {agent} is starting …"),
        Sentence::AgentReady {
            agent,
            resumed: false,
        } => format!("  {agent} is ready"),
        Sentence::AgentReady {
            agent,
            resumed: true,
        } => {
            format!("  {agent} is ready and goes on where it was")
        }
        Sentence::AgentFailed { agent, message } => {
            format!("  {agent} could not be started: {message}")
        }
        Sentence::Ready => "The room is open. Ctrl-C ends it.".into(),
        Sentence::Closing => "Ending the room; Ctrl-C again ends it at once.".into(),
        Sentence::NotRunning { port } => {
            format!("No room is running on port {port}. `groupx start` opens it.")
        }
        Sentence::Stopping => "Ending the room …".into(),
        Sentence::Stopped => "The room has ended.".into(),
        Sentence::NotOurs { port } => {
            format!("Port {port} has a room of another configuration. Name its file with --config.")
        }
        Sentence::StopRefused { status } => format!(
            "The room did not take the request to end (HTTP {status}). End its process instead."
        ),
        Sentence::StopTooSlow { seconds } => {
            format!("The room has not ended within {seconds} s. Try again, or end its process.")
        }
        Sentence::Command(problem) => problem.to_string(),
        Sentence::Doctor { version, system } => format!("GroupX {version} on {system}"),
        Sentence::FoundConfiguration { path } => format!("Configuration: {path}"),
        Sentence::FoundDatabase { path, exists: true } => format!("Database: {path}"),
        Sentence::FoundDatabase {
            path,
            exists: false,
        } => {
            format!("Database: {path} (made at the first start)")
        }
        Sentence::FileNotWritable { path } => format!(
            "{} cannot be read and written. Correct its permissions, or choose another \
             `storage.path`.",
            path.display()
        ),
        Sentence::FolderNotWritable { path } => format!(
            "Nothing can be written in {}. Correct its permissions, or choose another \
             `storage.path`.",
            path.display()
        ),
        Sentence::RoomRuns { port } => format!("Room: running on http://127.0.0.1:{port}"),
        Sentence::PortIsFree { port } => format!("Room: not running; port {port} is free"),
        Sentence::PortIsTaken { port } => format!(
            "Room: not running; port {port} is used by something else. End that, or choose \
             another `server.port`."
        ),
        Sentence::Drivers => "Drivers:".into(),
        Sentence::Agents => "Agents:".into(),
        Sentence::Row { name, found } => format!("  {name}: {found}"),
        Sentence::DisabledRow { name } => format!("  {name}: disabled"),
        Sentence::Problem { text } => text.into(),
        Sentence::NoFolder { path } => format!(
            "There is no folder {}. Make it, or correct `cwd`.",
            path.display()
        ),
        Sentence::NotInstalled { names, hint } => format!("{names} not found. Install: {hint}"),
        Sentence::VersionTooSlow => {
            "it does not say its version within 6 s. Run it by hand to see why.".into()
        }
        Sentence::DoesNotStart { path, reason } => format!(
            "{} does not start: {reason}. Install it again, or correct `command`.",
            path.display()
        ),
    }
}
