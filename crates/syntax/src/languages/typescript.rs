//! TypeScript with TSX: the front end of [`super::javascript`], with types.

use familiar_source::Language;

use super::Definition;
use super::javascript::Script;

pub(super) static DEFINITION: Definition = Definition {
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
    namespaces: &["module", "internal_module"],
    classes: &[
        "class_declaration",
        "class",
        "abstract_class_declaration",
        "interface_declaration",
        "enum_declaration",
        "module",
        "internal_module",
    ],
    lists: &[
        "program",
        "class_body",
        "interface_body",
        "enum_body",
        "switch_body",
        "switch_case",
        "switch_default",
    ],
    types: &["predefined_type"],
    variants: &[|| tree_sitter_typescript::LANGUAGE_TSX.into()],
    language: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    ..super::javascript::GRAMMAR
};
