//! A difference between a text and a rule.

/// Up to as many words of the rule, in place of as many of the text, somebody has changed a word; more is another passage.
const EDIT: u32 = 6;

/// A stretch of the text that stands in place of one of the rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    pub(super) text: (u32, u32),
    pub(super) rule: (u32, u32),
    /// Whether it is a start or an end of the rule.
    pub(super) is_outer: bool,
}

impl Edit {
    pub(super) fn is_of_words(self) -> bool {
        self.text.1 - self.text.0 <= EDIT && self.rule.1 - self.rule.0 <= EDIT
    }
}
