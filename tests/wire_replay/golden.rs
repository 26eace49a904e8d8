//! Expected events: read, compared, and written anew on request.

use std::env;
use std::fs;
use std::path::Path;

/// Between a recording's name and its last ending.
pub(crate) const ENDING: &str = ".events";

/// Events shown around the first difference.
const AROUND: usize = 3;

/// Compares with the file, or writes it when `GROUPX_BLESS` is set.
///
/// # Errors
/// What differs first, for a person.
pub(crate) fn compare(file: &Path, events: &[String]) -> Result<(), String> {
    if env::var_os("GROUPX_BLESS").is_some() {
        let text: String = events.iter().map(|event| format!("{event}\n")).collect();
        return fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()));
    }
    let expected = fs::read_to_string(file)
        .map_err(|error| format!("{}: {error}; GROUPX_BLESS=1 writes it", file.display()))?;
    let expected: Vec<&str> = expected.lines().collect();
    match (0..expected.len().max(events.len()))
        .find(|&index| expected.get(index).copied() != events.get(index).map(String::as_str))
    {
        None => Ok(()),
        Some(index) => Err(difference(file, &expected, events, index)),
    }
}

fn difference(file: &Path, expected: &[&str], events: &[String], index: usize) -> String {
    let mut text = format!("event {} differs from {}\n", index + 1, file.display());
    for before in expected
        .iter()
        .take(index)
        .skip(index.saturating_sub(AROUND))
    {
        text += &format!("         {before}\n");
    }
    let end = "(no more events)";
    text += &format!("expected {}\n", expected.get(index).unwrap_or(&end));
    text += &format!("     got {}", events.get(index).map_or(end, String::as_str));
    text
}
