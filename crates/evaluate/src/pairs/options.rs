//! What the user can ask of `familiar evaluate pairs`.

use std::path::PathBuf;

use familiar_engine::snippet::Snippet;

use crate::{Judge, Selection};

/// The settings of `familiar evaluate pairs`.
#[derive(Clone, Debug)]
pub struct PairsOptions {
    /// JSON lines of pairs, plain or `.zst`: `id1 id2` into `fragments`, or `code1 code2` with `lang1 lang2` or `lang`;
    /// `label` 1 or 0, `type` and `group` if known.
    pub pairs: PathBuf,
    /// JSON lines of fragments, plain or `.zst`: `id lang code`.
    pub fragments: Option<PathBuf>,
    pub judge: Judge,
    /// Least similarity of a clone; the measure's own threshold, or 0.75 for an encoder, where none is given.
    pub similarity: Option<f64>,
    /// Whether names are made alike before anything is measured or encoded; for a measure, literals too.
    pub blind: bool,
    /// Adds the figures of each type or language pair.
    pub by: Option<By>,
    /// Draws pairs from `pairs`, which then is a file of solutions: `problem_id lang code`.
    pub draw: Option<Draw>,
    /// Draws negatives where the rows hold none.
    pub negatives: Option<Negatives>,
    /// What all drawing starts from.
    pub seed: u64,
    /// Pairs with a smaller side are skipped; 0 takes all.
    pub min_tokens: u32,
    /// Pairs with a side of fewer lines are skipped; 0 takes all.
    pub min_lines: u32,
    /// 0: as many as the machine has.
    pub threads: usize,
}

impl PairsOptions {
    /// The default settings for a file of pairs.
    pub fn new(pairs: impl Into<PathBuf>) -> Self {
        Self {
            pairs: pairs.into(),
            fragments: None,
            judge: Judge::default(),
            similarity: None,
            blind: false,
            by: None,
            draw: None,
            negatives: None,
            seed: 0,
            min_tokens: 0,
            min_lines: 0,
            threads: 0,
        }
    }

    /// Whether a side is large enough.
    pub(super) fn takes(&self, side: &Snippet) -> bool {
        side.tokens() >= self.min_tokens && side.lines() >= self.min_lines
    }

    /// The threshold in force.
    pub fn threshold(&self) -> f64 {
        self.similarity.unwrap_or(self.judge.default_similarity())
    }
}

/// How pairs are drawn from a file of solutions.
#[derive(Clone, Debug, Default)]
pub struct Draw {
    /// Half of them positives: two rows of one group; for each a negative of the same languages, if the file holds so many.
    pub pairs: usize,
    pub selection: Selection,
    /// Whether the sides are of different languages.
    pub cross_language: bool,
}

/// What the figures are broken down by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    Type,
    Lang,
}

impl By {
    pub const ALL: [Self; 2] = [Self::Type, Self::Lang];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Lang => "lang",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.name() == name)
    }
}

/// How negatives are drawn: one for each positive, of the same pair of languages, from another group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Negatives {
    /// Any fragment.
    Random,
    /// Of 32 fragments the one whose tokens overlap most with the other side's.
    Hard,
    /// Of 100 fragments the one whose identifiers' words are most like the other side's, by the cosine of their TF-IDF.
    TfIdf,
}

impl Negatives {
    pub const ALL: [Self; 3] = [Self::Random, Self::Hard, Self::TfIdf];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Hard => "hard",
            Self::TfIdf => "tfidf",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|negatives| negatives.name() == name)
    }
}
