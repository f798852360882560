//! Languages that the generic tokenizer reads.

use familiar_source::Language;

use super::Definition;
use crate::generic::Generic;

/// Every language after the fourteen that have a file of their own, in the order of their numbers.
pub static DEFINITIONS: &[Definition] = &[Definition {
    language: Language::Other,
    extensions: &[],
    file_names: &[],
    interpreters: &[],
    front_end: &Generic {
        line_comments: &[],
        block_comments: &[],
        quotes: b"\"'",
        ignore_case: false,
        keywords: &[],
    },
    #[cfg(feature = "trees")]
    tree: None,
}];

pub(super) fn definition(language: Language) -> &'static Definition {
    DEFINITIONS
        .iter()
        .find(|definition| definition.language == language)
        .unwrap_or(&DEFINITIONS[DEFINITIONS.len() - 1])
}
