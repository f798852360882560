//! The words that tell licenses apart: *Affero*, *Lesser*, a version, *or later*, *endorse*, the name of an exception.
//!
//! `tools/xtask` derives them from rules that differ in few words and stand for different licenses.

use super::Word;

/// Which words an approximate match may neither lose nor add.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distinguishing {
    /// Words that mean another license where one stands in place of another: *2* and *3*, *MIT* and *BSD*.
    pub exchanged: Telling,
    /// Words that mean another license where they are there or not: *Affero*, *or later*.
    pub dropped: Telling,
    /// Words of passages that mean another license where they are there or not: *endorse*, *acknowledgment*.
    pub passages: Telling,
}

/// Whether a word tells licenses apart where it stands beside a certain other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Does {
    Not,
    Likely,
    /// Many rules say so.
    Surely,
}

impl Does {
    pub const ALL: [Self; 3] = [Self::Not, Self::Likely, Self::Surely];
}

/// Words that tell licenses apart. A word can do so in one place and not in another: *version 2*, and *2* before a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Telling {
    /// Words that do, where nothing is known of their neighbors; sorted.
    pub words: Vec<Word>,
    /// (word, word before it) and whether it does there; sorted.
    pub after: Vec<(Word, Word, Does)>,
    /// (word, word after it), likewise.
    pub before: Vec<(Word, Word, Does)>,
}

impl Telling {
    /// Whether the word at `at` of `tokens` tells licenses apart. What is known of a neighbor counts more than what is known of
    /// the word alone.
    pub fn has(&self, tokens: &[Word], at: usize) -> bool {
        match self.beside(tokens, at) {
            (None, None) => tokens.get(at).is_some_and(|word| self.words.binary_search(word).is_ok()),
            (before, after) => before.max(after) > Some(Does::Not),
        }
    }

    /// Whether a neighbor makes it sure that the word at `at` of `tokens` tells licenses apart, and none speaks against it.
    pub(crate) fn has_surely(&self, tokens: &[Word], at: usize) -> bool {
        let (before, after) = self.beside(tokens, at);
        before.max(after) == Some(Does::Surely) && before != Some(Does::Not) && after != Some(Does::Not)
    }

    /// Whether a neighbor makes it likely that the word at `at` of `tokens` tells licenses apart, and none speaks against it.
    pub(crate) fn has_beside(&self, tokens: &[Word], at: usize) -> bool {
        let (before, after) = self.beside(tokens, at);
        before.max(after) > Some(Does::Not) && before != Some(Does::Not) && after != Some(Does::Not)
    }

    /// What is known of a word after the one before it, and before the one after it.
    fn beside(&self, tokens: &[Word], at: usize) -> (Option<Does>, Option<Does>) {
        let Some(&word) = tokens.get(at) else { return (None, None) };
        let known = |pairs: &[(Word, Word, Does)], neighbor: Option<&Word>| {
            let neighbor = *neighbor?;
            let at = pairs.binary_search_by_key(&(word, neighbor), |pair| (pair.0, pair.1)).ok()?;
            Some(pairs[at].2)
        };
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        (known(&self.after, before), known(&self.before, tokens.get(at + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_count_more_than_the_word() {
        let telling = Telling {
            words: vec![3, 5],
            after: vec![(3, 1, Does::Not), (4, 1, Does::Likely), (6, 1, Does::Surely)],
            before: vec![(3, 2, Does::Likely), (5, 2, Does::Not), (6, 2, Does::Not), (6, 4, Does::Likely)],
        };
        for (tokens, at, expected, surely) in [
            (&[3][..], 0, true, false),
            (&[1, 3], 1, false, false),
            (&[1, 3, 2], 1, true, false),
            (&[9, 3, 9], 1, true, false),
            (&[4], 0, false, false),
            (&[1, 4, 2], 1, true, false),
            (&[1, 5, 2], 1, false, false),
            (&[5], 1, false, false),
            (&[1, 6, 9], 1, true, true),
            (&[1, 6, 4], 1, true, true),
            (&[1, 6, 2], 1, true, false),
        ] {
            assert_eq!(telling.has(tokens, at), expected, "{tokens:?} {at}");
            assert_eq!(telling.has_surely(tokens, at), surely, "{tokens:?} {at}");
        }
    }
}
