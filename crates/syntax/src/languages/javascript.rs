//! JavaScript with JSX, and what TypeScript shares with it.
//!
//! Functions are function declarations and expressions, generators, arrow functions, methods, getters and setters;
//! classes are class declarations and expressions and, in TypeScript, interfaces, enums, namespaces and modules.
//! A text between two tags is one string token; so is the text of a template between two substitutions.

use familiar_source::Language;

use super::Definition;
use crate::{Confidence, FrontEnd, Output, Want};

mod expressions;
mod finder;
mod kind;
mod layout;
mod markup;
mod members;
mod scanner;
mod statements;
#[cfg(test)]
mod tests;
mod types;

pub(super) static DEFINITION: Definition = Definition {
    language: Language::JavaScript,
    extensions: &["js", "jsx", "mjs", "cjs", "es", "es6", "jsm", "n4js", "mongodb"],
    file_names: &["Jakefile"],
    interpreters: &["node", "nodejs", "bun"],
    front_end: &Script { typed: false },
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

/// The front end of both languages.
pub(super) struct Script {
    /// Whether the source may hold types.
    pub(super) typed: bool,
}

impl FrontEnd for Script {
    fn parse(&self, source: &[u8], want: Want, out: &mut Output) -> Confidence {
        let classes = if self.typed { &kind::TYPED } else { &kind::UNTYPED };
        let scanned = scanner::Scanner::new(source, classes, &mut out.tokens).run();
        layout::mark_imports(out.tokens.as_mut_slice(), &scanned.imports);
        if want.line_starts {
            layout::mark_lines(source, out.tokens.as_mut_slice());
        }
        if !want.fragments {
            return Confidence::Sure;
        }
        let found = finder::find(source, self.typed, out);
        if scanned.clean { found } else { Confidence::Unsure }
    }
}

#[cfg(feature = "trees")]
pub(super) static GRAMMAR: crate::tree::Grammar = crate::tree::Grammar {
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
    ..crate::tree::Grammar::new(|| tree_sitter_javascript::LANGUAGE.into())
};
