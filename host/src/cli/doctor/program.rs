//! Asks a program for its version, within bounds: it may hang, talk for ever or start others.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::config::command::ResolvedCommand;
use crate::protocol::text::clip_utf16;

/// How long a program may think about its version.
const PATIENCE: Duration = Duration::from_secs(6);
/// Most bytes that are read of what it says.
const BYTES: u64 = 16 << 10;
/// Most characters of a version.
const CHARACTERS: usize = 100;

/// Why there is no version.
#[derive(Debug)]
pub(super) enum NoVersion {
    /// It could not be started.
    NotStarted(io::Error),
    /// It did not answer in time.
    TooSlow,
    /// It said nothing.
    Silent,
}

/// The first line that the program says of itself.
pub(super) fn version(command: &ResolvedCommand, args: &[String]) -> Result<String, NoVersion> {
    within(PATIENCE, command, args)
}

fn within(
    patience: Duration,
    command: &ResolvedCommand,
    args: &[String],
) -> Result<String, NoVersion> {
    let mut child = Command::new(&command.executable)
        .args(&command.prefix_args)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own, so that what it starts can be ended with it.
        .process_group(0)
        .spawn()
        .map_err(NoVersion::NotStarted)?;
    let (tell, said) = mpsc::channel();
    let out = child.stdout.take().map(|pipe| read(pipe, tell.clone()));
    let err = child.stderr.take().map(|pipe| read(pipe, tell.clone()));
    drop((tell, out, err));

    let until = Instant::now() + patience;
    let mut last = None;
    let found = loop {
        match said.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(text) => match first_line(&text) {
                Some(line) => break Ok(line),
                None => last = Some(NoVersion::Silent),
            },
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                break Err(last.unwrap_or(NoVersion::Silent));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => break Err(NoVersion::TooSlow),
        }
    };
    end(&mut child);
    found
}

/// Hands over all that comes out of a pipe, once it has ended.
fn read(pipe: impl Read + Send + 'static, tell: mpsc::Sender<String>) {
    thread::spawn(move || {
        let mut bytes = vec![];
        // What was read before an error is as good as before the end.
        let _ = pipe.take(BYTES).read_to_end(&mut bytes);
        let _ = tell.send(String::from_utf8_lossy(&bytes).into_owned());
    });
}

fn first_line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let plain: String = line.chars().filter(|c| !c.is_control()).collect();
    Some(clip_utf16(&plain, CHARACTERS).to_owned())
}

fn end(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        // It has not been waited for, so the number is still its own; most have ended by now.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, patience: Duration) -> Result<String, NoVersion> {
        let command = ResolvedCommand {
            executable: "/bin/sh".into(),
            prefix_args: vec![],
        };
        within(patience, &command, &["-c".into(), script.into()])
    }

    const LONG: Duration = Duration::from_secs(30);

    #[test]
    fn the_first_line_is_the_version_wherever_it_is_written() {
        assert_eq!(
            shell("echo; echo 'x 1.2'; echo more", LONG).unwrap(),
            "x 1.2"
        );
        assert_eq!(shell("echo 'y 3' >&2", LONG).unwrap(), "y 3");
        assert_eq!(shell(r"printf '\033[1mz 4\n'", LONG).unwrap(), "[1mz 4");
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_what_it_started() {
        let began = Instant::now();
        let result = shell("sleep 60 & sleep 60", Duration::from_millis(50));
        assert!(matches!(result, Err(NoVersion::TooSlow)), "{result:?}");
        assert!(began.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_program_that_is_silent_or_endless_is_bounded() {
        assert!(matches!(shell("true", LONG), Err(NoVersion::Silent)));
        assert_eq!(shell("yes", LONG).unwrap(), "y");
        let command = ResolvedCommand {
            executable: "/nowhere".into(),
            prefix_args: vec![],
        };
        assert!(matches!(
            within(LONG, &command, &[]),
            Err(NoVersion::NotStarted(_))
        ));
    }
}
