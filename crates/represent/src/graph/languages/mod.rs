//! One file for each language: what the nodes of its tree are in the common form.
//!
//! `shared` has what several of them use, `quiet` what is known of their libraries.

mod c;
mod go;
mod java;
mod python;
mod quiet;
mod script;
mod shared;

use familiar_source::Language as Name;

use super::form::Language;

/// The languages of which graphs are made.
pub const LANGUAGES: &[Name] =
    &[Name::Python, Name::Java, Name::C, Name::Cpp, Name::JavaScript, Name::TypeScript, Name::Go];

/// How the trees of a language are read; `None` for a language of which no graphs are made.
pub(crate) fn of(language: Name) -> Option<&'static dyn Language> {
    Some(match language {
        Name::Python => &python::Python,
        Name::Java => &java::Java,
        Name::C => &c::C { plus: false },
        Name::Cpp => &c::C { plus: true },
        Name::JavaScript | Name::TypeScript => &script::Script,
        Name::Go => &go::Go,
        _ => return None,
    })
}
