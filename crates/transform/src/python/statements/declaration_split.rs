//! `declaration-split`: writes a multiple assignment as several.
//!
//! # What it does
//!
//! `a, b = x, y` becomes an assignment for each name. Where a value needs an old name, the values go through new names. `a = b = x` becomes an assignment for each name,
//! too.
//!
//! # Why behavior is kept
//!
//! Values are computed in their order, and before any name that they or other code might see changes. Targets are assigned from left to
//! right, as before.
//!
//! # Example
//!
//! `a, b = b, a` becomes `left = b`, `right = a`, `a = left`, `b = right`.
//!
//! # Where it does not apply
//!
//! Unpacking of what is not written out; `*values`; the body of a class.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::expressions::is_still;
use crate::program::Program;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "declaration-split",
    summary: "writes a multiple assignment as several",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

/// More targets stay as they are.
const MOST_TARGETS: usize = 8;

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let statements = code::all(program, "expression_statement");
    statements.filter(|it| pairs(*it).is_some() || !chain(*it).1.is_empty()).collect()
}

fn items<'p>(node: Node<'p>, kinds: [&str; 3]) -> Option<Vec<Node<'p>>> {
    let items: Vec<_> = node.named().filter(|it| it.kind() != "comment").collect();
    let plain = kinds.contains(&node.kind()) && items.iter().all(|it| !it.kind().contains("splat"));
    (plain && (2..=MOST_TARGETS).contains(&items.len())).then_some(items)
}

/// The targets and the values of a multiple assignment.
fn pairs(statement: Node<'_>) -> Option<(Vec<Node<'_>>, Vec<Node<'_>>)> {
    let assignment = statement.named().next().filter(|it| it.kind() == "assignment")?;
    let targets = items(assignment.child("left")?, ["pattern_list", "tuple_pattern", "list_pattern"])?;
    let values = items(assignment.child("right")?, ["expression_list", "tuple", "list"])?;
    (targets.len() == values.len()).then_some((targets, values))
}

/// The value of a chain of assignments, and its targets, where there are two at least.
fn chain(statement: Node<'_>) -> (Option<Node<'_>>, Vec<Node<'_>>) {
    let mut targets = Vec::new();
    let mut at = statement.named().next();
    while let Some(assignment) = at.filter(|it| it.kind() == "assignment" && it.child("type").is_none()) {
        targets.extend(assignment.child("left"));
        at = assignment.child("right");
    }
    if targets.len() < 2 || targets.len() > MOST_TARGETS {
        targets.clear();
    }
    (at, targets)
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    code::may_add_names(site)?;
    let mut lines = code::lines(program, site)?;
    let Some((targets, values)) = pairs(site) else {
        let (value, targets) = chain(site);
        let value = value.ok_or(Refusal("it has no value"))?;
        let held = choices.name();
        lines.line(0, &format!("{held} = {}", values::item(value)), &[value]);
        for target in targets {
            lines.line(0, &format!("$0 = {held}"), &[target]);
        }
        return Ok(vec![lines.edit(site.range())]);
    };
    let names: Vec<_> = targets.iter().map(|it| program.of(*it)).collect();
    // Written values and names that no assignment of these changes may stay where they are.
    let apart = values.iter().all(|it| is_still(program, *it) && !names.contains(&program.of(*it)))
        && targets.iter().all(|it| it.kind() == "identifier");
    if apart {
        for (target, value) in targets.iter().zip(&values) {
            lines.line(0, "$0 = $1", &[*target, *value]);
        }
        return Ok(vec![lines.edit(site.range())]);
    }
    let held: Vec<_> = targets.iter().map(|_| choices.name()).collect();
    for (held, value) in held.iter().zip(&values) {
        let loose = program.of(*value).contains('\n');
        lines.line(0, &format!("{held} = {}", if loose { "($0)" } else { values::item(*value) }), &[*value]);
    }
    for (target, held) in targets.iter().zip(&held) {
        lines.line(0, &format!("$0 = {held}"), &[*target]);
    }
    Ok(vec![lines.edit(site.range())])
}
