//! Copies of an example that look different and do the same, made by the catalogue of transformations.

use familiar_source::Language;
use familiar_transform::{Program, Transformation, Where, apply, catalog};
use rand::Rng;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::TrainError;
use crate::recipe::Rewriting;

/// Longer programs are not rewritten.
const LONGEST: usize = 1 << 16;
/// A copy may be so many times as long as its example, and so many bytes more.
const MOST_GROWTH: usize = 12;
const MORE_BYTES: usize = 4096;

/// Rewrites examples as a recipe says.
pub struct Rewriter<'r> {
    members: Vec<&'static dyn Transformation>,
    how: &'r Rewriting,
}

impl<'r> Rewriter<'r> {
    /// Fails where `how` names what is no set and no transformation, or cannot be done.
    pub fn new(how: &'r Rewriting) -> Result<Self, TrainError> {
        if !(0.0..=1.0).contains(&how.share) || how.steps == 0 || how.copies == 0 {
            let reason = "rewriting needs a share from 0 to 1, and at least one step and one copy".to_owned();
            return Err(TrainError::Rewriting { reason });
        }
        let mut members: Vec<&'static dyn Transformation> = Vec::new();
        for name in &how.with {
            let named = match (catalog::Set::named(name), catalog::transformation(name)) {
                (Some(set), _) => set.all_members(),
                (None, Some(transformation)) => vec![transformation],
                (None, None) => {
                    let reason =
                        format!("{name} is no set and no transformation; see familiar transform --list");
                    return Err(TrainError::Rewriting { reason });
                }
            };
            for member in named {
                if members.iter().all(|known| known.name() != member.name()) {
                    members.push(member);
                }
            }
        }
        Ok(Self { members, how })
    }

    /// Different programs that do what `code` does, at most as many as the recipe says. The same seed gives the same ones.
    pub fn copies(&self, language: Language, code: &[u8], seed: u64) -> Vec<Vec<u8>> {
        let members: Vec<_> =
            self.members.iter().filter(|it| it.languages().contains(&language)).copied().collect();
        if members.is_empty() || code.len() > LONGEST {
            return Vec::new();
        }
        let Ok(program) = Program::parse(language, code, usize::MAX) else { return Vec::new() };
        let mut copies: Vec<Vec<u8>> = Vec::new();
        for number in 0..self.how.copies as u64 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(number);
            match self.copy(&program, members.clone(), &mut random) {
                Some(copy) if !copies.contains(&copy) => copies.push(copy),
                Some(_) => {}
                // Nothing applies, and nothing will.
                None => break,
            }
        }
        copies
    }

    /// One composition of members that apply, drawn at random.
    fn copy(
        &self,
        program: &Program,
        mut members: Vec<&'static dyn Transformation>,
        random: &mut ChaCha8Rng,
    ) -> Option<Vec<u8>> {
        let most = program.text().len() * MOST_GROWTH + MORE_BYTES;
        let mut last: Option<Program> = None;
        for _ in 0..random.random_range(1..=self.how.steps) {
            members.shuffle(random);
            let from = last.as_ref().unwrap_or(program);
            let seed = random.random();
            let made = members.iter().find_map(|member| apply(from, *member, Where::All, seed).ok());
            match made {
                Some(variant) if variant.program.text().len() <= most => last = Some(variant.program),
                _ => break,
            }
        }
        last.map(|program| program.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &[u8] = b"def total(numbers):\n    kept = 0\n    for number in numbers:\n        if number > 0:\n            kept += number\n    return kept\n";

    fn how(with: &[&str], steps: usize, copies: usize) -> Rewriting {
        let with = with.iter().map(|name| (*name).to_owned()).collect();
        Rewriting { with, share: 0.5, steps, copies }
    }

    #[test]
    fn copies_differ_from_the_example_and_from_each_other_and_are_the_same_again() {
        let how = how(&["orig-20"], 3, 4);
        let rewriter = Rewriter::new(&how).expect("names that exist");
        let copies = rewriter.copies(Language::Python, CODE, 7);
        assert!(copies.len() > 1 && copies.iter().all(|copy| copy != CODE));
        let different: std::collections::BTreeSet<_> = copies.iter().collect();
        assert_eq!(different.len(), copies.len());
        assert_eq!(copies, rewriter.copies(Language::Python, CODE, 7));
        assert!(rewriter.copies(Language::Ruby, b"puts 1", 7).is_empty());
        assert!(rewriter.copies(Language::Python, b"def (", 7).is_empty());
    }

    #[test]
    fn one_transformation_by_name_is_all_that_happens() {
        let how = how(&["for-while"], 1, 3);
        let copies = Rewriter::new(&how).expect("a name that exists").copies(Language::Python, CODE, 1);
        let program = Program::parse(Language::Python, CODE, usize::MAX).expect("a program");
        let member = catalog::transformation("for-while").expect("it exists");
        assert!(!copies.is_empty());
        for copy in copies {
            let text = String::from_utf8(copy).expect("text");
            assert!(text.contains("while ") && !text.contains("for "), "{text}");
        }
        assert!(apply(&program, member, Where::All, 1).is_ok());
    }

    #[test]
    fn what_is_not_known_is_an_error_with_its_name() {
        for (how, told) in [(how(&["new-21"], 1, 1), "new-21"), (how(&["new-20"], 0, 1), "at least one step")]
        {
            let error = Rewriter::new(&how).err().expect("an error").to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
