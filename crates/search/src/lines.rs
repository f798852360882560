//! NiCad's similarity: the longest common subsequence of pretty-printed, renamed lines.
//!
//! Fragments are broken into one line per statement. Each line is renamed blindly: identifiers are alike, and so are literals of one kind.
//! The *unique items* of a side are the lines that are not in a longest common subsequence of both (Roy and Cordy, *NICAD*, ICPC 2008). The
//! similarity is one less the larger share of unique items (UPI), which is the length of the subsequence over the larger number of lines.
//! Lines with a closing brace alone are not compared, as in NiCad since its version 5.8. As a subsequence is no longer than the multiset
//! intersection of the lines, [`Lines::links`] compares only the pairs whose bags of lines overlap enough.

use std::borrow::Cow;
use std::hash::Hasher;
use std::io;

use familiar_index::{Collection, FragmentEntry};
use familiar_source::TokenClass;
use familiar_syntax::normal::Symbol;
use rayon::prelude::*;
use rustc_hash::FxHasher;

use crate::equal::Equal;
use crate::nodes::Nodes;
use crate::similar::{Sequence, SimilarSettings, Similarity};
use crate::{Link, SearchError};

/// One less the larger share of lines that are not in a longest common subsequence.
#[derive(Debug)]
pub struct Lines;

impl Similarity for Lines {
    fn reads_lines(&self) -> bool {
        true
    }

    fn of(&self, left: Sequence<'_>, right: Sequence<'_>) -> f64 {
        let (left, right) = (lines(left), lines(right));
        let larger = left.len().max(right.len());
        if larger == 0 { 1.0 } else { f64::from(Masks::of(&left).subsequence(&right)) / larger as f64 }
    }

    fn links(
        &self,
        collection: &Collection,
        equal: &Equal,
        settings: &SimilarSettings<'_>,
    ) -> Result<Vec<Link>, SearchError> {
        let nodes = Nodes::new(collection, equal);
        let numbers = 0..equal.nodes.len() as u32;
        let read = |node| lines_of(collection, nodes.fragment(node));
        // Lines are about a tenth of the tokens: where they fit they are kept, not read again for each comparison.
        let bytes =
            |node| nodes.fragment(node).tokens as usize / 8 * size_of::<u32>() + size_of::<Vec<u32>>();
        let bytes: usize = numbers.clone().map(bytes).sum();
        let kept: Vec<Vec<u32>> = if bytes <= settings.memory / 2 {
            numbers.into_par_iter().map(read).collect::<io::Result<_>>()?
        } else {
            Vec::new()
        };
        let lines = |node: u32| match kept.get(node as usize) {
            Some(lines) => Ok(Cow::Borrowed(lines)),
            None => read(node).map(Cow::Owned),
        };
        let copy = |node: u32, out: &mut Vec<u32>| {
            let lines = lines(node)?;
            out.clone_from(&lines);
            Ok(())
        };
        let in_order = |left: u32, right: u32, _| Ok(Masks::of(&lines(left)?).subsequence(&lines(right)?));
        nodes.links(settings, copy, in_order)
    }
}

fn lines_of(collection: &Collection, fragment: &FragmentEntry) -> io::Result<Vec<u32>> {
    let mut line_starts = Vec::new();
    collection.line_starts_of(fragment, &mut line_starts)?;
    let mut buffer = Vec::new();
    let range = fragment.first..fragment.first + fragment.tokens;
    let symbols = collection.tokens.get(fragment.file, range, &mut buffer)?;
    Ok(lines(Sequence { symbols, line_starts: &line_starts }))
}

/// The lines of a fragment, each as a hash of its blindly renamed tokens, without those that are only a closing brace. What comes before
/// the first start is a line.
fn lines(sequence: Sequence<'_>) -> Vec<u32> {
    let Sequence { symbols, line_starts } = sequence;
    let inner = line_starts.iter().map(|&at| at as usize).filter(|&at| 0 < at && at < symbols.len());
    let ends = inner.chain([symbols.len()]);
    let mut lines = Vec::with_capacity(line_starts.len() + 1);
    let brace = Symbol::new(TokenClass::Operator, b"}");
    let mut start = 0;
    for end in ends.filter(|_| !symbols.is_empty()) {
        if symbols[start..end] == [brace.0] {
            start = end;
            continue;
        }
        let mut hasher = FxHasher::default();
        for &symbol in &symbols[start..end] {
            hasher.write_u32(renamed(Symbol(symbol)).0);
        }
        let hash = hasher.finish();
        lines.push((hash ^ (hash >> 32)) as u32);
        start = end;
    }
    lines
}

/// A symbol as NiCad's blind renaming has it: identifiers are alike, and so are literals of one kind; built-in types stay.
fn renamed(symbol: Symbol) -> Symbol {
    match symbol.class() {
        TokenClass::Type => symbol,
        class @ (TokenClass::Number | TokenClass::String | TokenClass::Char) => Symbol(class as u32),
        _ => symbol.blind(),
    }
}

