//! Python 2 and 3.

use familiar_source::Language;

use super::Definition;
use crate::generic::Generic;

pub static DEFINITION: Definition = Definition {
    language: Language::Python,
    extensions: &["py"],
    file_names: &[],
    interpreters: &["python"],
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
