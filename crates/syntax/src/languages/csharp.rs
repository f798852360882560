//! C#, up to version 12.
//!
//! Methods, constructors, destructors, operators and local functions are functions, and so are accessors with a body
//! (`get { … }`, `set => …;`) and properties and indexers that are an expression (`int Count => 3;`), which go by the
//! name of the property. Lambdas and anonymous methods belong to what they stand in.
//!
//! An interpolated string is one token, whatever stands in its holes. `#if`, `#elif`, `#else`, `#endif`, `#define` and
//! `#undef` are one token to the line; other directives are layout and none.

mod find;
mod lex;
mod strings;

use familiar_source::Language;

use super::Definition;
use super::frames::{self, Mark};
#[cfg(feature = "trees")]
use crate::tree::Grammar;
use crate::{Confidence, FrontEnd, Output, Want};
use lex::Kind;

pub(super) static DEFINITION: Definition = Definition {
    language: Language::CSharp,
    extensions: &["cs", "csx"],
    file_names: &[],
    interpreters: &[],
    front_end: &CSharp,
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

/// The fast path.
struct CSharp;

impl FrontEnd for CSharp {
    fn parse(&self, source: &[u8], want: Want, out: &mut Output) -> Confidence {
        lex::tokens(source, &mut out.tokens);
        if want.line_starts {
            frames::mark_lines(out.tokens.as_mut_slice(), |token| mark(token.kind));
        }
        if want.fragments { find::fragments(out) } else { Confidence::Sure }
    }
}

fn mark(kind: u8) -> Mark {
    const MARKS: [(Kind, Mark); 9] = [
        (Kind::OpenParen, Mark::OpenGroup),
        (Kind::CloseParen, Mark::CloseGroup),
        (Kind::OpenBrace, Mark::OpenBrace),
        (Kind::CloseBrace, Mark::CloseBrace),
        (Kind::Semicolon, Mark::Semicolon),
        (Kind::If, Mark::Line),
        (Kind::ElseIf, Mark::Line),
        (Kind::EndIf, Mark::Line),
        (Kind::Directive, Mark::Line),
    ];
    MARKS.iter().find(|(known, _)| *known as u8 == kind).map_or(Mark::Other, |&(_, mark)| mark)
}

#[cfg(feature = "trees")]
static GRAMMAR: Grammar = Grammar {
    functions: &[
        "method_declaration",
        "constructor_declaration",
        "destructor_declaration",
        "operator_declaration",
        "conversion_operator_declaration",
        "local_function_statement",
        "accessor_declaration",
        "property_declaration",
        "indexer_declaration",
    ],
    namespaces: &["namespace_declaration"],
    classes: &[
        "class_declaration",
        "struct_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "namespace_declaration",
    ],
    // Makes a function of a property or indexer that is an expression; accessors are functions of their own.
    bodies: &["arrow_expression_clause"],
    blocks: &["block"],
    lists: &[
        "compilation_unit",
        "declaration_list",
        "enum_member_declaration_list",
        "switch_body",
        "switch_section",
        "accessor_list",
    ],
    comments: &["comment"],
    identifiers: &["identifier"],
    keywords: &["null_literal", "boolean_literal", "modifier"],
    types: &["predefined_type", "implicit_type"],
    numbers: &["integer_literal", "real_literal"],
    strings: &[
        "string_literal",
        "verbatim_string_literal",
        "raw_string_literal",
        "interpolated_string_expression",
    ],
    chars: &["character_literal"],
    imports: &["using_directive", "extern_alias_directive"],
    ..Grammar::new(|| tree_sitter_c_sharp::LANGUAGE.into())
};
