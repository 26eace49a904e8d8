//! `groupx start --demo`: a room that needs nothing and leaves nothing.
//!
//! It lives in a folder of its own under the system's temporary folder: nobody loses a real room's
//! port or file to a look around, every demo begins empty, and two can run side by side. The
//! folder holds an ordinary `groupx.json`, so `groupx stop --config` works, and goes with the room.

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::life;
use crate::cli::exit::Exit;
use crate::cli::language::Sentence;
use crate::cli::voice::Voice;
use crate::config::{Config, DEFAULT_FILE, private};

/// The folder; it is removed when this is dropped.
struct DemoFolder(PathBuf);

impl DemoFolder {
    fn make() -> io::Result<Self> {
        let name = getrandom::u64().map_err(io::Error::other)?;
        let path = std::env::temp_dir().join(format!("groupx-demo-{name:016x}"));
        // Not recursive: a folder that somebody else has put there is not ours.
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }
}

impl Drop for DemoFolder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::info!(%error, folder = %self.0.display(), "the demo room stays behind");
        }
    }
}

/// Opens a demo room and stays until it has ended.
pub(super) fn run(show_page: bool, voice: Voice) -> Exit {
    let (folder, config) = match prepare() {
        Ok(prepared) => prepared,
        Err(error) => {
            voice.complain(&Sentence::NoDemoRoom {
                reason: &format!("{error:#}"),
            });
            return Exit::Failed;
        }
    };
    voice.say(&Sentence::DemoRoom { folder: &folder.0 });
    life::run(config, show_page, voice)
}

fn prepare() -> anyhow::Result<(DemoFolder, Config)> {
    let folder = DemoFolder::make().context("no folder of its own could be made")?;
    let program = std::env::current_exe().context("this program's own file is not known")?;
    let port = free_port().context("no port is free")?;
    let config = write(&folder.0, &program, port)?;
    Ok((folder, config))
}

fn write(folder: &Path, program: &Path, port: u16) -> anyhow::Result<Config> {
    let path = folder.join(DEFAULT_FILE);
    private::file(&path)?.write_all(Config::demo_text(program, port).as_bytes())?;
    Ok(Config::load(&path)?)
}

/// A port that was free a moment ago. The system hands them out in turn, so that nobody else gets
/// this one in between.
fn free_port() -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demo_room_is_private_and_leaves_nothing() {
        let (folder, config) = prepare().unwrap();
        let path = folder.0.clone();
        let mode = std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions());
        assert_eq!(mode & 0o777, 0o700);
        assert_eq!(config.folder(), path.canonicalize().unwrap());
        assert_eq!(config.enabled_agents().count(), 2);
        drop(folder);
        assert!(!path.exists());
    }
}
