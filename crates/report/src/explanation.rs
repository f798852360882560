//! What makes both sides of a Type-4 pair alike, as the encoder saw it.

use serde::{Deserialize, Serialize};

/// Why an encoder finds two fragments alike. Numbers have four decimals; lines are those of the files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// What the parts add, summed up: the cosine of both vectors before they are shortened.
    pub similarity: f64,
    pub parts: Parts,
    /// Words that both sides have, and words that are related, those that add most first.
    pub words: Vec<AlikeWords>,
    /// Statements that correspond, by their lines on the left. Each has one counterpart.
    pub statements: Vec<MatchedLines>,
    pub only_left: OneSided,
    pub only_right: OneSided,
}

/// The parts of both vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// The order of statements, and what becomes of values.
    pub flow: Part,
    /// The words of names and texts.
    pub words: Part,
    /// How names are spelled.
    pub spelling: Part,
    /// Operators, keywords and values, without names.
    pub forms: Part,
}

/// One part of both vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    pub cosine: f64,
    /// What it adds to the similarity: its cosine times how much the part counts.
    pub adds: f64,
}

/// A word of the left side and one of the right that count alike: mostly the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AlikeWords {
    pub left: String,
    pub right: String,
    /// What the two add to the cosine of the words.
    pub adds: f64,
}

/// First and last line of a statement on the left, and of its counterpart on the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchedLines {
    pub left: [u32; 2],
    pub right: [u32; 2],
    pub similarity: f64,
}

/// What one side alone has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OneSided {
    /// Words, those first that count most on this side.
    pub words: Vec<String>,
    /// First and last line of each statement.
    pub statements: Vec<[u32; 2]>,
}

impl Parts {
    /// The parts with their names.
    pub fn named(&self) -> [(&'static str, Part); 4] {
        [("flow", self.flow), ("words", self.words), ("spelling", self.spelling), ("forms", self.forms)]
    }
}
