//! What is different between two pieces of code that look alike, and whether it changes what they do.
//!
//! The tokens of both sides are aligned, names that are renamed wherever they stand are followed, and what is left is counted by
//! its kind: an operator in the place of another one, a token that has moved, a loop that one side alone has. A logistic function
//! of the counts is the probability that both sides behave alike. Its weights stand in `weights/changes.tsv`, one a line.
//!
//! `align` finds the edits, and `kind` lists the kinds.

mod align;
mod kind;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use familiar_source::TokenClass;
use familiar_syntax::{Parser, Want};
use rustc_hash::FxHashMap;

use crate::Code;
use align::Edit;
use kind::{KINDS, Part, Side, Whole};

/// How often each kind of change stands between two pieces of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    counts: [u32; KINDS],
}

/// One token of a side.
#[derive(Clone, Copy, Debug)]
struct Word<'t> {
    class: TokenClass,
    text: &'t str,
}

/// The weight of each kind, and what is added to their sum.
struct Weights {
    bias: f64,
    of: [f64; KINDS],
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    Weights::parse(include_str!("../../weights/changes.tsv")).expect("the weights are whole")
});

/// What changed between two pieces of code of one language family. `None` where they are of two families, or too long and too
/// different to be aligned. Whichever side is the left, the answer is the same.
pub fn changes(parser: &mut Parser, codes: [Code<'_>; 2]) -> Option<Changes> {
    let [mut left, mut right] = codes;
    if left.language.family() != right.language.family() {
        return None;
    }
    if right.text < left.text {
        std::mem::swap(&mut left, &mut right);
    }
    let mut sides = [left, right].map(|code| words(parser, code));
    let counted = Counting::of(&mut sides)?;
    Some(Changes { counts: counted.counts })
}

impl Changes {
    /// The kinds that occur, each with its count.
    pub fn counts(&self) -> BTreeMap<String, u32> {
        let named = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        named.map(|(kind, count)| (kind::name(kind), *count)).collect()
    }

    /// The probability that both sides behave alike, if nothing is known but what changed.
    pub fn same_behavior(&self) -> f64 {
        let Weights { bias, of } = &*WEIGHTS;
        let sum: f64 =
            self.counts.iter().zip(of).map(|(&count, weight)| weight * f64::from(1 + count).log2()).sum();
        1.0 / (1.0 + (-(bias + sum)).exp())
    }
}

impl Weights {
    /// A line `bias`, and a line for each kind that counts.
    fn parse(text: &str) -> Option<Self> {
        let rows: Option<BTreeMap<&str, f64>> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split_once('\t').and_then(|(name, weight)| Some((name, weight.parse().ok()?))))
            .collect();
        let rows = rows?;
        let weight = |name: &str| rows.get(name).copied();
        let of = std::array::from_fn(|kind| weight(&kind::name(kind)).unwrap_or(0.0));
        Some(Self { bias: weight("bias")?, of })
    }
}

fn words<'t>(parser: &mut Parser, code: Code<'t>) -> Vec<Word<'t>> {
    let tokens = parser.parse(code.language, code.text, Want::default()).tokens;
    let word = |token: &familiar_source::Token| {
        let text = code.text.get(token.start as usize..token.end as usize)?;
        Some(Word { class: token.class, text: std::str::from_utf8(text).ok()? })
    };
    tokens.iter().filter(|token| !token.hidden).filter_map(word).collect()
}

/// The counts of two sides.
struct Counting {
    counts: [u32; KINDS],
}

