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
use crate::python::code;
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

/// The conditions and values of a conditional expression, or of an `if` that only returns; the last value has no condition.
fn choice(node: Node<'_>) -> Option<Vec<(Option<Node<'_>>, Node<'_>)>> {
    if node.kind() == "conditional_expression" {
        let ways: Vec<_> = node.named().filter(|it| it.kind() != "comment").collect();
        let [then, condition, other] = ways[..] else { return None };
        return Some(vec![(Some(condition), then), (None, other)]);
    }
    let branches = code::branches(node);
    branches.last().filter(|it| it.condition.is_none() && branches.len() > 1)?;
    branches.iter().map(|it| returned(it.body).map(|value| (it.condition, value))).collect()
}

fn returned(body: Node<'_>) -> Option<Node<'_>> {
    let mut nodes = body.named();
    let only = nodes.next().filter(|it| it.kind() == "return_statement" && nodes.next().is_none())?;
    only.named().next()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let ways = choice(site).ok_or(Refusal("it chooses no value"))?;
    code::needs_builtins(program, &["bool"])?;
    let (mut function, mut nodes) = (String::new(), Vec::new());
    for (at, (condition, value)) in ways.iter().enumerate().rev() {
        values::may_be_called(program, *value, &[])?;
        nodes.push(*value);
        let then = format!("lambda: {}", values::at(values::item(*value), nodes.len() - 1));
        let Some(condition) = condition else {
            function = then;
            continue;
        };
        // All conditions but the first one are asked inside a function.
        if at > 0 {
            values::may_be_called(program, *condition, &[])?;
        }
        nodes.push(*condition);
        let asked = values::at(&values::truth(program, *condition), nodes.len() - 1);
        function = format!("lambda: ({function}, {then})[{asked}]()");
    }
    let value = function.strip_prefix("lambda: ").unwrap_or(&function);
    if site.kind() == "if_statement" {
        code::indent(program, site)?;
        return Ok(vec![expression(site.range(), &format!("return {value}"), &nodes)]);
    }
    Ok(vec![expression(site.range(), value, &nodes)])
}
