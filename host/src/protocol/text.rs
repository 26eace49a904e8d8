//! Lengths and cuts of text, counted as the first GroupX counted them.

/// Length in UTF-16 code units: the unit of every limit in the contract.
pub fn utf16_len(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().map(char::len_utf16).sum()
    }
}

/// The longest beginning of `text` with at most `most` UTF-16 code units, cut between characters.
pub fn clip_utf16(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let mut units = 0;
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > most {
            return &text[..at];
        }
    }
    text
}

/// The longest beginning of `text` with at most `most` bytes, cut between characters.
pub fn clip_bytes(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let end = (0..=most)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_count_utf16_units_and_cuts_keep_characters_whole() {
        assert_eq!(utf16_len("a台😀"), 4);
        assert_eq!(clip_utf16("a台😀", 3), "a台");
        assert_eq!(clip_bytes("a台😀", 3), "a");
        assert_eq!(clip_bytes("ab", 3), "ab");
    }
}
