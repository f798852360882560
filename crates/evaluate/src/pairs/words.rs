//! Words of identifiers, and how alike two pieces of code are by them.

use std::cmp::Ordering;

/// Appends the words of `name` in small letters: it is split where the case changes and at all that is neither letter
/// nor digit. `maxSum2` and `MAX_SUM2` are max and sum2, `HTTPServer` is http and server.
pub(super) fn of_name(name: &str, out: &mut Vec<String>) {
    let letters: Vec<char> = name.chars().collect();
    let mut word = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let after_small = at > 0 && !letters[at - 1].is_uppercase();
        let before_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let starts = letter.is_uppercase() && (after_small || before_small);
        if (starts || !letter.is_alphanumeric()) && !word.is_empty() {
            out.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
}

/// For each piece of code its words and their weights, sorted by word.
pub(super) struct TfIdf {
    weights: Vec<Box<[(u32, f32)]>>,
}

impl TfIdf {
    /// Weighs the words of each piece by their number in it and by their rarity among all: n · (ln((1 + N) / (1 + df)) + 1),
    /// scaled to length 1.
    pub(super) fn new<'p>(
        pieces: impl ExactSizeIterator<Item = &'p [u32]> + Clone,
        vocabulary: usize,
    ) -> Self {
        let total = pieces.len();
        let counted: Vec<Vec<(u32, f32)>> = pieces.map(counts).collect();
        let mut frequencies = vec![0u32; vocabulary];
        for &(word, _) in counted.iter().flatten() {
            frequencies[word as usize] += 1;
        }
        let rarity = |word: u32| {
            let frequency = f64::from(frequencies[word as usize]);
            ((1.0 + total as f64) / (1.0 + frequency)).ln() + 1.0
        };
        let weigh = |mut counts: Vec<(u32, f32)>| {
            for (word, weight) in &mut counts {
                *weight *= rarity(*word) as f32;
            }
            let length = counts.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt();
            for (_, weight) in &mut counts {
                *weight /= length;
            }
            counts.into_boxed_slice()
        };
        Self { weights: counted.into_iter().map(weigh).collect() }
    }

    /// The cosine of two pieces, by their numbers; 0 where one has no words.
    pub(super) fn cosine(&self, left: u32, right: u32) -> f64 {
        let (mut left, mut right) = (&*self.weights[left as usize], &*self.weights[right as usize]);
        let mut sum = 0.0;
        while let (Some((a, rest_a)), Some((b, rest_b))) = (left.split_first(), right.split_first()) {
            match a.0.cmp(&b.0) {
                Ordering::Less => left = rest_a,
                Ordering::Greater => right = rest_b,
                Ordering::Equal => {
                    sum += f64::from(a.1) * f64::from(b.1);
                    (left, right) = (rest_a, rest_b);
                }
            }
        }
        sum
    }
}

fn counts(words: &[u32]) -> Vec<(u32, f32)> {
    let mut sorted = words.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_case_and_underscores() {
        let mut words = Vec::new();
        for name in ["maxSum2", "MAX_SUM2", "HTTPServer", "$_x"] {
            of_name(name, &mut words);
        }
        assert_eq!(words, ["max", "sum2", "max", "sum2", "http", "server", "x"]);
    }

    #[test]
    fn rare_words_weigh_more_and_no_words_are_like_nothing() {
        let pieces: [&[u32]; 5] = [&[0, 1], &[0, 2], &[1, 3], &[], &[0]];
        let words = TfIdf::new(pieces.into_iter(), 4);
        assert!((words.cosine(0, 0) - 1.0).abs() < 1e-6);
        assert!(words.cosine(0, 2) > words.cosine(0, 1) && words.cosine(0, 1) > 0.0);
        assert_eq!((words.cosine(0, 3), words.cosine(1, 2)), (0.0, 0.0));
    }
}
