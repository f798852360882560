//! Swift.

use familiar_source::Language;

use super::Definition;
use crate::generic::Generic;

/// Read by tree-sitter alone; this is for files that it gives up on, and for builds without it.
const FALL_BACK: Generic = Generic {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: b"\"",
    ignore_case: false,
    keywords: &[
        "Any",
        "Self",
        "actor",
        "as",
        "associatedtype",
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "continue",
        "default",
        "defer",
        "deinit",
        "do",
        "else",
        "enum",
        "extension",
        "fallthrough",
        "false",
        "fileprivate",
        "final",
        "for",
        "func",
        "guard",
        "if",
        "import",
        "in",
        "init",
        "inout",
        "internal",
        "is",
        "lazy",
        "let",
        "mutating",
        "nil",
        "open",
        "operator",
        "override",
        "private",
        "protocol",
        "public",
        "repeat",
        "required",
        "rethrows",
        "return",
        "self",
        "some",
        "static",
        "struct",
        "subscript",
        "super",
        "switch",
        "throw",
        "throws",
        "true",
        "try",
        "typealias",
        "unowned",
        "var",
        "weak",
        "where",
        "while",
    ],
    ..super::others::C_LIKE
};

pub(super) static DEFINITION: Definition = Definition {
    language: Language::Swift,
    extensions: &["swift"],
    file_names: &[],
    interpreters: &["swift"],
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
        "init_declaration",
        "deinit_declaration",
        "computed_property",
        "computed_getter",
        "computed_setter",
        "computed_modify",
        "willset_clause",
        "didset_clause",
    ],
    classes: &["class_declaration", "protocol_declaration"],
    // A computed property is a function where it holds the statements of its getter.
    bodies: &["function_body", "statements"],
    blocks: &["function_body", "lambda_literal"],
    statement_lists: &["statements"],
    not_statements: &["capture_list", "lambda_function_type", "attribute"],
    lists: &["source_file", "class_body", "enum_class_body", "protocol_body", "willset_didset_block"],
    lines: &["switch_entry", "computed_getter", "computed_setter", "computed_modify"],
    comments: &["comment", "multiline_comment", "shebang_line"],
    identifiers: &["simple_identifier", "type_identifier"],
    keywords: &[
        "boolean_literal",
        "nil_literal",
        "where_keyword",
        "default_keyword",
        "throw_keyword",
        "catch_keyword",
        "special_literal",
    ],
    numbers: &["integer_literal", "hex_literal", "oct_literal", "bin_literal", "real_literal"],
    strings: &["line_string_literal", "multi_line_string_literal", "raw_string_literal", "regex_literal"],
    imports: &["import_declaration"],
    line_ends_statements: true,
    fall_back: FALL_BACK,
    ..crate::tree::Grammar::new(|| tree_sitter_swift::LANGUAGE.into())
};
