//! TypeScript with TSX: the front end of [`super::javascript`], with types.

use familiar_source::Language;

use super::Definition;
use super::javascript::Script;

pub static DEFINITION: Definition = Definition {
    language: Language::TypeScript,
    extensions: &["ts", "tsx", "mts", "cts"],
    file_names: &[],
    interpreters: &["ts-node", "tsx", "deno"],
    front_end: &Script { typed: true },
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

#[cfg(feature = "trees")]
static GRAMMAR: crate::tree::Grammar = crate::tree::Grammar {
    language: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    functions: &[
        "function_declaration",
        "function_expression",
        "generator_function_declaration",
        "generator_function",
        "arrow_function",
        "method_definition",
    ],
    classes: &[
        "class_declaration",
        "abstract_class_declaration",
        "class",
        "interface_declaration",
        "enum_declaration",
        "internal_module",
        "module",
    ],
    blocks: &["statement_block"],
    comments: &["comment", "html_comment", "hash_bang_line"],
    identifiers: &[
        "identifier",
        "type_identifier",
        "property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "private_property_identifier",
        "statement_identifier",
        "undefined",
    ],
    types: &["predefined_type"],
    numbers: &["number"],
    strings: &["string", "regex", "jsx_text"],
    chars: &[],
    imports: &["import_statement", "import_alias"],
};
