//! Rust.

mod finder;
mod lexer;

use familiar_source::Language;

use super::Definition;
use crate::{Confidence, FrontEnd, Output, Want};

pub(super) static DEFINITION: Definition = Definition {
    language: Language::Rust,
    extensions: &["rs"],
    file_names: &[],
    interpreters: &["rust-script"],
    front_end: &Rust,
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

/// The fast path of Rust.
struct Rust;

impl FrontEnd for Rust {
    fn parse(&self, source: &[u8], want: Want, out: &mut Output) -> Confidence {
        let whole = lexer::lex(source, &mut out.tokens);
        if want.line_starts {
            lexer::mark_line_starts(out.tokens.as_mut_slice());
        }
        if !want.fragments {
            return Confidence::Sure;
        }
        let balanced = finder::find(&out.tokens, &out.lines, &mut out.fragments);
        if whole && balanced { Confidence::Sure } else { Confidence::Unsure }
    }
}

#[cfg(feature = "trees")]
static GRAMMAR: crate::tree::Grammar = crate::tree::Grammar {
    functions: &["function_item"],
    classes: &["struct_item", "enum_item", "union_item", "trait_item", "impl_item", "mod_item"],
    namespaces: &["mod_item"],
    blocks: &["block"],
    not_statements: &["attribute_item", "inner_attribute_item", "empty_statement", "label"],
    lists: &["source_file", "declaration_list", "field_declaration_list", "enum_variant_list", "match_block"],
    comments: &["line_comment", "block_comment", "shebang"],
    identifiers: &[
        "identifier",
        "field_identifier",
        "type_identifier",
        "shorthand_field_identifier",
        "metavariable",
        "lifetime",
    ],
    keywords: &["boolean_literal", "mutable_specifier"],
    types: &["primitive_type"],
    numbers: &["integer_literal", "float_literal"],
    strings: &["string_literal", "raw_string_literal"],
    chars: &["char_literal"],
    imports: &["use_declaration", "extern_crate_declaration"],
    ..crate::tree::Grammar::new(|| tree_sitter_rust::LANGUAGE.into())
};

#[cfg(test)]
mod tests {
    use super::*;
    use familiar_source::{FragmentKind, LineIndex};

    fn parse(source: &[u8]) -> (Output, Confidence) {
        let mut out = Output { lines: LineIndex::new(source), ..Output::default() };
        let confidence = Rust.parse(source, Want { fragments: true, line_starts: true }, &mut out);
        (out, confidence)
    }

    fn texts(source: &str) -> Vec<&str> {
        let (out, _) = parse(source.as_bytes());
        out.tokens.iter().map(|token| &source[token.start as usize..token.end as usize]).collect()
    }

    fn functions(source: &str) -> Vec<(String, u32, u32)> {
        let (out, confidence) = parse(source.as_bytes());
        assert_eq!(confidence, Confidence::Sure);
        let functions = out.fragments.iter().filter(|fragment| fragment.kind == FragmentKind::Function);
        functions.map(|f| (source[f.name.range()].to_owned(), f.lines.start, f.lines.end)).collect()
    }

    #[test]
    fn quotes_are_chars_or_lifetimes() {
        assert_eq!(
            texts(r"'a' 'a '\'' '\u{41}' b'\'' 'é' '_ b'''"),
            ["'a'", "'a", r"'\''", r"'\u{41}'", r"b'\''", "'é'", "'_", "b'''"]
        );
    }

    #[test]
    fn raw_strings_count_their_hashes() {
        assert_eq!(
            texts("r#\"a\"b\"# br##\"x\"#y\"## r\"\" r#fn c\"z\" r###\""),
            ["r#\"a\"b\"#", "br##\"x\"#y\"##", "r\"\"", "r#fn", "c\"z\"", "r###\""]
        );
    }

    #[test]
    fn comments_nest() {
        assert_eq!(texts("a /* /* b */ c */ d // e\rf /*"), ["a", "d", "f"]);
    }

    #[test]
    fn numbers_end_before_ranges_and_methods() {
        assert_eq!(
            texts("0..9 1.max(2) 1.5e-3 0xffu8 1. 2e5"),
            ["0", "..", "9", "1", ".", "max", "(", "2", ")", "1.5e-3", "0xffu8", "1.", "2e5"]
        );
    }

    #[test]
    fn functions_of_macros_are_none() {
        let source = "macro_rules! m { () => { fn a() {} } }\nm! { fn b() {} }\nfn c() { vec![1]; }\n";
        assert_eq!(functions(source), [("c".to_owned(), 3, 3)]);
    }

    #[test]
    fn modifiers_belong_to_the_function_and_attributes_do_not() {
        let source = "#[inline]\npub(crate)\nunsafe extern \"C\" fn r#try<const N: usize>(f: fn(u8) -> u8) -> A<{ N }>\nwhere\n T: X<{ 1 }>,\n{\n}\n";
        assert_eq!(functions(source), [("r#try".to_owned(), 2, 7)]);
    }
}
