//! Scala 2 and 3.

use familiar_source::Language;

use super::Definition;
use crate::generic::Generic;

/// Read by tree-sitter alone; this is for files that it gives up on, and for builds without it.
const FALL_BACK: Generic = Generic {
    line_comments: &["//"],
    block_comments: &[],
    nested_comments: &[("/*", "*/")],
    quotes: b"\"",
    ignore_case: false,
    keywords: &[
        "abstract",
        "case",
        "catch",
        "class",
        "def",
        "do",
        "else",
        "enum",
        "export",
        "extends",
        "false",
        "final",
        "finally",
        "for",
        "forSome",
        "given",
        "if",
        "implicit",
        "import",
        "lazy",
        "match",
        "new",
        "null",
        "object",
        "override",
        "package",
        "private",
        "protected",
        "return",
        "sealed",
        "super",
        "then",
        "this",
        "throw",
        "trait",
        "true",
        "try",
        "type",
        "val",
        "var",
        "while",
        "with",
        "yield",
    ],
    ..super::others::C_LIKE
};

pub(super) static DEFINITION: Definition = Definition {
    language: Language::Scala,
    extensions: &["scala", "sc", "sbt"],
    file_names: &[],
    interpreters: &["scala"],
    #[cfg(feature = "trees")]
    front_end: &crate::tree::TreeFrontEnd(&GRAMMAR),
    #[cfg(not(feature = "trees"))]
    front_end: &FALL_BACK,
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

#[cfg(feature = "trees")]
static GRAMMAR: crate::tree::Grammar = crate::tree::Grammar {
    functions: &["function_definition"],
    classes: &[
        "class_definition",
        "object_definition",
        "trait_definition",
        "enum_definition",
        "package_object",
        "package_clause",
        "given_definition",
        "extension_definition",
    ],
    namespaces: &["package_object"],
    blocks: &["block", "indented_block"],
    lists: &[
        "compilation_unit",
        "template_body",
        "with_template_body",
        "enum_body",
        "case_block",
        "indented_cases",
    ],
    lines: &["case_clause"],
    comments: &["comment", "block_comment"],
    identifiers: &["identifier", "type_identifier"],
    keywords: &["boolean_literal", "null_literal", "modifiers", "wildcard"],
    numbers: &["integer_literal", "floating_point_literal"],
    strings: &["string", "interpolated_string_expression"],
    chars: &["character_literal"],
    imports: &["import_declaration", "export_declaration", "package_clause"],
    line_ends_statements: true,
    fall_back: FALL_BACK,
    ..crate::tree::Grammar::new(|| tree_sitter_scala::LANGUAGE.into())
};
