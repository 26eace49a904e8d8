mod files;
mod mistakes;

use std::path::Path;

use super::{Config, ConfigError};

/// Parses a text as the file `/room/groupx.json` of a user whose home is `/home/ada`.
fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(
        text,
        "/room/groupx.json".into(),
        Some(Path::new("/home/ada")),
    )
}
