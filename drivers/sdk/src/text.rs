//! Cutting text to a size, never inside a character.

use std::borrow::Cow;

/// The longest beginning of `text` that has at most `bytes` bytes.
pub fn head(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes.min(text.len()))]
}

/// The longest end of `text` that has at most `bytes` bytes.
pub fn tail(text: &str, bytes: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(bytes))..]
}

/// `text` cut to about `bytes` bytes, with a visible mark where something is missing at the end.
pub fn clip(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!(
        "{}…",
        head(text, bytes.saturating_sub('…'.len_utf8()))
    ))
}

/// `text` with its middle left out when it is longer than `bytes`: of a command's output both ends matter.
pub fn clip_middle(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return Cow::Borrowed(text);
    }
    let (start, end) = (head(text, bytes / 2), tail(text, bytes / 2));
    let missing = text.len() - start.len() - end.len();
    Cow::Owned(format!("{start}\n… {missing} bytes left out …\n{end}"))
}

/// `text` as one line for people: terminal colours and other control characters gone, runs of white
/// space a single blank, at most about `bytes` bytes.
pub fn one_line(text: &str, bytes: usize) -> String {
    let mut line = String::with_capacity(text.len().min(bytes));
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            // A colour sequence: ESC [ parameters letter.
            if chars.next_if_eq(&'[').is_some() {
                chars.by_ref().find(|c| c.is_ascii_alphabetic());
            }
        } else if c.is_whitespace() {
            if !line.is_empty() && !line.ends_with(' ') {
                line.push(' ');
            }
        } else if !c.is_control() {
            line.push(c);
        }
        if line.len() > bytes {
            break;
        }
    }
    clip(line.trim_end(), bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cut_splits_a_character() {
        let text = "台北🙂ab";
        for bytes in 0..=text.len() + 1 {
            assert!(text.starts_with(head(text, bytes)));
            assert!(text.ends_with(tail(text, bytes)));
            assert!(head(text, bytes).len() <= bytes);
            assert!(tail(text, bytes).len() <= bytes);
        }
    }

    #[test]
    fn a_clip_shows_that_something_is_missing() {
        assert_eq!(clip("short", 5), "short");
        assert_eq!(clip("longer text", 9), "longer…");
        assert_eq!(clip_middle("0123456789", 4), "01\n… 6 bytes left out …\n89");
    }

    #[test]
    fn one_line_has_no_colours_and_no_breaks() {
        assert_eq!(
            one_line("\u{1b}[31mERROR\u{1b}[0m \n not  found\u{7}", 80),
            "ERROR not found"
        );
        assert_eq!(one_line("abcdefgh", 6), "abc…");
    }
}
