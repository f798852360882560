//! A seed and an implementation of it.

use serde::{Deserialize, Serialize};

/// A row of `pairs.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The name of the candidate.
    pub id: String,
    pub seed_id: String,
    pub prompt: String,
    pub lang1: String,
    pub lang2: String,
    pub code1: String,
    pub code2: String,
    pub band: Band,
    /// Similarity of lines with names and literals made alike, in [0, 1] (NiCad's unique percentage of items, the smaller side's). Across
    /// languages there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<f64>,
    /// Overlap of tokens, in [0, 1].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<f64>,
    /// The band of BigCloneBench, by the smaller of both similarities with names as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bigclone: Option<BigCloneBand>,
    /// Whether a side has fewer lines than the settings ask for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub short: bool,
    /// How alike both look, in [0, 1]: the lower, the more semantic (the column of Tables III and IV, by features as CloneCognition's).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syntactic: Option<f64>,
    /// How probable it is that both do the same, by our encoder, in [0, 1].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semantic: Option<f64>,
    /// Who else has the implementation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contamination: Option<Contamination>,
}

/// How alike two sides look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Band {
    /// So alike that it is no semantic clone: Type-1 or Type-2.
    False,
    Type3,
    Type4,
    /// Two languages.
    CrossLanguage,
}

/// BigCloneBench's bands of similarity (Svajlenko and Roy 2015).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BigCloneBand {
    T1,
    T2,
    /// At least 0.9.
    Vst3,
    /// At least 0.7.
    St3,
    /// At least 0.5.
    Mt3,
    #[serde(rename = "wt3-t4")]
    Wt3T4,
}

/// An implementation that stands in a corpus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contamination {
    pub project: String,
    pub path: String,
    /// The share of the implementation that stands there.
    pub coverage: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
}

impl Band {
    pub const ALL: [Self; 4] = [Self::False, Self::Type3, Self::Type4, Self::CrossLanguage];

    pub fn name(self) -> &'static str {
        match self {
            Self::False => "false",
            Self::Type3 => "type3",
            Self::Type4 => "type4",
            Self::CrossLanguage => "cross-language",
        }
    }
}

impl BigCloneBand {
    /// The band of a similarity below which the sides are not equal.
    pub fn of(similarity: f64) -> Self {
        match similarity {
            it if it >= 0.9 => Self::Vst3,
            it if it >= 0.7 => Self::St3,
            it if it >= 0.5 => Self::Mt3,
            _ => Self::Wt3T4,
        }
    }
}