impl Counting {
    fn of(sides: &mut [Vec<Word<'_>>; 2]) -> Option<Self> {
        let mut counting = Self { counts: [0; KINDS] };
        let first = aligned(sides)?;
        let renamed = renamings(sides, &first);
        counting.counts[Whole::Renamed.at()] = renamed.len() as u32;
        let edits = if renamed.is_empty() {
            first
        } else {
            for word in &mut sides[0] {
                word.text = renamed.get(word.text).copied().unwrap_or(word.text);
            }
            aligned(sides)?
        };
        counting.count(sides, &edits);
        Some(counting)
    }

    fn count(&mut self, sides: &[Vec<Word<'_>>; 2], edits: &[Edit]) {
        let names = [0, 1].map(|side| names(&sides[side]));
        let part = |side: usize, at: usize| part(sides[side][at], &names[1 - side]);
        // What one side lacks of the other, beside what has only moved.
        let mut missing: BTreeMap<&str, i64> = BTreeMap::new();
        let mut lost = [0u32; 2];
        for edit in edits {
            let (left, right) = sides_of(*edit);
            for (side, at) in [(0, left), (1, right)] {
                let Some(at) = at else { continue };
                *missing.entry(sides[side][at].text).or_default() += if side == 0 { 1 } else { -1 };
                lost[side] += 1;
            }
        }
        let remaining: i64 = missing.values().map(|count| count.abs()).sum();
        let moved = (lost[0] + lost[1] - remaining as u32) / 2;
        self.counts[Whole::Moved.at()] = moved;
        let is_missing = |text: &str, sign: i64| missing.get(text).is_some_and(|count| count * sign > 0);
        let mut by_part: BTreeMap<Part, [u32; 2]> = BTreeMap::new();
        let mut comparisons = 0;
        for edit in edits {
            match *edit {
                Edit::Exchanged(left, right)
                    if is_missing(sides[0][left].text, 1) && is_missing(sides[1][right].text, -1) =>
                {
                    let (one, other) = (part(0, left), part(1, right));
                    self.counts[one.min(other).at(Side::Exchanged)] += 1;
                    let (one, other) = (sides[0][left], sides[1][right]);
                    comparisons += self.exchanged(one, other);
                }
                edit => {
                    let (left, right) = sides_of(edit);
                    for (side, at, sign) in [(0, left, 1), (1, right, -1)] {
                        let Some(at) = at.filter(|&at| is_missing(sides[side][at].text, sign)) else {
                            continue;
                        };
                        by_part.entry(part(side, at)).or_default()[side] += 1;
                    }
                }
            }
        }
        for (part, [left, right]) in &by_part {
            self.counts[part.at(Side::One)] += left.abs_diff(*right);
            self.counts[part.at(Side::Both)] += left.min(right);
        }
        let negated = by_part.get(&Part::Negation).is_some_and(|[left, right]| left != right);
        let whole = if negated || moved > 1 { Whole::Compensated } else { Whole::Uncompensated };
        self.counts[whole.at()] += comparisons;
    }

    /// Counts what one token in the place of another one is beside its part. Returns 1 for a comparison.
    fn exchanged(&mut self, one: Word<'_>, other: Word<'_>) -> u32 {
        if one.class == TokenClass::Number {
            let [one, other] = [one.text, other.text].map(number);
            if let (Some(one), Some(other)) = (one, other) {
                let whole = match one.abs_diff(other) {
                    0 => Some(Whole::Respelled),
                    1 => Some(Whole::OffByOne),
                    _ => None,
                };
                whole.inspect(|whole| self.counts[whole.at()] += 1);
            }
        }
        let [one, other] = [one, other].map(|word| word.text);
        let [first, second] = [one, other].map(|text| text.chars().next());
        match [one, other].map(Part::of_word) {
            [Part::Comparison, Part::Comparison] => {
                let whole = if first == second { Whole::OtherBound } else { Whole::Turned };
                self.counts[whole.at()] += 1;
                1
            }
            [Part::Equality, Part::Equality] => 1,
            _ => 0,
        }
    }
}

fn sides_of(edit: Edit) -> (Option<usize>, Option<usize>) {
    match edit {
        Edit::Exchanged(left, right) => (Some(left), Some(right)),
        Edit::OnlyLeft(left) => (Some(left), None),
        Edit::OnlyRight(right) => (None, Some(right)),
    }
}

/// The value of a whole number.
fn number(text: &str) -> Option<u64> {
    let text = text.replace('_', "").to_ascii_lowercase();
    let digits = |radix, prefix: &str| u64::from_str_radix(text.strip_prefix(prefix)?, radix).ok();
    digits(16, "0x").or_else(|| digits(2, "0b")).or_else(|| digits(8, "0o")).or_else(|| text.parse().ok())
}

fn aligned(sides: &[Vec<Word<'_>>; 2]) -> Option<Vec<Edit>> {
    let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
    let mut numbered = [Vec::new(), Vec::new()];
    for (words, numbered) in sides.iter().zip(&mut numbered) {
        for word in words {
            let next = numbers.len() as u32;
            numbered.push(*numbers.entry(word.text).or_insert(next));
        }
    }
    let [left, right] = numbered;
    align::edits(&left, &right, |one, other| sides[0][one].class == sides[1][other].class)
}

fn names<'t>(words: &[Word<'t>]) -> FxHashMap<&'t str, u32> {
    let mut names = FxHashMap::default();
    for word in words.iter().filter(|word| word.class == TokenClass::Identifier) {
        *names.entry(word.text).or_default() += 1;
    }
    names
}

