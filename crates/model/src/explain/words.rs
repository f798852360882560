//! What words add to the cosine of two bags of words.
//!
//! A bag's vector is the sum of its words' rows, so the cosine of two is exactly a sum over pairs of a word on the left and a word on
//! the right. A word that both sides have adds most. Words that are used alike have rows alike, so that `low` and `mid` add something,
//! too.

use crate::bag::{Bag, Features};
use crate::input::Placed;
use crate::network::dot;

/// Most words that an explanation lists.
pub const MOST_WORDS: usize = 12;

/// Words of each side, those that count most there, among which related ones are looked for.
const COMPARED: usize = 64;

/// Least cosine of the rows of two words that are said to be related.
const RELATED: f32 = 0.4;

/// A word on the left and a word on the right that count alike: mostly the same.
#[derive(Clone, Debug, PartialEq)]
pub struct AlikeWords {
    /// In small letters.
    pub left: String,
    pub right: String,
    /// What the two add to the cosine of the words.
    pub adds: f32,
}

/// The words of one side.
pub(super) struct SideWords<'p> {
    /// By number.
    words: Vec<Word<'p>>,
    /// The length of their vector.
    length: f32,
}

struct Word<'p> {
    number: u16,
    /// How it is spelled: words that share a number are one word to the encoder.
    spelled: Vec<&'p str>,
    /// Its row as long as it counts.
    row: Vec<f32>,
    /// How much of its side's vector it is.
    of_side: f32,
}

impl<'p> SideWords<'p> {
    pub(super) fn new(bag: &Bag, placed: &'p Placed) -> Self {
        let mut features = Features::default();
        features.read(&placed.sequence);
        let mut spellings: Vec<(u16, &str)> =
            placed.sequence.words.iter().copied().zip(placed.words.iter().map(String::as_str)).collect();
        spellings.sort_unstable();
        spellings.dedup();
        let mut vector = vec![0.0; bag.columns()];
        let word = |&(number, weight): &(u16, f32)| {
            let mut row = vec![0.0; bag.columns()];
            bag.add_word(number, weight, &mut row);
            let first = spellings.partition_point(|(other, _)| *other < number);
            let same = spellings[first..].iter().take_while(|(other, _)| *other == number);
            Word { number, spelled: same.map(|(_, text)| *text).collect(), row, of_side: 0.0 }
        };
        let mut words: Vec<Word<'_>> = features.words.iter().map(word).collect();
        for word in &words {
            vector.iter_mut().zip(&word.row).for_each(|(sum, x)| *sum += x);
        }
        let length = dot(&vector, &vector).sqrt();
        for word in &mut words {
            word.of_side = if length > 0.0 { dot(&word.row, &vector) / (length * length) } else { 0.0 };
        }
        Self { words, length }
    }

    fn find(&self, number: u16) -> Option<&Word<'p>> {
        self.words.binary_search_by_key(&number, |word| word.number).ok().map(|at| &self.words[at])
    }

    /// The words that `other` does not have, those first that are most of this side.
    fn without(&self, other: &Self) -> Vec<&Word<'p>> {
        let mut alone: Vec<&Word<'p>> =
            self.words.iter().filter(|word| other.find(word.number).is_none()).collect();
        alone.sort_by(|a, b| b.of_side.total_cmp(&a.of_side).then_with(|| a.spelled.cmp(&b.spelled)));
        alone
    }
}

