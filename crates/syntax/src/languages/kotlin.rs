//! Kotlin, with its scripts.

use familiar_source::Language;

use super::Definition;
use crate::generic::Generic;

/// Read by tree-sitter alone; this is for files that it gives up on, and for builds without it.
const FALL_BACK: Generic = Generic {
    line_comments: &["//"],
    block_comments: &[],
    nested_comments: &[("/*", "*/")],
    quotes: b"\"'",
    ignore_case: false,
    keywords: &[
        "abstract",
        "as",
        "break",
        "by",
        "catch",
        "class",
        "companion",
        "const",
        "constructor",
        "continue",
        "crossinline",
        "data",
        "do",
        "else",
        "enum",
        "external",
        "false",
        "final",
        "finally",
        "for",
        "fun",
        "if",
        "import",
        "in",
        "infix",
        "init",
        "inline",
        "inner",
        "interface",
        "internal",
        "is",
        "lateinit",
        "noinline",
        "null",
        "object",
        "open",
        "operator",
        "out",
        "override",
        "package",
        "private",
        "protected",
        "public",
        "reified",
        "return",
        "sealed",
        "super",
        "suspend",
        "tailrec",
        "this",
        "throw",
        "true",
        "try",
        "typealias",
        "val",
        "var",
        "vararg",
        "when",
        "where",
        "while",
    ],
    ..super::others::C_LIKE
};

pub(super) static DEFINITION: Definition = Definition {
    language: Language::Kotlin,
    extensions: &["kt", "kts"],
    file_names: &[],
    interpreters: &["kotlin"],
    #[cfg(feature = "trees")]
    front_end: &crate::tree::TreeFrontEnd(&GRAMMAR),
    #[cfg(not(feature = "trees"))]
    front_end: &FALL_BACK,
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

#[cfg(feature = "trees")]
static GRAMMAR: crate::tree::Grammar = crate::tree::Grammar {
    functions: &[
        "function_declaration",
        "secondary_constructor",
        "anonymous_function",
        "getter",
        "setter",
        "anonymous_initializer",
    ],
    classes: &["class_declaration", "object_declaration", "companion_object", "object_literal"],
    bodies: &["function_body", "block", "class_body", "enum_class_body"],
    blocks: &["block", "lambda_literal"],
    not_statements: &["lambda_parameters"],
    lists: &["source_file", "class_body", "enum_class_body"],
    lines: &["when_entry", "getter", "setter"],
    comments: &["line_comment", "block_comment", "shebang"],
    identifiers: &["identifier"],
    keywords: &["reification_modifier", "label"],
    numbers: &["number_literal", "float_literal"],
    strings: &["string_literal", "multiline_string_literal"],
    chars: &["character_literal"],
    imports: &["import", "package_header"],
    line_ends_statements: true,
    fall_back: FALL_BACK,
    ..crate::tree::Grammar::new(|| tree_sitter_kotlin_ng::LANGUAGE.into())
};
