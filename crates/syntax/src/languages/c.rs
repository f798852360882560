//! C; with C++, whose front end is the same but for a few rules.

mod branches;
mod declarations;
mod finder;
mod header;
mod knr;
mod lexer;
mod scopes;
mod statements;
#[cfg(test)]
mod tests;

use familiar_source::Language;

use super::Definition;
use crate::{Confidence, FrontEnd, Output, Want};

pub(super) static DEFINITION: Definition = Definition {
    language: Language::C,
    extensions: &["c", "h", "opencl"],
    file_names: &[],
    interpreters: &["tcc"],
    front_end: &Fast::<false>,
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

/// The fast path of C and, where `CPP`, of C++.
pub(super) struct Fast<const CPP: bool>;

impl<const CPP: bool> FrontEnd for Fast<CPP> {
    fn parse(&self, source: &[u8], want: Want, out: &mut Output) -> Confidence {
        let mut directives = Vec::new();
        lexer::lex::<CPP>(source, &mut out.tokens, &mut directives);
        if want.fragments { finder::find::<CPP>(source, &directives, out) } else { Confidence::Sure }
    }
}

#[cfg(feature = "trees")]
pub(super) static GRAMMAR: crate::tree::Grammar = crate::tree::Grammar {
    functions: &["function_definition"],
    classes: &["struct_specifier", "union_specifier", "enum_specifier"],
    bodies: &["compound_statement"],
    blocks: &["compound_statement"],
    not_statements: &["preproc_def", "preproc_function_def", "preproc_call", "preproc_include"],
    lists: &["translation_unit", "field_declaration_list", "enumerator_list", "case_statement"],
    comments: &["comment"],
    identifiers: &["identifier", "field_identifier", "type_identifier", "statement_identifier"],
    types: &["primitive_type", "sized_type_specifier"],
    numbers: &["number_literal"],
    strings: &["string_literal", "system_lib_string"],
    chars: &["char_literal"],
    imports: &["preproc_include"],
    ..crate::tree::Grammar::new(|| tree_sitter_c::LANGUAGE.into())
};
