//! How sure it is that a reader wants to see two pieces of code that are alike.
//!
//! What is alike may be a copy, or there may be one way to write it. Seven figures tell which is likelier:
//!
//! - what the statements say, in bits, that both sides have as written and that stand nowhere else in the tree (*unique*);
//! - what the smaller side says in all, without statements of a form that stood before ([`bits_and_forms`]), and how many forms of
//!   statements it has;
//! - the share of the larger side's words that both sides have;
//! - the share of the function or class around it that the smaller side makes up: a part of a long function is less often
//!   worth a look than a whole one;
//! - the share of tokens that branch, repeat or catch: what decides something is seldom mere form;
//! - whether the sides are edited.
//!
//! A logistic regression weighs them. Its weights come from 2,635 pairs of 90 trees that two readers judged and that the
//! program showed, 150 of them wrong in the eyes of at least one (`docs/precision.md`). For each tree the weights were
//! also fitted to all the others: of two pairs of which one is wrong, these ranked the right one higher in 79 of 100 cases.

use std::io;

use familiar_index::Collection;
use familiar_source::TokenClass;
use familiar_syntax::normal::Symbol;

use crate::Place;
use crate::copies::in_common;
use crate::evidence::Commonness;
use crate::information::bits_and_forms;
use crate::similar::Sequence;

/// What the regression gives where every figure is 0.
const BASE: f64 = -10.4;
/// What each figure adds; the first three count by the natural logarithm of one more than they are.
const UNIQUE: f64 = 0.2;
const BITS: f64 = 0.97;
const FORMS: f64 = 0.81;
const WORDS: f64 = 4.3;
const SHARE_OF_SCOPE: f64 = 1.2;
const CONTROL: f64 = 29.0;
const EDITED: f64 = -0.67;

/// Keywords that branch, repeat or catch, in any language.
const CONTROL_WORDS: [&str; 17] = [
    "if", "for", "while", "switch", "match", "case", "try", "catch", "except", "foreach", "elif", "else",
    "yield", "throw", "raise", "loop", "unless",
];

/// Tells how sure a pair is; keeps its memory from one to the next.
#[derive(Debug)]
pub struct Relevance<'c> {
    collection: &'c Collection,
    commonness: &'c Commonness,
    control: [u32; CONTROL_WORDS.len()],
    tokens: [Vec<u32>; 2],
    starts: [Vec<u32>; 2],
    words: [Vec<u32>; 2],
    scopes: Vec<u32>,
}

/// The figures of a pair.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    unique: u32,
    bits: u32,
    forms: u32,
    words: f64,
    share_of_scope: f64,
    control: f64,
    edited: bool,
}

impl Figures {
    /// The probability that a reader wants to see the pair.
    fn relevance(self) -> f64 {
        let log = |count: u32| f64::from(count).ln_1p();
        let odds = BASE
            + UNIQUE * log(self.unique)
            + BITS * log(self.bits)
            + FORMS * log(self.forms)
            + WORDS * self.words
            + SHARE_OF_SCOPE * self.share_of_scope
            + CONTROL * self.control
            + EDITED * f64::from(u8::from(self.edited));
        1.0 / (1.0 + (-odds).exp())
    }
}

impl<'c> Relevance<'c> {
    pub fn new(collection: &'c Collection, commonness: &'c Commonness) -> Self {
        Self {
            collection,
            commonness,
            control: CONTROL_WORDS.map(|word| Symbol::new(TokenClass::Keyword, word.as_bytes()).0),
            tokens: Default::default(),
            starts: Default::default(),
            words: Default::default(),
            scopes: Vec::new(),
        }
    }

