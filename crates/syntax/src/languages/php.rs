//! PHP, with the HTML around it.

use familiar_source::Language;

use super::Definition;
use crate::generic::Generic;

/// Read by tree-sitter alone; this is for files that it gives up on, and for builds without it.
const FALL_BACK: Generic = Generic {
    line_comments: &["//", "#"],
    block_comments: &[("/*", "*/")],
    nested_comments: &[],
    quotes: b"\"'`",
    ignore_case: true,
    keywords: &[
        "abstract",
        "and",
        "array",
        "as",
        "break",
        "callable",
        "case",
        "catch",
        "class",
        "clone",
        "const",
        "continue",
        "declare",
        "default",
        "do",
        "echo",
        "else",
        "elseif",
        "empty",
        "enddeclare",
        "endfor",
        "endforeach",
        "endif",
        "endswitch",
        "endwhile",
        "enum",
        "extends",
        "final",
        "finally",
        "fn",
        "for",
        "foreach",
        "function",
        "global",
        "goto",
        "if",
        "implements",
        "include",
        "include_once",
        "instanceof",
        "insteadof",
        "interface",
        "isset",
        "list",
        "match",
        "namespace",
        "new",
        "or",
        "print",
        "private",
        "protected",
        "public",
        "readonly",
        "require",
        "require_once",
        "return",
        "static",
        "switch",
        "throw",
        "trait",
        "try",
        "unset",
        "use",
        "var",
        "while",
        "xor",
        "yield",
    ],
    ..super::others::C_LIKE
};

pub(super) static DEFINITION: Definition = Definition {
    language: Language::Php,
    extensions: &["php", "phtml", "php3", "php4", "php5", "php7", "phps"],
    file_names: &[],
    interpreters: &["php"],
    #[cfg(feature = "trees")]
    front_end: &crate::tree::TreeFrontEnd(&GRAMMAR),
    #[cfg(not(feature = "trees"))]
    front_end: &FALL_BACK,
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

#[cfg(feature = "trees")]
static GRAMMAR: crate::tree::Grammar = crate::tree::Grammar {
    functions: &["function_definition", "method_declaration", "anonymous_function", "property_hook"],
    classes: &[
        "class_declaration",
        "anonymous_class",
        "interface_declaration",
        "trait_declaration",
        "enum_declaration",
        "namespace_definition",
    ],
    blocks: &["compound_statement", "colon_block"],
    not_statements: &["text_interpolation"],
    lists: &[
        "program",
        "declaration_list",
        "enum_declaration_list",
        "switch_block",
        "case_statement",
        "default_statement",
        "match_block",
        "property_hook_list",
    ],
    comments: &["comment", "php_tag", "php_end_tag"],
    // A variable is one token with its dollar sign.
    identifiers: &["name", "variable_name"],
    keywords: &["boolean", "null", "var_modifier", "relative_scope"],
    types: &["primitive_type", "bottom_type", "cast_type"],
    numbers: &["integer", "float"],
    // The HTML between stretches of PHP is what it writes: a string.
    strings: &["string", "encapsed_string", "heredoc", "nowdoc", "shell_command_expression", "text"],
    imports: &[
        "namespace_definition",
        "namespace_use_declaration",
        "include_expression",
        "include_once_expression",
        "require_expression",
        "require_once_expression",
    ],
    fall_back: FALL_BACK,
    ..crate::tree::Grammar::new(|| tree_sitter_php::LANGUAGE_PHP.into())
};
