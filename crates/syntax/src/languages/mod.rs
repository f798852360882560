//! One file for each language: its names, its front end, its tree-sitter grammar, its fixtures.
//!
//! CONTRIBUTING.md has the recipe for adding one. `definition` says what a file has to tell, `lexing` and `frames` hold what
//! several of them use, and `others` has all languages that only the generic tokenizer reads.

use familiar_source::Language;

mod c;
mod cpp;
mod csharp;
mod definition;
mod frames;
mod go;
mod java;
mod javascript;
mod kotlin;
mod lexing;
pub mod others;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod swift;
mod typescript;

pub use definition::Definition;

/// All definitions; a language that has none of its own is in [`others`].
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    with_fragments().chain(others::DEFINITIONS)
}

/// The definitions of languages whose functions and classes are found.
pub fn with_fragments() -> impl Iterator<Item = &'static Definition> {
    OWN.iter().copied()
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
