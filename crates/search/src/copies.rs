//! Which fragments that are alike are copies of one another?
//!
//! Two functions of a tree may be alike because there is one way to write them: the forwarding call, the check, the
//! overload, the test of a framework. Each of them exists for a word that the other does not have, and what they share is
//! said all over the tree. So what a copy and its original share must be said hardly anywhere else, and edited copies must
//! have most of their words in common. Less is asked of what differs in nothing but names that are renamed throughout, or
//! in a statement more or less; small fragments that differ in more are none. How much is asked for grows with the tree
//! ([`crate::information::Limit::among`]).

use std::io;

use familiar_index::{Collection, FragmentEntry};
use familiar_syntax::normal::Symbol;

use crate::aligned::align;
use crate::evidence::{Commonness, are_renamed_throughout, corresponding_names, names_or_says};
use crate::information::{Evidence, Limit, bits_and_forms};
use crate::similar::Sequence;

/// Least share of the tokens of either small fragment that correspond. A small copy may have a statement more or less: in
/// one of six statements, that is a sixth. Chosen with the early readings of `docs/precision.md`, and not tuned since.
const LEAST_ALIGNED: f64 = 0.75;

/// Tests of fewer tokens are hardly more than their frame. Chosen with the early readings of `docs/precision.md`, and not
/// tuned since.
const SMALL_TEST: u32 = 100;

/// Tells copies from what is alike; keeps its memory from one pair to the next.
#[derive(Debug)]
pub struct Copies<'c> {
    collection: &'c Collection,
    commonness: &'c Commonness,
    limit: Limit,
    evidence: Evidence,
    tokens: [Vec<u32>; 2],
    starts: [Vec<u32>; 2],
    words: [Vec<u32>; 2],
    pairs: Vec<(u32, u32)>,
}

impl<'c> Copies<'c> {
    pub fn new(collection: &'c Collection, commonness: &'c Commonness, limit: Limit) -> Self {
        Self {
            collection,
            commonness,
            limit,
            evidence: limit.evidence(),
            tokens: Default::default(),
            starts: Default::default(),
            words: Default::default(),
            pairs: Vec::new(),
        }
    }

    /// Whether one of two fragments that are alike is a copy of the other, of which there are `copies` in all: equal once
    /// renamed, or similar where they are `edited`, to that similarity.
    pub fn are(
        &mut self,
        left: &FragmentEntry,
        right: &FragmentEntry,
        edited: Option<f64>,
        copies: usize,
    ) -> io::Result<bool> {
        let Self { collection, limit, evidence, tokens, starts, words, pairs, .. } = self;
        let is_test = |f: &FragmentEntry| collection.files[f.file as usize].is_test(f.first);
        let in_tests = is_test(left) && is_test(right);
        let is_frame = |similarity| similarity < evidence.similarity_of_small_tests;
        if in_tests && left.tokens.min(right.tokens) < SMALL_TEST && edited.is_some_and(is_frame) {
            return Ok(false);
        }
        let is_small_test = in_tests && left.tokens < evidence.renamed_test;
        let edited = edited.is_some();
        let least_words = if in_tests { evidence.words_in_tests } else { evidence.words };
        for (fragment, starts) in [left, right].into_iter().zip(starts.iter_mut()) {
            collection.line_starts_of(fragment, starts)?;
        }
        let [a, b] = tokens;
        let read =
            |f: &FragmentEntry, buffer| collection.tokens.get(f.file, f.first..f.first + f.tokens, buffer);
        let left = Sequence { symbols: read(left, a)?, line_starts: &starts[0] };
        let right = Sequence { symbols: read(right, b)?, line_starts: &starts[1] };
        let are_large = [left, right].into_iter().all(|side| limit.allows(side.symbols, side.line_starts));
        if are_large && left.symbols == right.symbols {
            return Ok(true);
        }
        if is_small_test && !edited && left.symbols != right.symbols {
            return Ok(false);
        }
        let is_plain = pair_up(left, right, edited, pairs) && are_renamed_throughout(pairs);
        if is_plain {
            let [one, _] = words;
            one.clear();
            one.extend(pairs.iter().filter(|(a, b)| a == b).map(|&(a, _)| a));
            let specific = self.commonness.specific(one.iter().copied(), copies);
            return Ok(is_plain_copy(*limit, *evidence, left, specific));
        }
        if !are_large || edited && !share_words(left.symbols, right.symbols, pairs, words, least_words) {
            return Ok(false);
        }
        if !edited {
            words[0].clear();
            words[0].extend(pairs.iter().filter(|(a, b)| a == b).map(|&(a, _)| a));
        }
        Ok(self.commonness.specific(words[0].iter().copied(), copies) >= evidence.specific)
    }
}

