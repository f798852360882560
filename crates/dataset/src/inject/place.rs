//! A side of a pair, and where it stands.

use serde::{Deserialize, Serialize};

use crate::pair::Band;
use crate::split::Split;

/// A row of the manifest: one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The name of the pair.
    pub id: String,
    /// 1 is the seed, and 2 the implementation; of a control, both are the seed.
    pub side: u8,
    pub kind: Kind,
    pub lang: String,
    pub prompt: String,
    pub split: Split,
    /// Below the folder of the system, with `/` between its parts.
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
}

/// What a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Both sides are equal.
    Control,
    False,
    Type3,
    Type4,
    CrossLanguage,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::False => "false",
            Self::Type3 => "type3",
            Self::Type4 => "type4",
            Self::CrossLanguage => "cross-language",
        }
    }

    pub fn of(band: Band) -> Self {
        match band {
            Band::False => Self::False,
            Band::Type3 => Self::Type3,
            Band::Type4 => Self::Type4,
            Band::CrossLanguage => Self::CrossLanguage,
        }
    }
}

/// Both sides of something that is put in.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) prompt: String,
    pub(crate) split: Split,
    pub(crate) langs: [String; 2],
    pub(crate) codes: [String; 2],
}
