//! The parts of a benchmark.

use serde::{Deserialize, Serialize};

/// A part of a benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    Train,
    Valid,
    Test,
}

impl Split {
    pub const ALL: [Self; 3] = [Self::Train, Self::Valid, Self::Test];

    /// The file of its rows.
    pub fn file(self) -> &'static str {
        match self {
            Self::Train => "train.jsonl",
            Self::Valid => "valid.jsonl",
            Self::Test => "test.jsonl",
        }
    }
}

/// What goes into one split as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SplitBy {
    /// All problems are in all splits: to tell them apart.
    Sample,
    /// Problems of the test were never seen: to find what is alike.
    Problem,
}