/// The words of both sides that count alike, those that add most first; and the words that are left on each side, those first that are
/// most of it. At most [`MOST_WORDS`] of each.
pub(super) fn alike([left, right]: [&SideWords<'_>; 2]) -> (Vec<AlikeWords>, [Vec<String>; 2]) {
    let mut alike: Vec<AlikeWords> = left
        .words
        .iter()
        .filter_map(|word| {
            let other = right.find(word.number)?;
            let shared = word.spelled.iter().find(|text| other.spelled.contains(text));
            let [a, b] = [word, other].map(|word| (*shared.unwrap_or(&word.spelled[0])).to_owned());
            Some(AlikeWords { left: a, right: b, adds: adds([left, right], [word, other]) })
        })
        .collect();
    let mut alone = [left.without(right), right.without(left)];
    alike.extend(related([left, right], &mut alone));
    alike.retain(|words| words.adds > 0.0);
    alike.sort_by(|a, b| {
        b.adds.total_cmp(&a.adds).then_with(|| (&a.left, &a.right).cmp(&(&b.left, &b.right)))
    });
    alike.truncate(MOST_WORDS);
    let listed = |words: Vec<&Word<'_>>| {
        let telling = words.into_iter().filter(|word| word.of_side > 0.0).take(MOST_WORDS);
        telling.map(|word| word.spelled[0].to_owned()).collect()
    };
    (alike, alone.map(listed))
}

/// What two words add to the cosine of two sides.
fn adds([left, right]: [&SideWords<'_>; 2], [a, b]: [&Word<'_>; 2]) -> f32 {
    let lengths = left.length * right.length;
    if lengths > 0.0 { dot(&a.row, &b.row) / lengths } else { 0.0 }
}

/// Takes words out of `alone` that are related, each with one other, those first that add most.
fn related(sides: [&SideWords<'_>; 2], alone: &mut [Vec<&Word<'_>>; 2]) -> Vec<AlikeWords> {
    let mut candidates = Vec::new();
    for (i, a) in alone[0].iter().enumerate().take(COMPARED) {
        for (j, b) in alone[1].iter().enumerate().take(COMPARED) {
            let lengths = (dot(&a.row, &a.row) * dot(&b.row, &b.row)).sqrt();
            if lengths > 0.0 && dot(&a.row, &b.row) >= RELATED * lengths {
                candidates.push((adds(sides, [a, b]), [i, j]));
            }
        }
    }
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut taken = [vec![false; alone[0].len()], vec![false; alone[1].len()]];
    let mut found = Vec::new();
    for (adds, [i, j]) in candidates {
        if !taken[0][i] && !taken[1][j] {
            (taken[0][i], taken[1][j]) = (true, true);
            let [left, right] = [alone[0][i], alone[1][j]].map(|word| word.spelled[0].to_owned());
            found.push(AlikeWords { left, right, adds });
        }
    }
    for (words, taken) in alone.iter_mut().zip(taken) {
        let mut taken = taken.into_iter();
        words.retain(|_| !taken.next().unwrap_or_default());
    }
    found
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;
    use crate::explain::{Explain, PartName};
    use crate::{Builtin, Code, SequenceReader};

    #[test]
    fn what_all_pairs_of_words_add_is_the_cosine_of_the_words() {
        let texts = [
            &b"def find(items, wanted):\n    low, high = 0, len(items)\n    log('not found')\n"[..],
            b"int search(int[] items, int key) { int lo = 0; int hi = items.length; log(\"found\"); }",
        ];
        let languages = [Language::Python, Language::Java];
        let placed =
            [0, 1].map(|side: usize| SequenceReader::default().read_placed(languages[side], texts[side]));
        let weights = Builtin::shipped();
        let [left, right] = placed.each_ref().map(|placed| SideWords::new(weights.bag(), placed));
        let sides = [&left, &right];
        let pairs = left.words.iter().flat_map(|a| right.words.iter().map(move |b| [a, b]));
        let sum: f32 = pairs.map(|pair| adds(sides, pair)).sum();
        let codes = [0, 1].map(|side: usize| Code { language: languages[side], text: texts[side] });
        let explanation = weights.explain(codes);
        let words = explanation.parts.iter().find(|part| part.name == PartName::Words).expect("a part");
        assert!((sum - words.cosine).abs() < 1e-4, "{sum} {}", words.cosine);
        assert!(words.cosine > 0.1);
    }

    #[test]
    fn a_words_share_of_its_side_sums_to_one() {
        let text = b"total = price_of(item) + tax_of(item)";
        let placed = SequenceReader::default().read_placed(Language::Python, text);
        let side = SideWords::new(Builtin::shipped().bag(), &placed);
        let sum: f32 = side.words.iter().map(|word| word.of_side).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    }
}
