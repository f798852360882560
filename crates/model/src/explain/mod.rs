//! What makes two pieces of code alike, as far as the built-in encoder saw it.
//!
//! The cosine of two vectors, before they are turned, is a sum over their parts, and an explanation says what each part
//! [`adds`](Part::adds). That of the words is a sum over pairs of words: `words` says what each of them adds. The network's is no sum
//! over statements; `statements` matches those that it knows as alike.
//!
//! Whoever swaps the two sides gets the explanation with its sides swapped: what is computed does not depend on which is the left.

mod side;
mod statements;
mod words;

use familiar_source::Lines;

use crate::bag::Bag;
use crate::code::Code;
use crate::network::dot;

pub(crate) use side::Side;
pub use statements::{MOST_STATEMENTS, MatchedStatement};
use words::SideWords;
pub use words::{AlikeWords, MOST_WORDS};

/// An encoder that says what makes two pieces of code alike.
pub trait Explain: Send + Sync {
    /// What makes them alike as this encoder sees them. The same codes give the same bytes on every machine.
    fn explain(&self, codes: [Code<'_>; 2]) -> Explanation;
}

/// What makes two pieces of code alike. Lines count from 1 within each text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// The cosine of the parts of both vectors side by side: what the parts add, summed up.
    pub similarity: f32,
    /// The parts of the vectors.
    pub parts: Vec<Part>,
    /// Words of names and texts that both sides have, and words that are related, those that add most first; at most [`MOST_WORDS`].
    pub words: Vec<AlikeWords>,
    /// Words that only the left and only the right side has, those first that are most of it; at most [`MOST_WORDS`] each.
    pub other_words: [Vec<String>; 2],
    /// Statements that say alike, by their places on the left and on the right; each has one counterpart at most.
    pub statements: Vec<MatchedStatement>,
    /// The lines of the statements that only one side has, in order.
    pub other_statements: [Vec<Lines>; 2],
}

/// One part of the vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    pub name: PartName,
    /// The cosine of this part of both vectors; 0 where a side has nothing in it.
    pub cosine: f32,
    /// What the part adds to the similarity: its cosine times how much it counts.
    pub adds: f32,
}

/// What a part of a vector is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartName {
    /// The network's: the order of statements, and what becomes of values.
    Flow,
    /// Words of names and texts.
    Words,
    /// How names are spelled.
    Spelling,
    /// Operators, keywords, values and the shape of statements, without names.
    Forms,
}

impl PartName {
    /// In the order of a vector.
    pub(crate) const ALL: [Self; 4] = [Self::Flow, Self::Words, Self::Spelling, Self::Forms];

    pub fn name(self) -> &'static str {
        match self {
            Self::Flow => "flow",
            Self::Words => "words",
            Self::Spelling => "spelling",
            Self::Forms => "forms",
        }
    }
}

/// What makes two sides alike; `sizes` are those of the parts.
pub(crate) fn explain(bag: &Bag, sizes: [usize; 4], [left, right]: [Side<'_>; 2]) -> Explanation {
    // Ties are broken by order: it is the same whichever side is the left.
    let (a, b) = (left.code, right.code);
    if (b.text, b.language) < (a.text, a.language) {
        return explain_ordered(bag, sizes, &[right, left]).swapped();
    }
    explain_ordered(bag, sizes, &[left, right])
}

fn explain_ordered(bag: &Bag, sizes: [usize; 4], sides: &[Side<'_>; 2]) -> Explanation {
    let parts = parts(sizes, sides);
    let [left, right] = sides.each_ref().map(|side| SideWords::new(bag, &side.placed));
    let (words, other_words) = words::alike([&left, &right]);
    let (statements, other_statements) = statements::matched(bag, sides);
    Explanation {
        similarity: parts.iter().map(|part| part.adds).sum(),
        parts,
        words,
        other_words,
        statements,
        other_statements,
    }
}

impl Explanation {
    /// The same with the sides swapped.
    fn swapped(mut self) -> Self {
        for words in &mut self.words {
            std::mem::swap(&mut words.left, &mut words.right);
        }
        self.other_words.reverse();
        self.other_statements.reverse();
        for matched in &mut self.statements {
            std::mem::swap(&mut matched.left, &mut matched.right);
        }
        self.statements.sort_by_key(|matched| (matched.left, matched.right));
        self
    }
}

/// The parts of two vectors, and what each adds to their cosine.
fn parts(sizes: [usize; 4], [left, right]: &[Side<'_>; 2]) -> Vec<Part> {
    let length = |vector: &[f32]| dot(vector, vector).sqrt();
    let cosine = |a: &[f32], b: &[f32], lengths: f32| if lengths > 0.0 { dot(a, b) / lengths } else { 0.0 };
    let whole = length(&left.parts) * length(&right.parts);
    let mut start = 0;
    let parts = PartName::ALL.into_iter().zip(sizes).map(|(name, size)| {
        let [a, b] = [left, right].map(|side| &side.parts[start..start + size]);
        start += size;
        Part { name, cosine: cosine(a, b, length(a) * length(b)), adds: cosine(a, b, whole) }
    });
    parts.collect()
}