/// Whether what differs in hardly anything from a fragment is its copy, where their words say `specific` bits.
fn is_plain_copy(limit: Limit, evidence: Evidence, fragment: Sequence<'_>, specific: f64) -> bool {
    let (_, forms) = bits_and_forms(fragment.symbols, fragment.line_starts);
    forms >= evidence.forms && specific * f64::from(forms) >= evidence.plain
        || limit.allows(fragment.symbols, &[]) && specific >= evidence.specific
}

/// Replaces `pairs` by the tokens that correspond: one by one, or statement by statement where fragments are `edited`.
/// Whether these are most of the tokens.
fn pair_up(left: Sequence<'_>, right: Sequence<'_>, edited: bool, pairs: &mut Vec<(u32, u32)>) -> bool {
    pairs.clear();
    let mut add = |a: &[u32], b: &[u32]| {
        pairs.extend(a.iter().copied().zip(b.iter().copied()));
        a.len() == b.len()
    };
    if !edited {
        return add(left.symbols, right.symbols);
    }
    let mut whole = true;
    for run in align(left, right) {
        whole &= run.left.len() == run.right.len()
            && add(&left.symbols[run.left.range()], &right.symbols[run.right.range()]);
    }
    let longer = left.symbols.len().max(right.symbols.len()) as f64;
    whole && pairs.len() as f64 >= LEAST_ALIGNED * longer
}

/// Whether the larger of two fragments has at least a `share` of its words from the other: the same words, which stand in
/// `words` then, or names that stand for one another in `pairs`.
fn share_words(a: &[u32], b: &[u32], pairs: &[(u32, u32)], words: &mut [Vec<u32>; 2], share: f64) -> bool {
    let [one, other] = words;
    let least = share * in_common(a, b, one, other) as f64;
    one.len() as f64 >= least || f64::from(corresponding_names(pairs)) >= least
}

/// Replaces `one` by the words that both of two fragments have; how many the larger side has.
pub(crate) fn in_common(a: &[u32], b: &[u32], one: &mut Vec<u32>, other: &mut Vec<u32>) -> usize {
    let words = |symbols: &[u32], out: &mut Vec<u32>| {
        out.clear();
        out.extend(symbols.iter().copied().filter(|&symbol| names_or_says(Symbol(symbol).class())));
        out.sort_unstable();
    };
    words(a, one);
    words(b, other);
    let most = one.len().max(other.len());
    let mut rest = other.as_slice();
    one.retain(|word| {
        rest = &rest[rest.partition_point(|other| other < word)..];
        match rest.split_first() {
            Some((first, others)) if first == word => {
                rest = others;
                true
            }
            _ => false,
        }
    });
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use familiar_source::TokenClass;

    fn symbols(words: &str) -> Vec<u32> {
        let class = |word: &str| {
            if word.starts_with(char::is_alphabetic) { TokenClass::Identifier } else { TokenClass::Operator }
        };
        words.split(' ').map(|word| Symbol::new(class(word), word.as_bytes()).0).collect()
    }

    #[test]
    fn edited_copies_share_most_of_their_words() {
        let of = |left: &str, right: &str| {
            let mut common = Vec::new();
            let most = in_common(&symbols(left), &symbols(right), &mut common, &mut Vec::new());
            (common.len(), most)
        };
        assert_eq!(of("price = tax ( price )", "price = tax ( sum )"), (2, 3));
        assert_eq!(of("price = tax", "price = tax ; a = b ; c = d"), (2, 6));
        assert_eq!(of("( )", "( ; )"), (0, 0));
    }

    #[test]
    fn a_small_copy_may_have_a_statement_more() {
        // A statement begins after each `;`.
        let of = |left: &str, right: &str| {
            let [left, right] = [left, right].map(symbols);
            let semicolon = symbols(";")[0];
            let starts = |symbols: &[u32]| -> Vec<u32> {
                let behind = (1u32..).zip(symbols).filter(|&(_, &symbol)| symbol == semicolon);
                std::iter::once(0)
                    .chain(behind.map(|(at, _)| at))
                    .filter(|&at| (at as usize) < symbols.len())
                    .collect()
            };
            let (left_starts, right_starts) = (starts(&left), starts(&right));
            let mut pairs = Vec::new();
            pair_up(
                Sequence { symbols: &left, line_starts: &left_starts },
                Sequence { symbols: &right, line_starts: &right_starts },
                true,
                &mut pairs,
            ) && are_renamed_throughout(&pairs)
        };
        let code =
            "price = tax ( item ) ; price = price + rate ( item ) ; list . push ( price ) ; send ( list ) ;";
        assert!(of(code, &code.replace("price", "cost")));
        assert!(of(code, &code.replace("list . push", "log ( item ) ; list . push")));
        assert!(!of(code, &code.replace("tax", "fee")), "a word that stands once is another thing");
        assert!(!of(code, "price = tax ( item ) ;"));
    }
}
