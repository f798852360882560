//! A walk: a program is rewritten step after step, by transformations that chance chooses.

use crate::apply::{Variant, Where, rewrite};
use crate::choices::Choices;
use crate::program::Program;
use crate::search::longest;
use crate::transformation::Transformation;

/// The programs after the first step, after the second, and so on. Each step is one of `members` that applies, at all of its sites, and makes a
/// text that was not there before. There are fewer than `steps` where none does, or where a program would grow too long. The same seed
/// gives the same programs.
pub fn walk(original: &Program, members: &[&dyn Transformation], steps: usize, seed: u64) -> Vec<Variant> {
    let most = longest(original);
    let mut choices = Choices::new(original, seed);
    let mut walked: Vec<Variant> = Vec::new();
    while walked.len() < steps {
        let before = walked.last().map_or(original, |it| &it.program);
        let mut left = members.to_vec();
        let mut next = None;
        while next.is_none() && !left.is_empty() {
            let member = left.swap_remove(choices.below(left.len()));
            let seed = choices.below(usize::MAX) as u64;
            let is_new = |text: &str| {
                text.len() <= most
                    && text != original.text()
                    && walked.iter().all(|it| it.program.text() != text)
            };
            let made = rewrite(before, member, Where::All, seed).ok().filter(|it| is_new(it.text()));
            next = made.and_then(|it| it.parsed().ok());
        }
        match next {
            Some(variant) => walked.push(variant),
            None => break,
        }
    }
    walked
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;
    use crate::catalog::Set;

    #[test]
    fn each_step_makes_something_new() {
        let code = "def total(values):\n    result = 0\n    for value in values:\n        if value > 0:\n            result += value\n    return result\n";
        let program =
            Program::parse(Language::Python, code.as_bytes(), usize::MAX).expect("a test's own code");
        let members = Set::named("new-20").expect("it is in the catalogue").all_members();
        let texts = |seed| -> Vec<Vec<u8>> {
            walk(&program, &members, 4, seed).iter().map(|it| it.program.bytes()).collect()
        };
        let first = texts(1);
        assert_eq!((first.len(), &first), (4, &texts(1)));
        assert_ne!(first, texts(2));
        let mut all = first.clone();
        all.push(code.as_bytes().to_vec());
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 5, "a text stands there twice");
        assert!(walk(&program, &[], 4, 1).is_empty());
    }
}
