//! How a path in the file becomes an absolute one.

use std::path::{Component, Path, PathBuf};

/// `text` from the folder of the file; `~/` starts at the home folder, if that is known.
///
/// `.` and `..` are resolved in the text alone, without a look at links: native sessions are found
/// again by their folder's name, and it must be the same name at every start.
pub(super) fn absolute(text: &str, folder: &Path, home: Option<&Path>) -> PathBuf {
    let path = match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => folder.join(text),
    };
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            // `pop` leaves the root alone, as `..` does.
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
