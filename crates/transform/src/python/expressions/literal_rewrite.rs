//! `literal-rewrite`: writes a literal as an expression.
//!
//! # What it does
//!
//! A whole number becomes a difference, a floating-point number half of its double, a truth value the opposite of the other one, and a text the sum of two.
//!
//! # Why behavior is kept
//!
//! Each expression gives the same value. Doubling and halving change nothing but the exponent.
//!
//! # Example
//!
//! `7` becomes `(19 - 12)`, and `"ab"` becomes `("a" + "b")`.
//!
//! # Where it does not apply
//!
//! Annotations, patterns, f-strings and docstrings; numbers of more than fifteen digits; texts with escapes or of one character.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::is_plain_value;
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

const MOST_DIGITS: usize = 15;

pub(crate) static RULE: Rule = Rule {
    name: "literal-rewrite",
    summary: "writes a literal as an expression",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let literals = program
        .root()
        .subtree()
        .filter(|it| it.is_named() && matches!(it.kind(), "integer" | "float" | "true" | "false" | "string"));
    literals.filter(|it| is_plain_value(*it)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let text = program.of(site);
    let new = match site.kind() {
        "true" => Some("(not False)".to_owned()),
        "false" => Some("(not True)".to_owned()),
        "integer" => {
            let number =
                Some(text).filter(|it| it.len() <= MOST_DIGITS).and_then(|it| it.parse::<u64>().ok());
            let more = choices.below(90) as u64 + 10;
            number.map(|it| format!("({} - {more})", it + more))
        }
        "float" => {
            let number =
                text.parse::<f64>().ok().filter(|it| it.is_normal() && it.abs() < 1e300 && it.abs() > 1e-300);
            number.map(|it| format!("({:?} / 2)", it * 2.0))
        }
        _ => halves(text, choices),
    };
    new.map(|new| vec![Edit::text(site.range(), new)]).ok_or(Refusal("it has no such form"))
}

/// A plain text as the sum of two.
fn halves(text: &str, choices: &mut Choices) -> Option<String> {
    let quote = text.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let plain = inner.chars().all(|it| !matches!(it, '\\' | '\n' | '"' | '\''));
    let places: Vec<_> = inner.char_indices().map(|it| it.0).skip(1).collect();
    let at = *places.get(choices.below(places.len())).filter(|_| plain)?;
    Some(format!("({quote}{}{quote} + {quote}{}{quote})", &inner[..at], &inner[at..]))
}
