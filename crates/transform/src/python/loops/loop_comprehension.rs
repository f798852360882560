//! `loop-comprehension`: writes a loop that fills a list as a comprehension.
//!
//! # What it does
//!
//! A new list, and the loop right behind that appends to it, become one comprehension.
//!
//! # Why behavior is kept
//!
//! Collections, conditions and items are computed in the same order, and none of them names the list. The variables of the loop are not
//! used behind it.
//!
//! # Example
//!
//! `x = []` and `for y in z: x.append(f(y))` become `x = [f(y) for y in z]`.
//!
//! # Where it does not apply
//!
//! Loops that do more; lists or variables that other code sees; items that yield or assign; inside `try`; the body of a class.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::memory::Assignment;
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "loop-comprehension",
    summary: "writes a loop that fills a list as a comprehension",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "expression_statement").filter(|it| filled(program, *it).is_some()).collect()
}

/// A list that a loop fills.
struct Filled<'p> {
    list: Assignment<'p>,
    last: Node<'p>,
    clauses: Vec<Node<'p>>,
    item: Node<'p>,
    append: Node<'p>,
}

fn filled<'p>(program: &Program, statement: Node<'p>) -> Option<Filled<'p>> {
    let list = Assignment::of(program, statement)?;
    let empty = list.value.kind() == "list" && list.value.named().count() == 0;
    let last = code::statements(statement.parent()?).find(|it| it.number() > statement.number())?;
    if !empty || last.kind() != "for_statement" {
        return None;
    }
    let (mut clauses, mut at) = (Vec::new(), last);
    loop {
        if at.child("alternative").is_some() || at.children().any(|it| it.kind() == "async") {
            return None;
        }
        let body = match at.kind() {
            "for_statement" => at.child("body")?,
            "if_statement" => at.child("consequence")?,
            _ => break,
        };
        clauses.push(at);
        let mut nodes = body.named();
        at = nodes.next().filter(|_| nodes.next().is_none())?;
    }
    let call = at.named().next().filter(|it| at.kind() == "expression_statement" && it.kind() == "call")?;
    let append = call.child("function").filter(|it| it.kind() == "attribute")?;
    let is_append = program.of(append.child("attribute")?) == "append"
        && program.of(append.child("object")?) == program.of(list.target);
    let mut arguments = call.child("arguments").filter(|it| it.kind() == "argument_list")?.named();
    let item = arguments.next().filter(|_| arguments.next().is_none())?;
    (is_append && !item.kind().ends_with("splat")).then_some(Filled { list, last, clauses, item, append })
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let filled = filled(program, site).ok_or(Refusal("no loop fills it"))?;
    code::may_add_names(site)?;
    if code::inside_try(site) || program.scopes().is_reflective() {
        return Err(Refusal("other code may see the list before it is full"));
    }
    check(program, &filled)?;
    code::indent(program, filled.last)?;
    let (mut clauses, mut kept) = (Vec::new(), vec![filled.list.target, filled.item]);
    for clause in &filled.clauses {
        let at = kept.len();
        if at > 7 {
            return Err(Refusal("it has too many clauses"));
        }
        if let (Some(target), Some(items)) = (clause.child("left"), clause.child("right")) {
            let items_template = if matches!(items.kind(), "conditional_expression" | "expression_list") {
                format!("(${})", at + 1)
            } else {
                format!("${}", at + 1)
            };
            clauses.push(format!(" for ${at} in {items_template}"));
            kept.extend([target, items]);
        } else if let Some(condition) = clause.child("condition") {
            let plain = if condition.kind() == "conditional_expression" {
                format!("(${at})")
            } else {
                format!("${at}")
            };
            clauses.push(format!(" if {plain}"));
            kept.push(condition);
        }
    }
    let item = values::at(values::item(filled.item), 1);
    Ok(vec![expression(
        site.start()..filled.last.end(),
        &format!("$0 = [{item}{}]", clauses.concat()),
        &kept,
    )])
}

fn check(program: &Program, filled: &Filled<'_>) -> Result<(), Refusal> {
    let scopes = program.scopes();
    let list = scopes.variable(filled.list.target).filter(|it| it.is_local() || code::is_script(program));
    let list =
        list.filter(|it| !it.is_captured && !it.is_shared).ok_or(Refusal("other code may see the list"))?;
    let named = list.places.iter().filter(|&&it| filled.last.holds(program.node(it))).count();
    if named != 1 || filled.append.child("object").is_none() {
        return Err(Refusal("the loop names the list"));
    }
    for clause in &filled.clauses {
        for field in ["left", "right", "condition"] {
            let Some(part) = clause.child(field) else { continue };
            if field == "left" {
                targets(program, filled, part)?;
            } else {
                values::may_be_called(program, part, &[])?;
            }
        }
    }
    values::may_be_called(program, filled.item, &[])
}

/// Whether the variables of a loop are its own.
fn targets(program: &Program, filled: &Filled<'_>, target: Node<'_>) -> Result<(), Refusal> {
    let plain = ["identifier", "pattern_list", "tuple_pattern"];
    for node in target.subtree().filter(|it| it.is_named()) {
        if !plain.contains(&node.kind()) {
            return Err(Refusal("its target is no name"));
        }
        if node.kind() != "identifier" {
            continue;
        }
        let own = program.scopes().variable(node).is_some_and(|it| {
            let inside = it.places.iter().all(|&it| filled.last.holds(program.node(it)));
            inside
                && !it.is_captured
                && !it.is_shared
                && !it.is_fixed
                && (it.is_local() || code::is_script(program))
        });
        if !own {
            return Err(Refusal("its variable is used elsewhere"));
        }
    }
    Ok(())
}
