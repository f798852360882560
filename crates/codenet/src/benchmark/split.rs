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

    /// The split of the one at `at` of `count` in a random order: first the test, then what is validated on. `test` is a share of all,
    /// `valid` one of the rest.
    pub(crate) fn of(at: usize, count: usize, test: f64, valid: f64) -> Self {
        let test = (count as f64 * test).round() as usize;
        let valid = ((count - test) as f64 * valid).round() as usize;
        if at < test {
            Self::Test
        } else if at < test + valid {
            Self::Valid
        } else {
            Self::Train
        }
    }
}

/// What goes into one split as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SplitBy {
    /// The solutions of each problem are divided: to tell problems apart. A problem with few is not in all splits.
    Sample,
    /// Problems of the test were never seen: to find what is alike.
    Problem,
}
