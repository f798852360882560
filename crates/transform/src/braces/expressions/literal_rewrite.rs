//! `literal-rewrite`: writes a literal as an expression.
//!
//! # What it does
//!
//! A whole number becomes a sum, a difference, or a product and a rest.
//!
//! # Why behavior is kept
//!
//! All parts are small numbers, so the compiler computes the same number of the same type, and a constant stays a
//! constant.
//!
//! # Example
//!
//! `17` becomes `(9 + 8)`.
//!
//! # Where it does not apply
//!
//! Zero, which also is the null pointer; numbers from 1,000,000 on, or with a suffix; keys of objects; types; lines
//! of the preprocessor, and what a macro gets; in TypeScript, places that may ask for this number alone, as a `return` and an
//! argument may.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::super::{code, wide};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "literal-rewrite",
    summary: "writes a literal as an expression",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, &["decimal_integer_literal", "number_literal", "number", "int_literal"]).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let text = program.of(site);
    let is_plain = text.bytes().all(|it| it.is_ascii_digit()) && !text.starts_with('0');
    let value: usize = text
        .parse()
        .ok()
        .filter(|it| is_plain && (1..1_000_000).contains(it))
        .ok_or(Refusal("it is no small number"))?;
    if grammar::is_c(program.language()) && is_for_macro(program, site) {
        return Err(Refusal("a macro may see it as text"));
    }
    let is_key = site.parent().is_some_and(|it| {
        matches!(site.field(), Some("key" | "name" | "property"))
            || matches!(it.kind(), "literal_type" | "enum_assignment" | "user_defined_literal")
    });
    let in_type = site.ancestors().any(|it| {
        let kind = it.kind();
        kind.ends_with("_type")
            || kind.starts_with("preproc_")
            || kind.ends_with("annotation")
            || matches!(
                kind,
                "enum_declaration"
                    | "type_alias_declaration"
                    | "template_argument_list"
                    | "attribute_specifier"
            )
    });
    if is_key || in_type {
        return Err(Refusal("it is a key, or a part of a type or of another literal"));
    }
    if program.language() == Language::TypeScript && !wide::takes_any(site) {
        return Err(Refusal("its place may ask for this number alone"));
    }
    let template = match choices.below(3) {
        0 => {
            let part = choices.below(value + 1);
            format!("({} + {part})", value - part)
        }
        1 => {
            let more = 1 + choices.below(50);
            format!("({} - {more})", value + more)
        }
        _ => {
            let factor = 2 + choices.below(7);
            format!("({factor} * {} + {})", value / factor, value % factor)
        }
    };
    Ok(vec![Edit::text(site.range(), template)])
}

/// Whether a literal stands in what a macro of C gets. Names of macros are in capitals, or the program defines them.
fn is_for_macro(program: &Program, literal: Node<'_>) -> bool {
    let calls = literal.ancestors().filter(|it| it.kind() == "call_expression");
    let mut names = calls.filter_map(|it| it.child("function")).map(|it| program.of(it));
    let is_defined = |name: &str| {
        program.root().descendants().any(|it| {
            it.kind() == "preproc_function_def" && it.child("name").is_some_and(|it| program.of(it) == name)
        })
    };
    names.any(|it| {
        let is_capital = it.chars().any(char::is_uppercase) && !it.chars().any(char::is_lowercase);
        is_capital || it == "assert" || is_defined(it)
    })
}
