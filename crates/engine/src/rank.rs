//! How much a reader would care for a class: what its members say alike, times how often it is said.
//!
//! What code says is measured as in document retrieval (Spärck Jones 1972; Salton and Buckley 1988): each distinct
//! token that the representative shares with the first member that differs counts with its information, −log₂ of its
//! share among a sample of the collection's tokens, times 1 + ln of how often it stands in both. So boilerplate, made of
//! tokens that stand everywhere, and tables, made of few tokens over and over, rank low. Literals say nothing. How often
//! it is said is log₂ of the number of copies. A class whose members all stand in tests counts less, and so
//! does one of markup. The text of a license, in a here document or printed line by line, counts next to nothing.

use std::collections::BTreeMap;
use std::io;

use familiar_index::Collection;
use familiar_report::ClassRow;
use familiar_search::Place;
use familiar_source::Language;
use familiar_syntax::languages::others::is_markup;
use familiar_syntax::normal::Symbol;

/// Counters; symbols are hashes already, so their high bits choose one.
const SLOTS_LOG2: u32 = 20;
/// About how many tokens are counted.
const SAMPLE: u64 = 1 << 21;
/// What a class of tests, or of markup, counts.
const ASIDE: f64 = 0.3;
/// What the text of a license counts.
const LICENSE: f64 = 0.02;

/// The score of a class: `content` of its representative, which is written in `language`, the number of its members, and
/// whether all of them stand in tests. `is_license` says that the representative is the text of a license.
pub(crate) fn score(
    content: f64,
    language: Language,
    copies: usize,
    in_tests: bool,
    is_license: bool,
) -> f64 {
    let aside = in_tests || is_markup(language);
    let weight = if aside { ASIDE } else { 1.0 } * if is_license { LICENSE } else { 1.0 };
    (content * (copies as f64).log2() * weight).round()
}

/// Sorts classes by their scores, the highest first. `files` tells in which documents the first two members stand.
///
/// Who has seen one class of two files has seen what they have in common; the next of them counts half as much, the one
/// after that a third. So a file of declarations does not fill the first screen.
pub(crate) fn order(classes: &mut [ClassRow], files: impl Fn(&ClassRow) -> [u32; 2]) {
    let by_score = |a: &ClassRow, b: &ClassRow| {
        b.score.total_cmp(&a.score).then(a.representative.cmp(&b.representative))
    };
    classes.sort_by(by_score);
    let mut before: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    for class in &mut *classes {
        let mut files = files(class);
        files.sort_unstable();
        let seen = before.entry(files).or_default();
        *seen += 1;
        class.score = (class.score / f64::from(*seen)).round();
    }
    classes.sort_by(by_score);
}

/// How often tokens occur, over a sample of the collection's files.
pub(crate) struct Rarity {
    counts: Vec<u32>,
    total: u64,
}

impl Rarity {
    pub(crate) fn of(collection: &Collection) -> io::Result<Self> {
        let mut rarity = Self { counts: vec![0; 1 << SLOTS_LOG2], total: 0 };
        let step = (collection.tokens.total() / SAMPLE + 1) as usize;
        let mut buffer = Vec::new();
        for file in (0..collection.files.len() as u32).step_by(step) {
            for &symbol in collection.tokens.file(file, &mut buffer)? {
                rarity.counts[slot(symbol)] += 1;
                rarity.total += 1;
            }
        }
        Ok(rarity)
    }

    /// What the code at `place` says, in bits; only as far as that at `other` says it too, and less where that is a
    /// small part of it. Keeps its memory in what it is given.
    pub(crate) fn content(
        &self,
        collection: &Collection,
        place: Place,
        other: Option<Place>,
        [own, others]: &mut [Vec<u32>; 2],
    ) -> io::Result<f64> {
        read(collection, place, own)?;
        if let Some(other) = other {
            read(collection, other, others)?;
        }
        let mut rest = others.as_slice();
        let (mut content, mut whole) = (0.0, 0.0);
        for same in own.chunk_by(|a, b| a == b) {
            let symbol = same[0];
            let times = if other.is_some() {
                rest = &rest[rest.partition_point(|&other| other < symbol)..];
                same.len().min(rest.partition_point(|&other| other == symbol))
            } else {
                same.len()
            };
            let share = f64::from(self.counts[slot(symbol)] + 1) / (self.total + 1) as f64;
            let says = |times: usize| if times == 0 { 0.0 } else { 1.0 + (times as f64).ln() };
            content -= share.log2() * says(times);
            whole -= share.log2() * says(same.len());
        }
        Ok(if whole > 0.0 { content * content / whole } else { 0.0 })
    }
}

/// Replaces `symbols` by those at `place`, without literals, sorted.
fn read(collection: &Collection, place: Place, symbols: &mut Vec<u32>) -> io::Result<()> {
    let mut buffer = Vec::new();
    let tokens = collection.tokens.get(place.file, place.tokens.start..place.tokens.end, &mut buffer)?;
    symbols.clear();
    symbols.extend(tokens.iter().filter(|&&symbol| !Symbol(symbol).class().is_literal()));
    symbols.sort_unstable();
    Ok(())
}

fn slot(symbol: u32) -> usize {
    (symbol.wrapping_mul(0x9E37_79B1) >> (32 - SLOTS_LOG2)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_files_have_in_common_counts_less_each_time() {
        let class = |representative, score| ClassRow {
            representative,
            members: vec![representative, representative + 1],
            score,
            ..ClassRow::default()
        };
        // The first three stand in the same file.
        let mut classes = vec![class(0, 90.0), class(2, 80.0), class(4, 70.0), class(10, 50.0)];
        order(&mut classes, |class| [class.representative / 10; 2]);
        let ranked: Vec<_> = classes.iter().map(|class| (class.representative, class.score)).collect();
        assert_eq!(ranked, [(0, 90.0), (10, 50.0), (2, 40.0), (4, 23.0)]);
    }
}
