//! Splits without leaks: pairs that share code are in one part.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::form::Forms;
use crate::pair::Pair;

/// A part of the pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    Train,
    Valid,
    Test,
}

impl Split {
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Valid => "valid",
            Self::Test => "test",
        }
    }
}

/// The part of each pair: about eight in ten are to train on, and one to validate and to test each. Pairs of one seed, and pairs that have
/// a copy (Type-1 or Type-2) of the same code, are in one part.
pub(crate) fn splits(pairs: &[Pair], seed: u64) -> Vec<Split> {
    let forms: Vec<[u128; 2]> = pairs
        .par_iter()
        .map_init(Forms::default, |forms, pair| {
            [forms.of(&pair.lang1, &pair.code1), forms.of(&pair.lang2, &pair.code2)]
        })
        .collect();
    let mut groups = Groups((0..pairs.len()).collect());
    let (mut by_form, mut by_seed) = (BTreeMap::new(), BTreeMap::new());
    for (at, (pair, forms)) in pairs.iter().zip(&forms).enumerate() {
        groups.join(*by_seed.entry(pair.seed_id.as_str()).or_insert(at), at);
        for form in forms {
            groups.join(*by_form.entry(*form).or_insert(at), at);
        }
    }
    let of_group = |first: usize| match xxh3_64_with_seed(pairs[first].seed_id.as_bytes(), seed) % 10 {
        0 => Split::Test,
        1 => Split::Valid,
        _ => Split::Train,
    };
    (0..pairs.len()).map(|at| of_group(groups.first(at))).collect()
}

/// Disjoint sets (Tarjan 1975): each member points to an earlier one of its set.
struct Groups(Vec<usize>);

impl Groups {
    fn first(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::pair::Band;

    /// A pair of Python functions.
    pub(crate) fn pair(id: &str, seed_id: &str, code1: &str, code2: &str) -> Pair {
        Pair {
            id: id.to_owned(),
            seed_id: seed_id.to_owned(),
            prompt: "p".to_owned(),
            lang1: "python".to_owned(),
            lang2: "python".to_owned(),
            code1: code1.to_owned(),
            code2: code2.to_owned(),
            band: Band::Type4,
            lines: Some(0.25),
            tokens: Some(0.5),
            bigclone: None,
            short: false,
            syntactic: None,
            semantic: None,
            contamination: None,
        }
    }

    #[test]
    fn pairs_that_share_code_are_in_one_part() {
        let function = |at: usize| format!("def f(x):\n    return x{}\n", " + x".repeat(at));
        let mut pairs: Vec<Pair> = (0..200)
            .map(|at| pair(&at.to_string(), &format!("s{at}"), &function(2 * at), &function(2 * at + 1)))
            .collect();
        // A renamed copy of the first seed, with another implementation.
        pairs.push(pair("copy", "other", "def g(y):\n    return y\n", "def g(y):\n    return [y][0]\n"));
        let parts = splits(&pairs, 1);
        assert_eq!(parts[200], parts[0]);
        for part in [Split::Train, Split::Valid, Split::Test] {
            assert!(parts.contains(&part), "{part:?}");
        }
        assert!(parts.iter().filter(|it| **it == Split::Train).count() > 130);
    }
}
