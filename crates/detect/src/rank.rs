//! How much a reader would care for a class: what its members say alike, times how often it is said.
//!
//! What code says is measured as in document retrieval (Spärck Jones 1972; Salton and Buckley 1988): each distinct
//! token that the representative shares with the first member that differs counts with its information, −log₂ of its
//! share among a sample of the collection's tokens, times 1 + ln of how often it stands in both. So boilerplate, made of
//! tokens that stand everywhere, and tables, made of few tokens over and over, rank low. Literals say nothing. How often
//! it is said is log₂ of the number of copies. A class whose members all stand in tests, or in folders of what others wrote,
//! counts less, so does one of markup, and one of style sheets least. The text of a license, in a here document or printed
//! line by line, counts next to nothing.
//!
//! All of that says how large a class is. The surer the program is that a reader wants to see the class, the more of it
//! counts ([`familiar_search::relevance`]). So what comes first is both large and sure.

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
/// What a class of tests, of code of others, or of markup counts: so little that it comes after the code of the same size. Chosen
/// with the readings of `docs/precision.md`, and not tuned by them.
const ASIDE: f64 = 0.3;
/// What a class of style sheets counts: less, since half of them were wrong in those readings, and the same sheet often stands
/// beside each of several examples.
const STYLES: f64 = 0.1;
/// How much relevance counts: with 30, a class of which the program is 90 % sure counts a twentieth of a certain one, and one
/// of 95 % a fifth. In the judged trees a smaller value left more wrong classes among the first 20, and a larger one no fewer.
const STEEPNESS: i32 = 30;
/// How fast the classes of two files, or of one, count less: the second a quarter of what it would count alone, the third a
/// ninth. So two versions of one file do not fill the first screen.
const FADING: i32 = 2;
/// What the text of a license counts: as it is long and rare, it would lead the list otherwise. Any small number does.
const LICENSE: f64 = 0.02;

/// How large a class is, whatever the program thinks of it: `content` of its representative, the `language` that it is
/// written in, the number of its members, and whether all of them stand in tests or in code of others. `is_license` says that the
/// representative is the text of a license.
pub(crate) fn score(
    content: f64,
    language: Language,
    copies: usize,
    is_aside: bool,
    is_license: bool,
) -> f64 {
    let weight = match language {
        Language::Css => STYLES,
        _ if is_aside || is_markup(language) => ASIDE,
        _ => 1.0,
    };
    let weight = weight * if is_license { LICENSE } else { 1.0 };
    (content * (copies as f64).log2() * weight).round()
}

/// Sorts classes by their scores, the highest first, and says what each counts. `files` tells in which documents the first
/// two members stand.
///
/// Who has seen one class of two files has seen what they have in common, so the nth of them counts 1 / n to the power of
/// `fading`.
pub(crate) fn ordered(
    mut classes: Vec<ClassRow>,
    files: impl Fn(&ClassRow) -> [u32; 2],
    fading: i32,
) -> Vec<(f64, ClassRow)> {
    let compare = |a: f64, b: f64, left: &ClassRow, right: &ClassRow| {
        b.total_cmp(&a).then(left.representative.cmp(&right.representative))
    };
    classes.sort_by(|a, b| compare(a.score, b.score, a, b));
    let mut before: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    let count = |class: ClassRow| {
        let mut files = files(&class);
        files.sort_unstable();
        let seen = before.entry(files).or_default();
        *seen += 1;
        ((class.score / f64::from(*seen).powi(fading)).round(), class)
    };
    let mut counted: Vec<_> = classes.into_iter().map(count).collect();
    counted.sort_by(|a, b| compare(a.0, b.0, &a.1, &b.1));
    counted
}

/// The classes in the order in which a reader should see them: what is sure before what is not, and what two files have
/// in common only a few times before what other files have. Their scores are what they count. Nested classes stay where they
/// are.
pub(crate) fn surest_first(
    mut classes: Vec<ClassRow>,
    files: impl Fn(&ClassRow) -> [u32; 2],
) -> Vec<ClassRow> {
    let weigh = |class: &mut ClassRow| class.score *= class.relevance.powi(STEEPNESS);
    classes.iter_mut().flat_map(|class| &mut class.nested).for_each(|nested| {
        weigh(nested);
        nested.score = nested.score.round();
    });
    classes.iter_mut().for_each(weigh);
    let counted = ordered(classes, files, FADING);
    counted.into_iter().map(|(score, class)| ClassRow { score, ..class }).collect()
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
            relevance: 1.0,
            ..ClassRow::default()
        };
        // The first three stand in the same file.
        let classes = vec![class(0, 90.0), class(2, 80.0), class(4, 70.0), class(10, 50.0)];
        let ranked = surest_first(classes, |class| [class.representative / 10; 2]);
        let ranked: Vec<_> = ranked.iter().map(|class| (class.representative, class.score)).collect();
        assert_eq!(ranked, [(0, 90.0), (10, 50.0), (2, 20.0), (4, 8.0)]);
    }

    #[test]
    fn what_is_sure_comes_before_what_is_only_large() {
        let class = |representative, score, relevance| ClassRow {
            representative,
            score,
            relevance,
            ..ClassRow::default()
        };
        let ranked =
            surest_first(vec![class(0, 90.0, 0.9), class(1, 40.0, 1.0)], |class| [class.representative; 2]);
        let ranked: Vec<_> = ranked.iter().map(|class| (class.representative, class.score)).collect();
        assert_eq!(ranked, [(1, 40.0), (0, 4.0)]);
    }
}
