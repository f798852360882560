//! `conditional-ternary`: makes an expression of an if statement, and the other way round.
//!
//! # What it does
//!
//! Where both branches of an `if` only assign to the same variable, or only return, the `if` becomes a conditional
//! expression. Where a statement only assigns or returns a conditional expression, it becomes an `if`.
//!
//! # Why behavior is kept
//!
//! The condition comes first in both forms, and then the same one of the two values. Both values have the same
//! known type, so that the expression converts neither of them. In JavaScript nothing is converted.
//!
//! # Example
//!
//! `if (a) { x = 1; } else { x = 2; }` becomes `x = a ? 1 : 2;`.
//!
//! # Where it does not apply
//!
//! Values whose types are not known or differ; constants that Java may shorten to a `byte` or a `char`; targets that are
//! no plain variables; functions of JavaScript that get their name from the variable, where the program reads names of
//! functions; Go, which has no such expression.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::code;
use super::super::grammar;
use super::super::types::{self, Type};
use super::super::variable_rename;
use super::if_else_flip::binds;
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

const NO_VALUES: Refusal = Refusal("its branches are more than one value each for the same target");

const NAMED: Refusal =
    Refusal("a function would get or lose its name, and the program reads names of functions");

pub(crate) static RULE: Rule = Rule {
    name: "conditional-ternary",
    summary: "makes an expression of an if statement, and the other way round",
    languages: &[Language::Java, Language::C, Language::Cpp, Language::JavaScript, Language::TypeScript],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, &["if_statement", "return_statement", "expression_statement"]).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if site.kind() != "if_statement" {
        return expand(program, site);
    }
    let parts = grammar::branches(site).ok_or(Refusal("its condition declares a variable"))?;
    let otherwise = parts.otherwise.ok_or(NO_VALUES)?;
    if binds(parts.condition)
        || program.language() == Language::Java && !code::varies(program, parts.condition)
    {
        return Err(Refusal("its condition binds a name or is a constant"));
    }
    let [first, second] = [parts.then, otherwise].map(|it| match grammar::statements(it)[..] {
        [only] if grammar::content(it).len() <= 1 || !grammar::is_block(it) => value(program, only),
        _ => None,
    });
    let (Some((target, left)), Some((other, right))) = (first, second) else { return Err(NO_VALUES) };
    if target.map(|it| program.names().number(it)) != other.map(|it| program.names().number(it)) {
        return Err(NO_VALUES);
    }
    if !same_type(program, left, right) {
        return Err(Refusal("its values are not known to have the same type"));
    }
    if target.is_some() && variable_rename::may_show_name(program, &[left, right]) {
        return Err(NAMED);
    }
    if program.language() == Language::Java && may_narrow(program, site, target, [left, right]) {
        return Err(Refusal("a constant may become a shorter number here"));
    }
    let mut kept = vec![parts.condition, left, right];
    let condition = if code::is_tight(parts.condition) { "$0" } else { "($0)" };
    let values = [(left, 1), (right, 2)].map(|(it, place)| code::tight(program, it, place));
    let head = match target {
        Some(target) => {
            kept.push(target);
            "$3 = "
        }
        None => "return ",
    };
    Ok(vec![expression(site.range(), &format!("{head}{condition} ? {} : {};", values[0], values[1]), &kept)])
}

/// An assignment or a `return` of a conditional expression as an `if`.
fn expand(program: &Program, site: Node<'_>) -> Result<Vec<Edit>, Refusal> {
    let no_choice = Refusal("it gives no conditional expression");
    let (target, value) = value(program, site).ok_or(no_choice)?;
    let [condition, left, right] = grammar::ternary(grammar::bare(value)).ok_or(no_choice)?;
    if !same_type(program, left, right) || binds(condition) {
        return Err(Refusal("its values are not known to have the same type"));
    }
    if target.is_some() && variable_rename::may_show_name(program, &[left, right]) {
        return Err(NAMED);
    }
    if program.language() == Language::Java && !code::varies(program, condition) {
        return Err(Refusal("its condition may be a constant"));
    }
    let head = if target.is_some() { "$1 = " } else { "return " };
    let mut lines = code::lines(program, site);
    let kept = |it| std::iter::once(it).chain(target).collect::<Vec<_>>();
    lines.line(0, "if ($0) {", &[grammar::bare(condition)]);
    lines.line(1, &format!("{head}$0;"), &kept(left)).line(0, "} else {", &[]);
    lines.line(1, &format!("{head}$0;"), &kept(right)).line(0, "}", &[]);
    Ok(vec![lines.edit(site.range())])
}

/// The value that a statement gives, and the plain variable that gets it; no variable where it returns the value.
fn value<'p>(program: &Program, statement: Node<'p>) -> Option<(Option<Node<'p>>, Node<'p>)> {
    if statement.kind() == "return_statement" {
        let mut values = statement.named();
        let value = values.next().filter(|it| !grammar::is_comment(*it))?;
        return (values.next().is_none() && value.kind() != "sequence_expression").then_some((None, value));
    }
    let it = grammar::assignment(statement)
        .filter(|it| it.operator == "=" && statement.kind() == "expression_statement")?;
    let is_plain = it.left.kind() == "identifier" && program.names().number(it.left).is_some();
    is_plain.then_some((Some(it.left), it.right))
}

/// Whether Java may take two constants for a `byte`, a `short` or a `char`, as it takes no choice between them.
fn may_narrow(program: &Program, site: Node<'_>, target: Option<Node<'_>>, values: [Node<'_>; 2]) -> bool {
    let is_int = values.iter().all(|it| types::of(program, *it) == Type::Int);
    if !is_int || values.iter().any(|it| code::varies(program, *it)) {
        return false;
    }
    let declaration = match target {
        Some(target) => {
            let variable = program.names().variable(target);
            variable.and_then(|it| types::declaration_of(program.node(it.declaration)))
        }
        None => site.ancestors().find(|it| grammar::is_function(*it)),
    };
    let kind = declaration.and_then(|it| it.child("type")).map(|it| program.of(it));
    let is_wide = |it| matches!(it, "int" | "long" | "float" | "double" | "Integer" | "Number" | "Object");
    !kind.is_some_and(is_wide)
}

/// Whether a conditional expression of these values converts neither of them.
fn same_type(program: &Program, left: Node<'_>, right: Node<'_>) -> bool {
    let types = [left, right].map(|it| types::of(program, it));
    let has_comma =
        [left, right].iter().any(|it| matches!(it.kind(), "comma_expression" | "assignment_expression"));
    match program.language() {
        _ if has_comma => false,
        Language::JavaScript | Language::TypeScript => true,
        Language::Java => {
            types[0] == types[1] && !matches!(types[0], Type::Unknown | Type::Narrow | Type::Array)
        }
        _ => types[0] == types[1] && matches!(types[0], Type::Int | Type::Long | Type::Double | Type::Bool),
    }
}
