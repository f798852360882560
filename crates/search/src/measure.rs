//! The measures of similarity by their names.

use crate::similar::Similarity;
use crate::{aligned, lines, overlap};

/// How similar two fragments that are not equal are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Statements aligned in order, weighted by what they say (`familiar_search::aligned`).
    #[default]
    Aligned,
    /// SourcererCC's multiset intersection over the larger bag (`familiar_search::overlap`).
    TokenOverlap,
    /// NiCad's unique-line percentage on pretty-printed, blindly renamed lines (`familiar_search::lines`).
    Lines,
}

impl Measure {
    pub const ALL: [Self; 3] = [Self::Aligned, Self::TokenOverlap, Self::Lines];

    pub fn name(self) -> &'static str {
        match self {
            Self::Aligned => "aligned",
            Self::TokenOverlap => "token-overlap",
            Self::Lines => "lines",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.name() == name)
    }

    /// The threshold that is used where the user names none; `docs/quality.md` says how each was chosen.
    pub fn default_similarity(self) -> f64 {
        match self {
            Self::Aligned => aligned::DEFAULT_SIMILARITY,
            Self::TokenOverlap => 0.8,
            Self::Lines => 0.7,
        }
    }

    /// What measures by it.
    pub fn similarity(self) -> &'static dyn Similarity {
        match self {
            Self::Aligned => &aligned::Aligned,
            Self::TokenOverlap => &overlap::TokenOverlap,
            Self::Lines => &lines::Lines,
        }
    }
}