    /// How sure it is, between 0 and 1, that a reader wants to see two places that are alike; they are two of `copies`.
    pub fn of(&mut self, left: Place, right: Place, copies: usize, edited: bool) -> io::Result<f64> {
        let share_of_scope = self.share_of_scope(left)?.max(self.share_of_scope(right)?);
        let Self { collection, commonness, control, tokens, starts, words, .. } = self;
        let [a, b] = tokens;
        for (place, starts) in [left, right].into_iter().zip(starts.iter_mut()) {
            collection.line_starts_in(place.file, place.tokens.start..place.tokens.end, starts)?;
        }
        let read = |place: Place, buffer| {
            collection.tokens.get(place.file, place.tokens.start..place.tokens.end, buffer)
        };
        let left = Sequence { symbols: read(left, a)?, line_starts: &starts[0] };
        let right = Sequence { symbols: read(right, b)?, line_starts: &starts[1] };
        let [(bits, forms), (other_bits, other_forms)] =
            [left, right].map(|side| bits_and_forms(side.symbols, side.line_starts));
        let [one, other] = words;
        let most = in_common(left.symbols, right.symbols, one, other).max(1);
        let decides = left.symbols.iter().filter(|symbol| control.contains(symbol)).count();
        let least = left.symbols.len().min(right.symbols.len()).max(1);
        let unique = commonness.statements().unique_anywhere(left, right, copies);
        let figures = Figures {
            unique: bits_and_forms(&unique, &[]).0,
            bits: bits.min(other_bits),
            forms: forms.min(other_forms),
            words: one.len() as f64 / most as f64,
            share_of_scope,
            control: decides as f64 / least as f64,
            edited,
        };
        Ok(figures.relevance())
    }

    /// The share that a place makes up of the smallest function or class around it; 0 outside of any.
    fn share_of_scope(&mut self, Place { file, tokens }: Place) -> io::Result<f64> {
        let scopes = self.collection.scopes.file(file, &mut self.scopes)?;
        let around = scopes.chunks_exact(2).take_while(|scope| scope[0] <= tokens.start);
        let least = around.filter(|scope| scope[1] >= tokens.end).map(|scope| scope[1] - scope[0]).min();
        Ok(least.map_or(0.0, |least| f64::from(tokens.len()) / f64::from(least.max(1))))
    }
}

#[cfg(test)]
mod tests {
    use familiar_index::Side;
    use familiar_source::Span;

    use super::*;
    use crate::testing;

    #[test]
    fn more_of_each_figure_is_surer_and_edits_are_not() {
        let some = Figures { unique: 100, bits: 300, forms: 8, words: 0.8, ..Figures::default() };
        let more = [
            Figures { unique: 400, ..some },
            Figures { bits: 900, ..some },
            Figures { forms: 20, ..some },
            Figures { words: 1.0, ..some },
            Figures { share_of_scope: 1.0, ..some },
            Figures { control: 0.05, ..some },
        ];
        assert!(more.iter().all(|more| more.relevance() > some.relevance()));
        assert!(Figures { edited: true, ..some }.relevance() < some.relevance());
        assert!((0.2..0.99).contains(&some.relevance()));
    }

    #[test]
    fn what_stands_nowhere_else_makes_a_pair_surer() {
        let copied = vec![
            vec!["total", "=", "price", "*", "rate", "-", "discount"],
            vec!["sum", "=", "ledger", "(", "account", ")"],
        ];
        let relevance = |files: usize| {
            let (collection, _) = testing::collection(&vec![(copied.clone(), 0, Side::Both); files]);
            let commonness = Commonness::of(&collection).expect("in memory");
            let place = |file| Place { file, tokens: Span::new(0, 13) };
            let mut relevance = Relevance::new(&collection, &commonness);
            relevance.of(place(0), place(1), 2, false).expect("in memory")
        };
        assert!(relevance(2) > relevance(5), "five files say the same");
    }

    #[test]
    fn a_part_of_a_function_is_a_share_of_it() {
        let statements = vec![vec!["a", "=", "b", ";"]; 5];
        let (mut collection, _) = testing::collection(&[(statements, 0, Side::Both)]);
        collection.scopes = familiar_index::TokenStore::new(1 << 20, std::env::temp_dir());
        collection.scopes.push(&[0, 20, 4, 14]).expect("it fits the memory");
        let commonness = Commonness::of(&collection).expect("in memory");
        let mut relevance = Relevance::new(&collection, &commonness);
        let mut share = |from, to| {
            relevance.share_of_scope(Place { file: 0, tokens: Span::new(from, to) }).expect("in memory")
        };
        assert_eq!([share(4, 14), share(4, 9), share(10, 20)], [1.0, 0.5, 0.5]);
    }
}
