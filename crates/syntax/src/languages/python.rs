//! Python 2 and 3.

mod lexer;
mod reader;
mod strings;
mod suites;
mod words;

use familiar_source::Language;

use super::Definition;
#[cfg(feature = "trees")]
use crate::tree::Grammar;
use crate::{Confidence, FrontEnd, Output, Want};

pub(super) static DEFINITION: Definition = Definition {
    language: Language::Python,
    extensions: &["py", "pyw", "pyi", "pyx", "pxd", "pxi", "gyp", "gypi", "bzl", "star"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    interpreters: &["python", "pypy"],
    front_end: &Python,
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

/// Node kinds of tree-sitter-python.
#[cfg(feature = "trees")]
static GRAMMAR: Grammar = Grammar {
    functions: &["function_definition"],
    classes: &["class_definition"],
    blocks: &["block"],
    lists: &["module"],
    comments: &["comment"],
    identifiers: &["identifier"],
    numbers: &["integer", "float"],
    strings: &["string"],
    imports: &["import_statement", "import_from_statement", "future_import_statement"],
    fall_back: super::others::HASH,
    ..Grammar::new(|| tree_sitter_python::LANGUAGE.into())
};

/// The fast path: logical lines, then suites by indentation.
struct Python;

impl FrontEnd for Python {
    fn parse(&self, source: &[u8], want: Want, out: &mut Output) -> Confidence {
        let read = reader::read(source, want, &mut out.tokens);
        let placed =
            !want.fragments || suites::find(&read.lines, &out.tokens, &out.lines, &mut out.fragments);
        if read.sound && placed { Confidence::Sure } else { Confidence::Unsure }
    }
}

#[cfg(test)]
mod tests;
