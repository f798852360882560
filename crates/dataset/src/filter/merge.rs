//! Implementations of one seed that are copies of each other.

use std::collections::BTreeMap;

use familiar_source::Language;
use familiar_syntax::normal::{self, Renamer, Renaming};
use familiar_syntax::{Parser, Want};
use rayon::prelude::*;

use crate::candidate::Candidate;

/// For each form of a seed's implementations, with names and literals made alike, the first one that has it.
#[derive(Default)]
pub(super) struct Copies {
    first: BTreeMap<(String, u128), String>,
    form: BTreeMap<String, u128>,
}

impl Copies {
    pub(super) fn add(&mut self, batch: &[Candidate]) {
        let forms: Vec<u128> = batch.par_iter().map_init(Forms::default, Forms::of).collect();
        for (candidate, form) in batch.iter().zip(forms) {
            self.first.entry((candidate.seed_id.clone(), form)).or_insert_with(|| candidate.id.clone());
            self.form.insert(candidate.id.clone(), form);
        }
    }

    /// The implementation that stands for this one: an earlier one of which it is a copy (Type-1 or Type-2).
    pub(super) fn stands_for(&self, candidate: &Candidate) -> Option<&str> {
        let form = *self.form.get(&candidate.id)?;
        let first = self.first.get(&(candidate.seed_id.clone(), form))?;
        (*first != candidate.id).then_some(first)
    }
}

/// Makes forms of code, keeping its memory.
#[derive(Default)]
struct Forms {
    parser: Parser,
    renamer: Renamer,
    renamed: Vec<u32>,
}

impl Forms {
    /// A hash of the tokens with names and literals made alike, and of the language.
    fn of(&mut self, candidate: &Candidate) -> u128 {
        let language = Language::from_name(&candidate.lang).unwrap_or(Language::Other);
        let code = candidate.code.as_bytes();
        let parsed = self.parser.parse(language, code, Want::default());
        let symbols = normal::symbols(code, parsed.tokens);
        self.renamer.rename(&symbols, Renaming::Blind, &mut self.renamed);
        let bytes: Vec<u8> = self.renamed.iter().flat_map(|symbol| symbol.to_le_bytes()).collect();
        xxhash_rust::xxh3::xxh3_128_with_seed(&bytes, language as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(id: &str, seed: &str, code: &str) -> Candidate {
        let (seed_id, prompt, lang) = (seed.to_owned(), String::new(), "python".to_owned());
        Candidate { id: id.to_owned(), seed_id, prompt, sample: 0, variant: 0, lang, code: code.to_owned() }
    }

    #[test]
    fn renamed_copies_of_one_seed_are_merged_into_the_first() {
        let all = [
            candidate("a", "s", "def f(x):\n    return x + 1\n"),
            candidate("b", "s", "def g(y):\n    return y + 2  # a comment\n"),
            candidate("c", "s", "def f(x):\n    return x - 1\n"),
            candidate("d", "t", "def f(x):\n    return x + 1\n"),
        ];
        let mut copies = Copies::default();
        copies.add(&all);
        assert_eq!(all.each_ref().map(|it| copies.stands_for(it)), [None, Some("a"), None, None]);
    }
}