/// For each different line of a fragment its places as bits: what the bit-parallel longest common subsequence reads
/// (Hyyrö, *Bit-Parallel LCS-length Computation Revisited*, AWOCA 2004).
struct Masks {
    lines: usize,
    words: usize,
    /// The different lines, sorted; the bits of the n-th are the n-th `words` words.
    different: Vec<u32>,
    bits: Vec<u64>,
}

impl Masks {
    fn of(lines: &[u32]) -> Self {
        let words = lines.len().div_ceil(64);
        let mut different = lines.to_vec();
        different.sort_unstable();
        different.dedup();
        let mut bits = vec![0u64; different.len() * words];
        for (at, line) in lines.iter().enumerate() {
            let number = different.binary_search(line).expect("every line is in the list");
            bits[number * words + at / 64] |= 1 << (at % 64);
        }
        Self { lines: lines.len(), words, different, bits }
    }

    /// The length of a longest common subsequence with `other`.
    fn subsequence(&self, other: &[u32]) -> u32 {
        // A zero bit: the subsequence grows at this line.
        let mut row = vec![!0u64; self.words];
        for line in other {
            if let Ok(number) = self.different.binary_search(line) {
                advance(&mut row, &self.bits[number * self.words..][..self.words]);
            }
        }
        let ones: u32 = row.iter().map(|word| word.count_ones()).sum();
        // Bits past the last line have no match and stay set.
        let past = (self.words * 64 - self.lines) as u32;
        self.lines as u32 - (ones - past)
    }
}

fn advance(row: &mut [u64], matches: &[u64]) {
    let mut carry = false;
    for (word, &matches) in row.iter_mut().zip(matches) {
        let (sum, first) = word.overflowing_add(*word & matches);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        *word = sum | (*word & !matches);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{self, brute_force};

    /// The textbook table.
    fn subsequence(a: &[u32], b: &[u32]) -> u32 {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (at, y) in b.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if x == y { diagonal + 1 } else { above.max(row[at]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    #[test]
    fn a_third_of_the_lines_replaced_leaves_two_thirds() {
        // One word a line: names are alike, keywords are not.
        let of = |left: &str, right: &str| {
            let (left, right) = (testing::symbols(left), testing::symbols(right));
            let starts: Vec<u32> = (0..10).collect();
            let sequence = |symbols| Sequence { symbols, line_starts: &starts };
            Lines.of(sequence(&left), sequence(&right))
        };
        assert!((of("IF a FOR", "IF b WHILE") - 2.0 / 3.0).abs() < 1e-12);
        assert!((of("IF a FOR x", "a IF FOR") - 0.5).abs() < 1e-12);
        assert!((of("IF a", "IF b") - 1.0).abs() < 1e-12);
    }

    #[test]
    fn lines_are_renamed_as_nicad_does() {
        use TokenClass::{Identifier, Number, Operator, String, Type};
        let of = |tokens: &[(TokenClass, &str)]| {
            let symbols: Vec<u32> =
                tokens.iter().map(|(class, text)| Symbol::new(*class, text.as_bytes()).0).collect();
            let starts: Vec<u32> = (0..symbols.len() as u32).collect();
            lines(Sequence { symbols: &symbols, line_starts: &starts })
        };
        let alike = |left, right| of(&[left]) == of(&[right]);
        assert!(alike((Identifier, "a"), (Identifier, "b")) && alike((Number, "1"), (Number, "2")));
        assert!(!alike((Number, "1"), (String, "1")) && !alike((Type, "int"), (Type, "long")));
        assert_eq!(of(&[(Identifier, "a"), (Operator, "}"), (Identifier, "b")]).len(), 2);
        assert_eq!(of(&[(Operator, "}")]), Vec::<u32>::new());
    }

    proptest! {
        #[test]
        fn the_bit_parallel_length_is_that_of_the_table(
            a in prop::collection::vec(0u32..9, 0..200),
            b in prop::collection::vec(0u32..9, 0..200),
        ) {
            prop_assert_eq!(Masks::of(&a).subsequence(&b), subsequence(&a, &b));
        }

        #[test]
        fn links_are_what_comparing_all_pairs_gives(
            fragments in testing::fragments(),
            percent in 30u32..=100,
            memory in prop::sample::select(vec![0, 1 << 20]),
        ) {
            let similarity = f64::from(percent) / 100.0;
            let settings = SimilarSettings { similarity, cross_families: false, memory, evidence: None };
            let (collection, equal) = testing::collection(&fragments);
            let links = Lines.links(&collection, &equal, &settings).expect("tokens are in memory");
            prop_assert_eq!(links, brute_force(&Lines, &collection, &equal, &settings));
        }
    }
}
