//! Recordings that were damaged by dice: whatever a CLI prints, a driver neither fails nor breaks its
//! word. A turn may stay open, since its end may be what was lost.

use std::fs;

use groupx::driver::Driver;
use groupx::driver::replay::{Capture, Wrong, replay};
use serde_json::{Value, json};

use crate::Case;

/// Damaged copies of each recording.
const COPIES: u64 = 6;

/// One line in so many is damaged.
const EVERY: u64 = 8;

/// Replays damaged copies of the recording.
///
/// # Errors
/// What went wrong, with the number that makes the same damage again.
pub(crate) fn survives(driver: &Driver, case: &Case) -> Result<(), String> {
    let text = fs::read_to_string(&case.file).map_err(|error| error.to_string())?;
    for seed in 1..=COPIES {
        let told = |reason: String| format!("damaged copy {seed}: {reason}");
        let damaged = damaged(&text, &mut Dice(seed));
        let capture = Capture::parse(&case.name, &damaged).map_err(|e| told(e.to_string()))?;
        let Ok(outcome) = replay(driver, &capture) else {
            continue;
        };
        if let Some(wrong) = outcome
            .failures
            .iter()
            .find(|wrong| !matches!(wrong, Wrong::NoTerminal { .. }))
        {
            return Err(told(wrong.to_string()));
        }
    }
    Ok(())
}

fn damaged(text: &str, dice: &mut Dice) -> String {
    let mut rows: Vec<String> = Vec::new();
    for row in text.lines() {
        if !row.contains(r#""out""#) || dice.below(EVERY) != 0 {
            rows.push(row.to_owned());
            continue;
        }
        match dice.below(4) {
            0 => {}
            1 => rows.extend([row.to_owned(), row.to_owned()]),
            2 => rows.insert(rows.len().saturating_sub(1), row.to_owned()),
            _ => rows.push(cut(row, dice)),
        }
    }
    rows.join("\n")
}

/// The row with its line cut off somewhere.
fn cut(row: &str, dice: &mut Dice) -> String {
    let line = serde_json::from_str::<Value>(row).map(|row| row["line"].to_string());
    let line = line.unwrap_or_default();
    let end = line.floor_char_boundary(dice.below(line.len() as u64 + 1) as usize);
    json!({ "dir": "out", "raw": &line[..end] }).to_string()
}

/// Reproducible numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}
