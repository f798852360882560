//! What makes both sides of a Type-4 pair alike, as the encoder saw it.

use familiar_model::explain;
use familiar_source::Lines;
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

impl Explanation {
    /// What an encoder says of two fragments, in lines of their files: so many lines stand `above` each fragment there.
    pub fn of(explanation: explain::Explanation, above: [u32; 2]) -> Self {
        let lines = |lines: Lines, side: usize| [lines.start + above[side], lines.end + above[side]];
        let words = explanation.words.into_iter();
        let words = words.map(|it| AlikeWords { left: it.left, right: it.right, adds: rounded(it.adds) });
        let statements = explanation.statements.iter().map(|it| MatchedLines {
            left: lines(it.left, 0),
            right: lines(it.right, 1),
            similarity: rounded(it.similarity),
        });
        let [left, right] = explanation.other_words;
        let only = |words: Vec<String>, side: usize| OneSided {
            words,
            statements: explanation.other_statements[side].iter().map(|&it| lines(it, side)).collect(),
        };
        Self {
            similarity: rounded(explanation.similarity),
            parts: Parts::of(&explanation.parts),
            words: words.collect(),
            statements: statements.collect(),
            only_left: only(left, 0),
            only_right: only(right, 1),
        }
    }
}

impl Parts {
    fn of(parts: &[explain::Part]) -> Self {
        let mut all = Self::default();
        for part in parts {
            let to = match part.name {
                explain::PartName::Flow => &mut all.flow,
                explain::PartName::Words => &mut all.words,
                explain::PartName::Spelling => &mut all.spelling,
                explain::PartName::Forms => &mut all.forms,
            };
            *to = Part { cosine: rounded(part.cosine), adds: rounded(part.adds) };
        }
        all
    }

    /// The parts with their names.
    pub fn named(&self) -> [(&'static str, Part); 4] {
        [("flow", self.flow), ("words", self.words), ("spelling", self.spelling), ("forms", self.forms)]
    }
}

/// A number with four decimals.
fn rounded(number: f32) -> f64 {
    (f64::from(number) * 10_000.0).round() / 10_000.0
}
