//! `conditional`: writes a condition in another way.
//!
//! # What it does
//!
//! `&&` and `||` change places by De Morgan's laws. A comparison of whole numbers gets the opposite sign and a `!`. Any
//! other condition is negated twice.
//!
//! # Why behavior is kept
//!
//! A condition is asked for its truth alone. The same operands are asked for their truth, in the same order, and
//! none that was not asked before.
//!
//! # Example
//!
//! `if (a && b)` becomes `if (!(!a || !b))`.
//!
//! # Where it does not apply
//!
//! Constants; conditions that bind a name; in C++, operands that may have operators of their own.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::super::{code, negate};
use super::if_else_flip::binds;
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "conditional",
    summary: "writes a condition in another way: De Morgan, the opposite sign, a choice of truth values",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let statements = program.root().descendants().filter_map(|it| condition_of(it));
    statements.collect()
}

fn condition_of(statement: Node<'_>) -> Option<Node<'_>> {
    grammar::branches(statement)
        .map(|it| it.condition)
        .or_else(|| grammar::parts(statement).and_then(|it| it.condition))
        .or_else(|| grammar::ternary(statement).map(|it| it[0]))
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let condition = grammar::bare(site);
    if binds(condition) || !code::varies(program, condition) && is_java_or_literal(program, condition) {
        return Err(Refusal("its condition binds a name or is a constant"));
    }
    negate::check(program, condition)?;
    let parts = grammar::binary(condition);
    let (template, kept) = match parts {
        Some((left, operator @ ("&&" | "||"), right)) => {
            let other = if operator == "&&" { "||" } else { "&&" };
            let (first, mut kept) = negate::negated(program, left)?;
            let (second, more) = negate::negated(program, right)?;
            let second = (0..more.len()).rev().fold(second, |text, place| {
                text.replace(&format!("${place}"), &format!("${}", place + kept.len()))
            });
            kept.extend(more);
            (format!("!({} {other} {})", grouped(&first), grouped(&second)), kept)
        }
        Some((left, operator, right)) => match negate::opposite(program, operator, left, right) {
            Some(opposite) => (format!("!($0 {opposite} $1)"), vec![left, right]),
            None => ("!(!($0))".to_owned(), vec![condition]),
        },
        _ => match grammar::unary(condition) {
            Some(("!", operand)) if program.language() != Language::Cpp => {
                let inner = grammar::bare(operand);
                (format!("!(!(!{}))", code::tight(program, inner, 0)), vec![inner])
            }
            _ => ("!(!($0))".to_owned(), vec![condition]),
        },
    };
    // The grammar of a ternary asks for no more than that.
    Ok(vec![expression(site.range(), &template, &kept)])
}

fn grouped(negated: &str) -> String {
    if negated.starts_with('!') || negated == "true" || negated == "false" {
        negated.to_owned()
    } else {
        format!("({negated})")
    }
}

fn is_java_or_literal(program: &Program, condition: Node<'_>) -> bool {
    program.language() == Language::Java || condition.subtree().all(|it| it.kind() != "identifier")
}
