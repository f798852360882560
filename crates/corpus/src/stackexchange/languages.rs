//! The languages of questions, for their answers, which have no tags of their own.

use std::collections::VecDeque;

use crate::LanguageHint;

/// How many questions are remembered; the most recent ones, to which most answers are given.
const MOST: usize = 1 << 22;

/// The languages of the last questions. A dump has its posts in the order of their numbers.
#[derive(Debug, Default)]
pub(super) struct Languages(VecDeque<(u32, LanguageHint)>);

impl Languages {
    pub(super) fn insert(&mut self, question: u64, language: LanguageHint) {
        let Ok(question) = u32::try_from(question) else { return };
        if self.0.back().is_some_and(|&(last, _)| last >= question) {
            return;
        }
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back((question, language));
    }

    /// What is told of the answers to a question.
    pub(super) fn of(&self, question: u64) -> LanguageHint {
        let known = u32::try_from(question).ok().and_then(|question| {
            let at = self.0.binary_search_by_key(&question, |&(known, _)| known).ok()?;
            Some(self.0[at].1)
        });
        known.unwrap_or(LanguageHint::BLOCK)
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;

    #[test]
    fn questions_are_found_again() {
        let mut languages = Languages::default();
        let [c, go, r] = [Language::C, Language::Go, Language::R].map(LanguageHint::Language);
        languages.insert(3, c);
        languages.insert(9, go);
        languages.insert(9, r);
        assert_eq!(languages.of(3), c);
        assert_eq!(languages.of(9), go);
        assert_eq!(languages.of(4), LanguageHint::BLOCK);
    }
}
