//! The engines that are asked about cases, and how exact the answer of each must be.

use serde::Deserialize;

/// What answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The search in trees: it reports whole functions.
    Clones,
    /// Looking the right side up in a corpus that holds the left one: it reports the lines that
    /// correspond.
    Find,
    /// The same over HTTP.
    Service,
}

impl Engine {
    pub const ALL: [Self; 3] = [Self::Clones, Self::Find, Self::Service];

    /// How many lines around the expected ones an engine may report. `find` reports as much as is
    /// equal. That may begin with the line of the class around a method, or with the closing lines
    /// of the function before and a blank line.
    pub(crate) fn slack(self) -> u32 {
        match self {
            Self::Clones => 0,
            Self::Find | Self::Service => 3,
        }
    }

    /// Whether this is the right type. Of an edited function `find` reports what corresponds, which
    /// may be equal by itself.
    pub(crate) fn is_right_type(self, said: u8, expected: u8) -> bool {
        said == expected || expected == 3 && said < 3 && self != Self::Clones
    }
}
