//! SourcererCC's similarity: how much of the larger of two token bags the other has too.
//!
//! A fragment's bag holds its identifiers, keywords, literals, built-in types and imports, and no operators (Sajnani et
//! al., *SourcererCC: Scaling Code Clone Detection to Big-Code*, ICSE 2016). Two fragments are similar when the multiset
//! intersection of their bags is a given share of the larger bag. [`TokenOverlap::links`] finds every such pair.

use familiar_index::Collection;
use familiar_source::TokenClass;
use familiar_syntax::normal::Symbol;

use crate::equal::Equal;
use crate::nodes::Nodes;
use crate::similar::{Sequence, SimilarSettings, Similarity};
use crate::{Link, SearchError};

/// The multiset intersection of two fragments' tokens over the larger bag.
#[derive(Debug)]
pub struct TokenOverlap;

impl Similarity for TokenOverlap {
    fn reads_lines(&self) -> bool {
        false
    }

    fn of(&self, left: Sequence<'_>, right: Sequence<'_>) -> f64 {
        if left.symbols == right.symbols {
            return 1.0;
        }
        let (left, right) = (sorted_bag(left.symbols), sorted_bag(right.symbols));
        let larger = left.len().max(right.len());
        if larger == 0 { 0.0 } else { f64::from(common(&left, &right)) / larger as f64 }
    }

    fn links(
        &self,
        collection: &Collection,
        equal: &Equal,
        settings: &SimilarSettings<'_>,
    ) -> Result<Vec<Link>, SearchError> {
        let nodes = Nodes::new(collection, equal);
        let read = |node, out: &mut Vec<u32>| {
            let fragment = nodes.fragment(node);
            let range = fragment.first..fragment.first + fragment.tokens;
            let mut buffer = Vec::new();
            let symbols = collection.tokens.get(fragment.file, range, &mut buffer)?;
            bag(symbols, out);
            Ok(())
        };
        nodes.links(settings, read, |_, _, intersection| Ok(intersection))
    }
}

/// Replaces `out` by the tokens of a fragment that count.
fn bag(symbols: &[u32], out: &mut Vec<u32>) {
    out.clear();
    out.extend(symbols.iter().filter(|&&symbol| Symbol(symbol).class() != TokenClass::Operator));
}

/// The tokens of a fragment that count, ascending.
pub fn sorted_bag(symbols: &[u32]) -> Vec<u32> {
    let mut tokens = Vec::with_capacity(symbols.len());
    bag(symbols, &mut tokens);
    tokens.sort_unstable();
    tokens
}

/// The size of the multiset intersection of two sorted bags.
fn common(a: &[u32], b: &[u32]) -> u32 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        common += u32::from(a[i] == b[j]);
        let (step_a, step_b) = (a[i] <= b[j], b[j] <= a[i]);
        i += usize::from(step_a);
        j += usize::from(step_b);
    }
    common
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{self, brute_force};

    #[test]
    fn operators_do_not_count_and_repetitions_do() {
        let symbols = |words: &str| testing::symbols(words);
        let of = |left: &str, right: &str| {
            let (left, right) = (symbols(left), symbols(right));
            TokenOverlap.of(testing::sequence(&left), testing::sequence(&right))
        };
        assert!((of("a = b + a", "a ( a ( a ( b") - 0.75).abs() < 1e-12);
        assert!((of("+ -", "+ -") - 1.0).abs() < 1e-12 && of("+ -", "- +").abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn links_are_what_comparing_all_pairs_gives(
            fragments in testing::fragments(),
            percent in 30u32..=100,
            memory in prop::sample::select(vec![0usize, 1 << 20]),
        ) {
            let similarity = f64::from(percent) / 100.0;
            let settings = SimilarSettings { similarity, cross_families: false, memory, evidence: None };
            let (collection, equal) = testing::collection(&fragments);
            let links = TokenOverlap.links(&collection, &equal, &settings).expect("tokens are in memory");
            prop_assert_eq!(links, brute_force(&TokenOverlap, &collection, &equal, &settings));
        }
    }
}
