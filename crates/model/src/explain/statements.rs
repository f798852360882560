//! Which statements of two pieces of code say alike.
//!
//! Statements are compared as the network knows them before they attend to one another, by their signs, their values and what their
//! names are used for everywhere; and by their words. (After its layers each statement knows of all others, and those of one function
//! are hardly told apart.) Most code that does the same does it in the same order, so the statements are aligned in order first
//! (Needleman and Wunsch 1970); what is left is matched where it is much alike, the most alike first.

use familiar_source::{LineIndex, Lines};

use super::Side;
use crate::bag::Bag;
use crate::input::{Placed, idle};
use crate::network::dot;

/// Most statements of a side that are matched: of more, only the first are looked at.
pub const MOST_STATEMENTS: usize = 1_024;

/// Least similarity of statements that are matched in order, and of those that are matched out of order.
const IN_ORDER: f32 = 0.45;
const OUT_OF_ORDER: f32 = 0.8;

/// How much of the similarity of two statements with words is that of their words.
const OF_WORDS: f32 = 0.4;

/// A statement of the left side and its counterpart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchedStatement {
    pub left: Lines,
    pub right: Lines,
    /// The cosine of what the network knows of the two, and where both have words, to two fifths that of their words; at most 1.
    pub similarity: f32,
}

/// The statements of two sides that are matched, by their places, and the lines of those that are not.
pub(super) fn matched(bag: &Bag, sides: &[Side<'_>; 2]) -> (Vec<MatchedStatement>, [Vec<Lines>; 2]) {
    let counts = sides.each_ref().map(|side| side.placed.statements.len().min(MOST_STATEMENTS));
    let similarities = similarities(bag, sides, counts);
    let mut pairs = aligned(&similarities, counts);
    add_out_of_order(&similarities, counts, &mut pairs);
    pairs.sort_unstable();
    let indexes = sides.each_ref().map(|side| LineIndex::new(side.code.text));
    let lines = |side: usize, at: usize| indexes[side].lines(sides[side].placed.statements[at]);
    let alone = |side: usize| {
        let is_matched = |at: &usize| pairs.iter().any(|pair| pair[side] == *at);
        (0..counts[side]).filter(|at| !is_matched(at)).map(|at| lines(side, at)).collect()
    };
    let statement = |&[left, right]: &[usize; 2]| MatchedStatement {
        left: lines(0, left),
        right: lines(1, right),
        similarity: similarities[left * counts[1] + right],
    };
    (pairs.iter().map(statement).collect(), [alone(0), alone(1)])
}

/// How alike each statement on the left is with each on the right, row after row.
fn similarities(bag: &Bag, sides: &[Side<'_>; 2], [left, right]: [usize; 2]) -> Vec<f32> {
    let states = sides.each_ref().map(|side| scaled(&side.states, side.placed.statements.len()));
    let words =
        sides.each_ref().map(|side| scaled(&word_vectors(bag, &side.placed), side.placed.statements.len()));
    let similarity = |a: usize, b: usize| {
        let state = dot(&states[0][a], &states[1][b]);
        let (a, b) = (&words[0][a], &words[1][b]);
        let has_words = [a, b].iter().all(|words| words.iter().any(|&x| x != 0.0));
        let similarity = if has_words { state + OF_WORDS * (dot(a, b) - state) } else { state };
        similarity.clamp(-1.0, 1.0)
    };
    let pairs = (0..left).flat_map(|a| (0..right).map(move |b| (a, b)));
    pairs.map(|(a, b)| similarity(a, b)).collect()
}

/// The sums of the rows of each statement's words, row after row.
fn word_vectors(bag: &Bag, placed: &Placed) -> Vec<f32> {
    let mut vectors = vec![0.0; placed.statements.len() * bag.columns()];
    for (at, &statement) in placed.sequence.statements.iter().enumerate() {
        let to = &mut vectors[usize::from(statement) * bag.columns()..][..bag.columns()];
        for word in placed.sequence.words_of(at) {
            if idle().binary_search(word).is_err() {
                bag.add_word(*word, 1.0, to);
            }
        }
    }
    vectors
}

/// Vectors of as many statements, each of length 1 or zero.
fn scaled(vectors: &[f32], count: usize) -> Vec<Vec<f32>> {
    let columns = vectors.len().checked_div(count).unwrap_or(0).max(1);
    let rows = vectors.chunks_exact(columns).map(|row| {
        let length = dot(row, row).sqrt();
        row.iter().map(|x| if length > 0.0 { x / length } else { 0.0 }).collect()
    });
    rows.collect()
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
