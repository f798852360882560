//! A judgement: what one person says of one pair.

use serde::{Deserialize, Serialize};

/// A row of `judgements.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    pub pair_id: String,
    pub judge: String,
    /// A row without a verdict takes back what the judge said of the pair before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// One of the labels of the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How long the judge looked at the pair.
    #[serde(default)]
    pub seconds: f64,
    /// When, in UTC: `2026-11-26T04:00:00Z`.
    pub at: String,
    /// Whether the judge did not see what others said of the pair.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blind: bool,
    /// A digest of both codes that the judge saw. Older rows have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codes: Option<String>,
}

/// Whether both sides of a pair do the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    True,
    False,
    Undecided,
}

impl Verdict {
    pub const ALL: [Self; 3] = [Self::True, Self::False, Self::Undecided];

    pub fn name(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Undecided => "undecided",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.name() == name)
    }
}
