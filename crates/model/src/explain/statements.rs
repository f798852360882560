//! Which statements of two pieces of code say alike.
//!
//! Statements are compared as the network knows them before they attend to one another, by their signs, their values and what their
//! names are used for everywhere; and by their words. (After its layers each statement knows of all others, and those of one function
//! are hardly told apart.) Most code that does the same does it in the same order, so the statements are aligned in order first
//! (Needleman and Wunsch 1970); what is left is matched where it is much alike, the most alike first. A statement that is left then
//! joins the match beside it, where the two sides are more alike with it.

use std::ops::Range;

use familiar_source::{LineIndex, Lines, Span};

use super::side::Side;
use crate::bag::Bag;
use crate::input::idle;
use crate::network::dot;

/// Most statements of a side that are matched: of more, only the first are looked at.
pub const MOST_STATEMENTS: usize = 1_024;

/// Least similarity of statements that are matched in order, and of those that are matched out of order.
const IN_ORDER: f32 = 0.45;
const OUT_OF_ORDER: f32 = 0.8;

/// How much more alike two sides of a match have to be with a statement more, and how alike at least.
const MORE_ALIKE: f32 = 0.04;
const JOINED: f32 = 0.8;

/// How much of the similarity of two statements with words is that of their words.
const OF_WORDS: f32 = 0.3;

/// A statement of the left side and its counterpart; of either side there may be several in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchedStatement {
    pub left: Lines,
    pub right: Lines,
    /// The cosine of what the network knows of the two, and where both have words, to three tenths that of their words; in [-1, 1].
    pub similarity: f32,
}

/// Statements on both sides that correspond, by their places: mostly one on each.
#[derive(Clone, Debug)]
struct Match {
    places: [Range<usize>; 2],
    similarity: f32,
}

