//! C++.

use familiar_source::Language;

use super::Definition;
use super::c::Fast;

pub(super) static DEFINITION: Definition = Definition {
    language: Language::Cpp,
    extensions: &[
        "cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "inl", "ipp", "tpp", "cu", "cuh", "ino",
        "cppm", "ixx",
    ],
    file_names: &[],
    interpreters: &[],
    front_end: &Fast::<true>,
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

#[cfg(feature = "trees")]
static GRAMMAR: crate::tree::Grammar = crate::tree::Grammar {
    language: || tree_sitter_cpp::LANGUAGE.into(),
    namespaces: &["namespace_definition"],
    classes: &[
        "class_specifier",
        "struct_specifier",
        "union_specifier",
        "enum_specifier",
        "namespace_definition",
    ],
    bodies: &["compound_statement", "try_statement"],
    lists: &[
        "translation_unit",
        "field_declaration_list",
        "declaration_list",
        "enumerator_list",
        "case_statement",
    ],
    identifiers: &[
        "identifier",
        "field_identifier",
        "type_identifier",
        "statement_identifier",
        "namespace_identifier",
    ],
    types: &["primitive_type", "sized_type_specifier", "auto"],
    strings: &["string_literal", "raw_string_literal", "system_lib_string"],
    imports: &["preproc_include", "using_declaration"],
    ..super::c::GRAMMAR
};
