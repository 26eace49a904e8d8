//! `groupx demo-agent`: the process at the other end of the demo driver.
//!
//! It owns one conversation in the demo agent language (version 1, `examples/demo-driver`): reads
//! requests from stdin, answers on stdout word by word, and drops everything on `cancel`. What it
//! answers is in `reply`. It knows nothing of GroupX but the packet's last heading.

mod reply;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;

use super::exit::Exit;

/// What the driver writes. Everything else is skipped (rule 5 of the language).
#[derive(Debug, PartialEq, Eq)]
enum Heard {
    Prompt(String),
    Cancel,
    Bye,
}

/// Whether the conversation goes on.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    Listen,
    End,
}

/// Talks on stdin and stdout until there is no more to talk about.
pub(super) fn run() -> Exit {
    let (tell, heard) = mpsc::sync_channel(16);
    thread::spawn(move || listen(io::stdin().lock(), &tell));
    match converse(&heard, &mut io::stdout().lock()) {
        Ok(()) => Exit::Done,
        // Nobody reads any more: the room has gone.
        Err(_) => Exit::Failed,
    }
}

fn listen(lines: impl BufRead, tell: &SyncSender<Heard>) {
    let heard = lines
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| parse(&line));
    for heard in heard {
        if tell.send(heard).is_err() {
            return;
        }
    }
}

fn parse(line: &str) -> Option<Heard> {
    match line.strip_suffix('\r').unwrap_or(line) {
        "cancel" => Some(Heard::Cancel),
        "bye" => Some(Heard::Bye),
        line => serde_json::from_str(line.strip_prefix("prompt ")?)
            .ok()
            .map(Heard::Prompt),
    }
}

fn converse(heard: &Receiver<Heard>, out: &mut impl Write) -> io::Result<()> {
    write_line(out, "hello 1 Demo agent")?;
    let mut is_first = true;
    loop {
        match heard.recv() {
            Ok(Heard::Prompt(prompt)) => {
                if answer(&prompt, is_first, heard, out)? == Next::End {
                    return Ok(());
                }
                is_first = false;
            }
            Ok(Heard::Cancel) => {}
            Ok(Heard::Bye) | Err(_) => return Ok(()),
        }
    }
}

fn answer(
    prompt: &str,
    is_first: bool,
    heard: &Receiver<Heard>,
    out: &mut impl Write,
) -> io::Result<Next> {
    for step in reply::to(prompt, is_first) {
        match heard.recv_timeout(step.pause) {
            // A second prompt breaks the language's rules, and is skipped like any such line.
            Err(RecvTimeoutError::Timeout) | Ok(Heard::Prompt(_)) => {}
            Ok(Heard::Cancel) => {
                write_line(out, "stopped")?;
                return Ok(Next::Listen);
            }
            Ok(Heard::Bye) | Err(RecvTimeoutError::Disconnected) => return Ok(Next::End),
        }
        write_line(out, &step.line.to_string())?;
    }
    Ok(Next::Listen)
}

fn write_line(out: &mut impl Write, line: &str) -> io::Result<()> {
    writeln!(out, "{line}")?;
    out.flush()
}

#[cfg(test)]
mod tests;
