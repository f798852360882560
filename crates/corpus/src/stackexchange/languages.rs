//! The languages of questions, for their answers, which have no tags of their own.

use std::collections::VecDeque;

use familiar_source::Language;

/// How many questions are remembered; the most recent ones, to which most answers are given.
const MOST: usize = 1 << 22;

/// The languages of the last questions. A dump has its posts in the order of their numbers.
#[derive(Debug, Default)]
pub(super) struct Languages(VecDeque<(u32, Language)>);

impl Languages {
    pub(super) fn insert(&mut self, question: u64, language: Language) {
        let Ok(question) = u32::try_from(question) else { return };
        if self.0.back().is_some_and(|&(last, _)| last >= question) {
            return;
        }
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back((question, language));
    }

    pub(super) fn of(&self, question: u64) -> Option<Language> {
        let question = u32::try_from(question).ok()?;
        let at = self.0.binary_search_by_key(&question, |&(known, _)| known).ok()?;
        Some(self.0[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_found_again() {
        let mut languages = Languages::default();
        languages.insert(3, Language::C);
        languages.insert(9, Language::Go);
        languages.insert(9, Language::R);
        assert_eq!(languages.of(3), Some(Language::C));
        assert_eq!(languages.of(9), Some(Language::Go));
        assert_eq!(languages.of(4), None);
    }
}
