//! `comparison-rewrite`: writes a comparison by other comparisons and `not`, `and`, `or`.
//!
//! # What it does
//!
//! `a < b < c` becomes `a < b and b < c`. `a in b` becomes `not (a not in b)`, and so on for `is`. Where the types are known, `a != b` becomes
//! `not a == b`, `a <= b` becomes `a < b or a == b`, and `a < b` becomes `not a >= b`.
//!
//! # Why behavior is kept
//!
//! A chain is defined so, and its middle is a name or a literal that is the same both times. `in` and `is` give truth values. The other rules
//! are those of numbers and texts.
//!
//! # Example
//!
//! `x not in seen` becomes `not (x in seen)`.
//!
//! # Where it does not apply
//!
//! Other comparisons of values whose types are not known; chains with a middle that is computed.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{is_still, operands, sides};
use crate::program::Program;
use crate::python::types::{self, Type};
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "comparison-rewrite",
    summary: "writes a comparison by other comparisons and not, and, or",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "comparison_operator").filter(|it| values::is_value(*it)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let Some((left, sign, right)) = sides(site) else { return chain(program, site) };
    let kept = [left, right];
    let both = |sign: &str| format!("{} {sign} {}", code::operand(left), values::at(code::operand(right), 1));
    let known = kept.map(|it| types::of(program, it));
    let whole = known.iter().all(|it| it.is_whole());
    let ordered = whole || known == [Type::Str; 2];
    let numbers = known.iter().all(|it| it.is_whole() || *it == Type::Float);
    let twice = numbers && kept.iter().all(|it| is_still(program, *it));
    let template = match sign {
        "in" => format!("(not ({}))", both("not in")),
        "not in" => format!("(not ({}))", both("in")),
        "is" => format!("(not ({}))", both("is not")),
        "is not" => format!("(not ({}))", both("is")),
        "==" if known.iter().all(|it| it.is_frozen()) => format!("(not ({}))", both("!=")),
        "!=" if known.iter().all(|it| it.is_frozen()) => format!("(not ({}))", both("==")),
        "<=" if twice => format!("({} or {})", both("<"), both("==")),
        ">=" if twice => format!("({} or {})", both(">"), both("==")),
        "<" if ordered => format!("(not ({}))", both(">=")),
        ">" if ordered => format!("(not ({}))", both("<=")),
        "<=" if ordered => format!("(not ({}))", both(">")),
        ">=" if ordered => format!("(not ({}))", both("<")),
        _ => return Err(Refusal("the types of its sides are not known")),
    };
    Ok(vec![expression(site.range(), &template, &kept)])
}

/// A chain as comparisons of two values each.
fn chain(program: &Program, site: Node<'_>) -> Result<Vec<Edit>, Refusal> {
    let operands = operands(site);
    let signs: Vec<_> =
        site.children().filter(|it| it.field() == Some("operators")).map(Node::kind).collect();
    if operands.len() > 9 || operands.len() != signs.len() + 1 {
        return Err(Refusal("it is too long"));
    }
    let middle = &operands[1..operands.len() - 1];
    if !middle.iter().all(|it| is_still(program, *it))
        || site.subtree().any(|it| it.kind() == "named_expression")
    {
        return Err(Refusal("its middle is computed, and would be computed twice"));
    }
    let pairs = signs.iter().enumerate().map(|(at, sign)| {
        let left = values::at(code::operand(operands[at]), at);
        format!("{left} {sign} {}", values::at(code::operand(operands[at + 1]), at + 1))
    });
    Ok(vec![expression(site.range(), &format!("({})", pairs.collect::<Vec<_>>().join(" and ")), &operands)])
}
