//! Grammar tables for languages whose own file has none yet, and what they share.

use familiar_source::Language;

use super::Grammar;
use crate::generic::Generic;

/// Comments and strings of the languages with `//` and `/* */`.
pub const C_LIKE: Generic = Generic {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: b"\"'",
    ignore_case: false,
    keywords: &[],
};

/// The grammar of `language`: its own or, until it has one, the table here.
pub fn grammar(language: Language) -> Option<&'static Grammar> {
    crate::languages::definition(language).tree.or(match language {
        Language::Python => Some(&PYTHON),
        Language::Java => Some(&JAVA),
        Language::C => Some(&C),
        Language::Cpp => Some(&CPP),
        Language::CSharp => Some(&CSHARP),
        Language::JavaScript => Some(&JAVASCRIPT),
        Language::TypeScript => Some(&TYPESCRIPT),
        Language::Go => Some(&GO),
        _ => None,
    })
}

static PYTHON: Grammar = Grammar {
    functions: &["function_definition"],
    classes: &["class_definition"],
    blocks: &["block"],
    lists: &["module"],
    comments: &["comment"],
    identifiers: &["identifier"],
    numbers: &["integer", "float"],
    strings: &["string"],
    imports: &["import_statement", "import_from_statement", "future_import_statement"],
    fall_back: Generic {
        line_comments: &["#"],
        block_comments: &[],
        quotes: b"\"'",
        ignore_case: false,
        keywords: &[],
    },
    ..Grammar::new(|| tree_sitter_python::LANGUAGE.into())
};

static JAVA: Grammar = Grammar {
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
        "binary_integer_literal",
        "decimal_floating_point_literal",
        "decimal_integer_literal",
        "hex_floating_point_literal",
        "hex_integer_literal",
        "octal_integer_literal",
    ],
    strings: &["string_literal"],
    chars: &["character_literal"],
    imports: &["import_declaration", "package_declaration"],
    ..Grammar::new(|| tree_sitter_java::LANGUAGE.into())
};

static C: Grammar = Grammar {
    functions: &["function_definition"],
    classes: &["struct_specifier", "union_specifier", "enum_specifier"],
    blocks: &["compound_statement"],
    lists: &["translation_unit", "field_declaration_list", "enumerator_list", "case_statement"],
    comments: &["comment"],
    identifiers: &["identifier", "field_identifier", "type_identifier", "statement_identifier"],
    types: &["primitive_type", "sized_type_specifier"],
    numbers: &["number_literal"],
    strings: &["string_literal", "system_lib_string"],
    chars: &["char_literal"],
    imports: &["preproc_include"],
    ..Grammar::new(|| tree_sitter_c::LANGUAGE.into())
};

static CPP: Grammar = Grammar {
    classes: &[
        "struct_specifier",
        "union_specifier",
        "enum_specifier",
        "class_specifier",
        "namespace_definition",
    ],
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
    strings: &["string_literal", "raw_string_literal", "system_lib_string"],
    language: || tree_sitter_cpp::LANGUAGE.into(),
    ..C
};

static CSHARP: Grammar = Grammar {
    functions: &[
        "method_declaration",
        "constructor_declaration",
        "destructor_declaration",
        "operator_declaration",
        "conversion_operator_declaration",
        "local_function_statement",
    ],
    classes: &[
        "class_declaration",
        "struct_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "namespace_declaration",
    ],
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
    keywords: &["null_literal", "boolean_literal", "modifier", "implicit_type"],
    types: &["predefined_type"],
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

pub(crate) static JAVASCRIPT: Grammar = Grammar {
    functions: &[
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "arrow_function",
        "method_definition",
    ],
    classes: &["class_declaration", "class"],
    blocks: &["statement_block"],
    lists: &["program", "class_body", "switch_body", "switch_case", "switch_default"],
    comments: &["comment", "html_comment", "hash_bang_line"],
    identifiers: &[
        "identifier",
        "property_identifier",
        "private_property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "statement_identifier",
    ],
    numbers: &["number"],
    strings: &["string", "template_string", "regex", "jsx_text"],
    imports: &["import_statement"],
    ..Grammar::new(|| tree_sitter_javascript::LANGUAGE.into())
};

pub(crate) static TYPESCRIPT: Grammar = Grammar {
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
    ..JAVASCRIPT
};

static GO: Grammar = Grammar {
    functions: &["function_declaration", "method_declaration", "func_literal"],
    classes: &["type_spec"],
    bodies: &["struct_type", "interface_type"],
    blocks: &["block"],
    statement_lists: &["statement_list"],
    lists: &[
        "source_file",
        "field_declaration_list",
        "expression_case",
        "type_case",
        "default_case",
        "communication_case",
    ],
    comments: &["comment"],
    identifiers: &["identifier", "field_identifier", "type_identifier", "package_identifier", "label_name"],
    keywords: &["fallthrough_statement", "iota"],
    numbers: &["int_literal", "float_literal", "imaginary_literal"],
    strings: &["interpreted_string_literal", "raw_string_literal"],
    chars: &["rune_literal"],
    imports: &["import_declaration", "package_clause"],
    ..Grammar::new(|| tree_sitter_go::LANGUAGE.into())
};

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelt kind would silently mean nothing.
    #[test]
    fn every_kind_exists_in_its_grammar() {
        for language in Language::all() {
            let Some(grammar) = grammar(language) else { continue };
            let known = (grammar.language)();
            let lists = [
                grammar.functions,
                grammar.classes,
                grammar.bodies,
                grammar.always_bodied,
                grammar.blocks,
                grammar.not_statements,
                grammar.statement_lists,
                grammar.lists,
                grammar.lines,
                grammar.comments,
                grammar.identifiers,
                grammar.keywords,
                grammar.types,
                grammar.numbers,
                grammar.strings,
                grammar.chars,
                grammar.imports,
            ];
            for kind in lists.into_iter().flatten() {
                let exists = (0..known.node_kind_count() as u16)
                    .any(|id| known.node_kind_is_named(id) && known.node_kind_for_id(id) == Some(kind));
                assert!(exists, "{} has no node {kind}", language.name());
            }
        }
    }
}
