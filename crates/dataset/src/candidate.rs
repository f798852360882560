//! An implementation that was found in a reply, or why there is none.

use serde::{Deserialize, Serialize};

/// A row of `candidates.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// `SEED.PROMPT.SAMPLE.VARIANT`.
    pub id: String,
    pub seed_id: String,
    pub prompt: String,
    pub sample: u64,
    /// Which implementation of the reply it is, from 0.
    pub variant: usize,
    pub lang: String,
    pub code: String,
}

/// A row of `dropped.jsonl`: what was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    pub seed_id: String,
    pub prompt: String,
    pub sample: u64,
    pub cause: Cause,
    /// More about the cause, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The text in question; of long ones the start.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// Why something was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The reply has no code; it may explain something.
    NoCode,
    /// The grammar of the language does not allow it.
    DoesNotParse,
    /// The reply ends in the middle of it.
    Truncated,
    /// It is in a language that was not asked for.
    WrongLanguage,
    /// It has no function.
    NoFunction,
    /// It is the seed itself.
    RepeatsTheSeed,
    /// The reply is larger than a reply may be.
    TooLarge,
    /// The grammar of its language does not allow the seed.
    BrokenSeed,
    /// The reply is to a seed that is not known.
    UnknownSeed,
    /// No front end knows the language.
    UnknownLanguage,
}

impl Cause {
    pub fn name(self) -> &'static str {
        match self {
            Self::NoCode => "no-code",
            Self::DoesNotParse => "does-not-parse",
            Self::Truncated => "truncated",
            Self::WrongLanguage => "wrong-language",
            Self::NoFunction => "no-function",
            Self::RepeatsTheSeed => "repeats-the-seed",
            Self::TooLarge => "too-large",
            Self::BrokenSeed => "broken-seed",
            Self::UnknownSeed => "unknown-seed",
            Self::UnknownLanguage => "unknown-language",
        }
    }
}
