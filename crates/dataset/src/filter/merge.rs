//! Implementations of one seed that are copies of each other.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::candidate::Candidate;
use crate::form::Forms;

/// For each form of a seed's implementations, with names and literals made alike, the first one that has it.
#[derive(Default)]
pub(super) struct Copies {
    first: BTreeMap<(String, u128), String>,
    form: BTreeMap<String, u128>,
}

impl Copies {
    /// Takes implementations; fails with a name that two of them have.
    pub(super) fn add(&mut self, batch: &[Candidate]) -> Result<(), String> {
        let forms: Vec<u128> =
            batch.par_iter().map_init(Forms::default, |forms, it| forms.of(&it.lang, &it.code)).collect();
        for (candidate, form) in batch.iter().zip(forms) {
            self.first.entry((candidate.seed_id.clone(), form)).or_insert_with(|| candidate.id.clone());
            if self.form.insert(candidate.id.clone(), form).is_some() {
                return Err(candidate.id.clone());
            }
        }
        Ok(())
    }

    /// The implementation that stands for this one: an earlier one of which it is a copy (Type-1 or Type-2).
    pub(super) fn stands_for(&self, candidate: &Candidate) -> Option<&str> {
        let form = *self.form.get(&candidate.id)?;
        let first = self.first.get(&(candidate.seed_id.clone(), form))?;
        (*first != candidate.id).then_some(first)
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
        copies.add(&all).expect("their names differ");
        assert_eq!(all.each_ref().map(|it| copies.stands_for(it)), [None, Some("a"), None, None]);
        assert_eq!(copies.add(&all[2..]), Err("c".to_owned()));
    }
}