/// The statements of two sides that are matched, by their places, and the lines of those that are not.
pub(super) fn matched(bag: &Bag, sides: &[Side<'_>; 2]) -> (Vec<MatchedStatement>, [Vec<Lines>; 2]) {
    let said = sides.each_ref().map(|side| Said::of(bag, side));
    let counts = said.each_ref().map(Vec::len);
    let similarities = similarities(&said);
    let mut pairs = aligned(&similarities, counts);
    add_out_of_order(&similarities, counts, &mut pairs);
    pairs.sort_unstable();
    let one = |&[left, right]: &[usize; 2]| Match {
        places: [left..left + 1, right..right + 1],
        similarity: similarities[left * counts[1] + right],
    };
    let mut matches: Vec<Match> = pairs.iter().map(one).collect();
    add_split(&said, &mut matches);
    let indexes = sides.each_ref().map(|side| LineIndex::new(side.code.text));
    let lines = |side: usize, places: &Range<usize>| {
        let statements = &sides[side].placed.statements[places.clone()];
        let (first, last) = (statements[0], statements[statements.len() - 1]);
        indexes[side].lines(Span::new(first.start, last.end))
    };
    let alone = |side: usize| {
        let is_matched = |at: &usize| matches.iter().any(|it| it.places[side].contains(at));
        (0..counts[side]).filter(|at| !is_matched(at)).map(|at| lines(side, &(at..at + 1))).collect()
    };
    let statement = |it: &Match| MatchedStatement {
        left: lines(0, &it.places[0]),
        right: lines(1, &it.places[1]),
        similarity: it.similarity,
    };
    (matches.iter().map(statement).collect(), [alone(0), alone(1)])
}

/// What one statement says, or several in a row.
#[derive(Clone, Debug)]
struct Said {
    /// What the network knows of it, times its tokens: of several the mean over all tokens has the same direction as the sum.
    state: Vec<f32>,
    /// The sum of the rows of its words.
    words: Vec<f32>,
}

impl Said {
    /// The first statements of a side.
    fn of(bag: &Bag, side: &Side<'_>) -> Vec<Self> {
        let sequence = &side.placed.sequence;
        let count = side.placed.statements.len().min(MOST_STATEMENTS);
        let columns = side.states.len().checked_div(side.placed.statements.len()).unwrap_or(0);
        let mut tokens = vec![0.0f32; count];
        let mut all: Vec<Self> = (0..count)
            .map(|at| Self {
                state: side.states[at * columns..(at + 1) * columns].to_vec(),
                words: vec![0.0; bag.columns()],
            })
            .collect();
        for (at, &statement) in sequence.statements.iter().enumerate() {
            let Some(said) = all.get_mut(usize::from(statement)) else { break };
            tokens[usize::from(statement)] += 1.0;
            for word in sequence.words_of(at) {
                if idle().binary_search(word).is_err() {
                    bag.add_word(*word, 1.0, &mut said.words);
                }
            }
        }
        for (said, tokens) in all.iter_mut().zip(tokens) {
            said.state.iter_mut().for_each(|x| *x *= tokens);
        }
        all
    }

    /// What statements in a row say together.
    fn together(parts: &[Self]) -> Self {
        let mut sum = parts[0].clone();
        for part in &parts[1..] {
            sum.state.iter_mut().zip(&part.state).for_each(|(sum, x)| *sum += x);
            sum.words.iter_mut().zip(&part.words).for_each(|(sum, x)| *sum += x);
        }
        sum
    }

    fn similarity(&self, other: &Self) -> f32 {
        let state = cosine(&self.state, &other.state).unwrap_or(0.0);
        // Words that have nothing to do with each other say no more against a match than words without anything in common.
        let words = cosine(&self.words, &other.words).map(|words| words.max(0.0));
        words.map_or(state, |words| state + OF_WORDS * (words - state)).clamp(-1.0, 1.0)
    }
}

/// The cosine of two vectors; none where one is zero.
fn cosine(a: &[f32], b: &[f32]) -> Option<f32> {
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    (lengths > 0.0).then(|| dot(a, b) / lengths)
}

/// How alike each statement on the left is with each on the right, row after row.
fn similarities([left, right]: &[Vec<Said>; 2]) -> Vec<f32> {
    left.iter().flat_map(|a| right.iter().map(|b| a.similarity(b))).collect()
}

/// Adds statements that are in no match to the match before or behind them, where the two sides are more alike with them: what is one
/// statement here may be two there, as a condition with what it decides.
fn add_split(said: &[Vec<Said>; 2], matches: &mut [Match]) {
    for side in [0, 1] {
        let is_alone = |at: &usize| !matches.iter().any(|it| it.places[side].contains(at));
        let alone: Vec<usize> = (0..said[side].len()).filter(is_alone).collect();
        for at in alone {
            let longer = |(number, it): (usize, &Match)| {
                let places = it.places[side].clone();
                let places = match (places.end == at, places.start == at + 1) {
                    (true, _) => places.start..at + 1,
                    (_, true) => at..places.end,
                    _ => return None,
                };
                let other = Said::together(&said[1 - side][it.places[1 - side].clone()]);
                let similarity = Said::together(&said[side][places.clone()]).similarity(&other);
                let is_better = similarity >= JOINED && similarity > it.similarity + MORE_ALIKE;
                is_better.then_some((similarity - it.similarity, number, places))
            };
            let longer = matches.iter().enumerate().filter_map(longer);
            // Of equal ones the first counts.
            if let Some((more, number, places)) = longer.min_by(|a, b| b.0.total_cmp(&a.0)) {
                matches[number].places[side] = places;
                matches[number].similarity += more;
            }
        }
    }
}

/// The pairs of statements, in order on both sides, whose similarities beyond the least have the greatest sum.
fn aligned(similarities: &[f32], [left, right]: [usize; 2]) -> Vec<[usize; 2]> {
    let width = right + 1;
    let worth = |i: usize, j: usize| similarities[i * right + j] - IN_ORDER;
    let mut best = vec![0.0f32; (left + 1) * width];
    for i in (0..left).rev() {
        for j in (0..right).rev() {
            let skipped = best[(i + 1) * width + j].max(best[i * width + j + 1]);
            let matched = best[(i + 1) * width + j + 1] + worth(i, j);
            best[i * width + j] = skipped.max(matched);
        }
    }
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < left && j < right {
        let here = best[i * width + j];
        if here == best[(i + 1) * width + j] {
            i += 1;
        } else if here == best[i * width + j + 1] {
            j += 1;
        } else {
            pairs.push([i, j]);
            (i, j) = (i + 1, j + 1);
        }
    }
    pairs
}

/// Adds pairs of statements that are in none, the most alike first.
fn add_out_of_order(similarities: &[f32], [left, right]: [usize; 2], pairs: &mut Vec<[usize; 2]>) {
    let mut taken = [vec![false; left], vec![false; right]];
    for &[i, j] in &*pairs {
        (taken[0][i], taken[1][j]) = (true, true);
    }
    let free = (0..left).flat_map(|i| (0..right).map(move |j| [i, j]));
    let mut alike: Vec<(f32, [usize; 2])> = free
        .filter(|&[i, j]| !taken[0][i] && !taken[1][j])
        .map(|[i, j]| (similarities[i * right + j], [i, j]))
        .filter(|(similarity, _)| *similarity >= OUT_OF_ORDER)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    for (_, [i, j]) in alike {
        if !taken[0][i] && !taken[1][j] {
            (taken[0][i], taken[1][j]) = (true, true);
            pairs.push([i, j]);
        }
    }
}