/// Names that the right side does not have, each with the one that takes its place there and that the left side does not have.
fn renamings<'t>(sides: &[Vec<Word<'t>>; 2], edits: &[Edit]) -> FxHashMap<&'t str, &'t str> {
    let known = [0, 1].map(|side| names(&sides[side]));
    let mut votes: BTreeMap<(&'t str, &'t str), u32> = BTreeMap::new();
    for edit in edits {
        let Edit::Exchanged(left, right) = *edit else { continue };
        let (one, other) = (sides[0][left], sides[1][right]);
        let is_name = one.class == TokenClass::Identifier && other.class == TokenClass::Identifier;
        if is_name && !known[1].contains_key(one.text) && !known[0].contains_key(other.text) {
            *votes.entry((one.text, other.text)).or_default() += 1;
        }
    }
    let mut order: Vec<((&str, &str), u32)> = votes.into_iter().collect();
    order.sort_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
    let (mut renamed, mut taken) = (FxHashMap::default(), rustc_hash::FxHashSet::default());
    for ((one, other), _) in order {
        if !renamed.contains_key(one) && taken.insert(other) {
            renamed.insert(one, other);
        }
    }
    renamed
}

fn part(word: Word<'_>, others: &FxHashMap<&str, u32>) -> Part {
    match word.class {
        TokenClass::Number => Part::Number,
        TokenClass::String | TokenClass::Char => Part::Text,
        TokenClass::Import => Part::Import,
        TokenClass::Operator | TokenClass::Keyword | TokenClass::Type => Part::of_word(word.text),
        TokenClass::Identifier => match Part::of_word(word.text) {
            Part::Other if others.contains_key(word.text) => Part::KnownName,
            Part::Other => Part::NewName,
            part => part,
        },
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;

    fn counts(left: &str, right: &str) -> BTreeMap<String, u32> {
        let code = |text: &'static str| Code { language: Language::Python, text: text.as_bytes() };
        let [left, right] = [left, right].map(|text| code(String::leak(text.to_owned())));
        let parser = &mut Parser::default();
        let found = changes(parser, [left, right]).expect("they are short");
        assert_eq!(Some(&found), changes(parser, [right, left]).as_ref());
        found.counts()
    }

    fn is(found: &BTreeMap<String, u32>, expected: &[(&str, u32)]) {
        let expected: BTreeMap<String, u32> =
            expected.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
        assert_eq!(*found, expected);
    }

    const CODE: &str = "def f(a, n):\n    while a < n:\n        a = a + 7\n    return a\n";

    #[test]
    fn what_is_renamed_everywhere_is_one_change() {
        is(&counts(CODE, CODE), &[]);
        is(&counts(CODE, &CODE.replace('a', "x")), &[("renamed", 1)]);
    }

    #[test]
    fn changes_are_counted_by_their_kind() {
        is(&counts(CODE, &CODE.replace('7', "8")), &[("number-exchanged", 1), ("off-by-one", 1)]);
        is(&counts(CODE, &CODE.replace('7', "0x7")), &[("number-exchanged", 1), ("respelled", 1)]);
        let bound = [("comparison-exchanged", 1), ("other-bound", 1), ("uncompensated-comparison", 1)];
        is(&counts(CODE, &CODE.replace('<', "<=")), &bound);
        let turned = counts(CODE, &CODE.replace("a < n", "n > a"));
        assert_eq!((turned.get("moved"), turned.get("compensated-comparison")), (Some(&2), Some(&1)));
        let other = counts(CODE, &CODE.replace("return a", "return n"));
        is(&other, &[("known-name-exchanged", 1)]);
    }

    #[test]
    fn weights_are_read_by_name() {
        let weights = Weights::parse("# a comment\nbias\t1.5\nmoved\t-2\n").expect("they are whole");
        assert_eq!((weights.bias, weights.of[Whole::Moved.at()], weights.of[0]), (1.5, -2.0, 0.0));
        assert!(Weights::parse("moved\t1\n").is_none() && Weights::parse("bias\n").is_none());
    }
}
