//! C.

use familiar_source::Language;

use super::Definition;
use crate::generic::Generic;

pub static DEFINITION: Definition = Definition {
    language: Language::C,
    extensions: &["c", "h"],
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
};
