//! Java, up to version 21.
//!
//! Methods, constructors and compact constructors are functions; initializers are not, lambdas belong to what they
//! stand in, and the methods of anonymous classes and enum constants are functions inside it.

mod find;
mod lex;

use familiar_source::Language;

use super::Definition;
use super::frames::{self, Mark};
#[cfg(feature = "trees")]
use crate::tree::Grammar;
use crate::{Confidence, FrontEnd, Output, Want};
use lex::Kind;

pub(super) static DEFINITION: Definition = Definition {
    language: Language::Java,
    extensions: &["java", "pde"],
    file_names: &[],
    interpreters: &[],
    front_end: &Java,
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

/// The fast path.
struct Java;

impl FrontEnd for Java {
    fn parse(&self, source: &[u8], want: Want, out: &mut Output) -> Confidence {
        lex::tokens(source, &mut out.tokens);
        if want.line_starts {
            frames::mark_lines(out.tokens.as_mut_slice(), |token| mark(token.kind));
        }
        if want.fragments { find::fragments(out) } else { Confidence::Sure }
    }
}

fn mark(kind: u8) -> Mark {
    const GROUPS: [(Kind, Mark); 5] = [
        (Kind::OpenParen, Mark::OpenGroup),
        (Kind::CloseParen, Mark::CloseGroup),
        (Kind::OpenBrace, Mark::OpenBrace),
        (Kind::CloseBrace, Mark::CloseBrace),
        (Kind::Semicolon, Mark::Semicolon),
    ];
    GROUPS.iter().find(|(known, _)| *known as u8 == kind).map_or(Mark::Other, |&(_, mark)| mark)
}

#[cfg(feature = "trees")]
static GRAMMAR: Grammar = Grammar {
    functions: &["method_declaration", "constructor_declaration", "compact_constructor_declaration"],
    classes: &[
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
        "module_declaration",
    ],
    blocks: &["block", "constructor_body"],
    lists: &[
        "program",
        "class_body",
        "interface_body",
        "enum_body",
        "enum_body_declarations",
        "annotation_type_body",
        "module_body",
        "switch_block",
        "switch_block_statement_group",
    ],
    comments: &["line_comment", "block_comment"],
    identifiers: &["identifier", "type_identifier"],
    keywords: &["null_literal"],
    types: &["integral_type", "floating_point_type", "boolean_type", "void_type"],
    numbers: &[
        "decimal_integer_literal",
        "hex_integer_literal",
        "octal_integer_literal",
        "binary_integer_literal",
        "decimal_floating_point_literal",
        "hex_floating_point_literal",
    ],
    strings: &["string_literal"],
    chars: &["character_literal"],
    imports: &["import_declaration", "package_declaration"],
    ..Grammar::new(|| tree_sitter_java::LANGUAGE.into())
};
