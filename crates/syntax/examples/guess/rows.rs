//! The rows of `benches/guess_rows.py`, and pieces of them.

use std::io::{self, BufRead};

use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Row {
    pub(crate) lang: String,
    pub(crate) code: String,
    pub(crate) problem: String,
    #[allow(dead_code)]
    pub(crate) source: String,
    learn: bool,
}

impl Row {
    /// Whether weights are learnt from the row; the others measure.
    pub(crate) fn is_learnt(&self) -> bool {
        self.learn && hash(&self.problem).is_multiple_of(2)
    }
}

pub(crate) fn read() -> impl Iterator<Item = Row> {
    let row = |line: io::Result<String>| {
        serde_json::from_str(&line.expect("standard input can be read")).expect("a row of guess_rows.py")
    };
    io::stdin().lock().lines().map(row)
}

/// `most` lines that are not blank, from one on that `chance` picks.
pub(crate) fn cut(code: &str, most: usize, chance: u64) -> String {
    let lines: Vec<&str> = code.lines().filter(|line| !line.trim().is_empty()).collect();
    let starts = lines.len().saturating_sub(most) as u64 + 1;
    let first = (chance % starts) as usize;
    lines[first..].iter().take(most).flat_map(|line| [*line, "\n"]).collect()
}

/// The same wherever this runs.
pub(crate) fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| Random(hash ^ u64::from(byte)).next();
    text.bytes().fold(1, step)
}

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    #[allow(dead_code)]
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }
}
