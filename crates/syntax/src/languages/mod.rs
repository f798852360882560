//! One file for each language: its names, its front end, its tree-sitter grammar, its fixtures.
//!
//! CONTRIBUTING.md has the recipe for adding one.
//!
//! `others` has all languages that only the generic tokenizer reads.

use familiar_source::Language;

use crate::FrontEnd;

pub mod c;
pub mod cpp;
pub mod csharp;
mod frames;
pub mod go;
pub mod java;
pub mod javascript;
pub mod kotlin;
mod lexing;
pub mod others;
pub mod php;
pub mod python;
pub mod ruby;
pub mod rust;
pub mod scala;
pub mod swift;
pub mod typescript;

/// What Familiar knows about one language.
pub struct Definition {
    pub language: Language,
    /// File name endings, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names, such as `Makefile`.
    pub file_names: &'static [&'static str],
    /// Interpreters named by a shebang line, without version numbers.
    pub interpreters: &'static [&'static str],
    pub front_end: &'static dyn FrontEnd,
    /// Node kinds of the tree-sitter grammar, for the fall-back and the oracle.
    #[cfg(feature = "trees")]
    pub tree: Option<&'static crate::tree::Grammar>,
}

/// All definitions; a language that has none of its own is in [`others`].
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    OWN.iter().copied().chain(others::DEFINITIONS)
}

static OWN: [&Definition; 14] = [
    &python::DEFINITION,
    &java::DEFINITION,
    &c::DEFINITION,
    &cpp::DEFINITION,
    &csharp::DEFINITION,
    &javascript::DEFINITION,
    &typescript::DEFINITION,
    &go::DEFINITION,
    &rust::DEFINITION,
    &ruby::DEFINITION,
    &php::DEFINITION,
    &kotlin::DEFINITION,
    &scala::DEFINITION,
    &swift::DEFINITION,
];

/// The definition of `language`.
pub fn definition(language: Language) -> &'static Definition {
    let at = language as usize;
    if at < OWN.len() {
        debug_assert_eq!(OWN[at].language, language);
        OWN[at]
    } else {
        others::definition(language)
    }
}
