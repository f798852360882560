//! `conditional-expression-vectorization`: chooses between two values by a truth value as an index.
//!
//! # What it does
//!
//! Both values become functions in a tuple. The truth of the condition is the place of the one that is called.
//!
//! # Why behavior is kept
//!
//! The condition is asked once, before. Only the function of the chosen value is called.
//!
//! # Example
//!
//! `a if c else b` becomes `(lambda: b, lambda: a)[bool(c)]()`.
//!
//! # Where it does not apply
//!
//! Values that yield, await or assign; variables that may have no value; the body of a class.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code::{self, Branch};
use crate::python::values;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "conditional-expression-vectorization",
    summary: "chooses between two values by a truth value as an index",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let all = program.root().subtree().filter(|it| it.is_named());
    all.filter(|it| choice(*it).is_some() && values::is_value(*it)).collect()
}

/// Condition and both values of a conditional expression, or of an `if` that only returns.
fn choice(node: Node<'_>) -> Option<[Node<'_>; 3]> {
    if node.kind() == "conditional_expression" {
        let ways: Vec<_> = node.named().filter(|it| it.kind() != "comment").collect();
        let [then, condition, other] = ways[..] else { return None };
        return Some([condition, then, other]);
    }
    if node.kind() != "if_statement" {
        return None;
    }
    let branches = code::branches(node);
    let [Branch { condition: Some(condition), body }, Branch { condition: None, body: other }] = branches[..]
    else {
        return None;
    };
    Some([condition, returned(body)?, returned(other)?])
}

fn returned(body: Node<'_>) -> Option<Node<'_>> {
    let mut nodes = body.named();
    let only = nodes.next().filter(|it| it.kind() == "return_statement" && nodes.next().is_none())?;
    only.named().next()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let [condition, then, other] = choice(site).ok_or(Refusal("it chooses no value"))?;
    code::needs_builtins(program, &["bool"])?;
    values::may_be_called(program, then, &[])?;
    values::may_be_called(program, other, &[])?;
    let lambda = |node, at| format!("lambda: {}", values::at(values::item(node), at));
    let template =
        format!("({}, {})[bool({})]()", lambda(other, 2), lambda(then, 1), values::item(condition));
    let kept = [condition, then, other];
    if site.kind() == "if_statement" {
        code::indent(program, site)?;
        return Ok(vec![expression(site.range(), &format!("return {template}"), &kept)]);
    }
    Ok(vec![expression(site.range(), &template, &kept)])
}
