//! What TypeScript knows of numbers and truth values: an expression is a `number`, or one of a few numbers.
//!
//! `2` has the type `2`, and what asks for `1 | 2 | 3` takes it. A sum that gives 2 is any number. Two constants that cannot
//! be equal must not be compared for equality.

use familiar_syntax::tree::Node;

use super::grammar;
use super::names::{Kind, Variable};
use crate::program::Program;

const ARITHMETIC: [&str; 12] = ["+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>"];
const EQUALITY: [&str; 4] = ["==", "!=", "===", "!=="];
/// How far the values of variables are followed.
const MOST_STEPS: u32 = 4;

/// Whether any number may stand in the place of a number literal: nothing there asks for one of a few numbers.
pub(crate) fn takes_any(literal: Node<'_>) -> bool {
    let mut node = literal;
    let parent = loop {
        let Some(parent) = node.parent() else { return false };
        let is_sign = matches!(grammar::unary(parent), Some(("-" | "+", _)));
        if !is_sign && parent.kind() != "parenthesized_expression" {
            break parent;
        }
        node = parent;
    };
    if let Some((left, operator, right)) = grammar::binary(parent) {
        let other = if left == node { right } else { left };
        let is_order = ["<", "<=", ">", ">="].contains(&operator);
        return is_order
            || ARITHMETIC.contains(&operator)
            || EQUALITY.contains(&operator) && is_computed(other);
    }
    match parent.kind() {
        "augmented_assignment_expression" => {
            let operator = parent.child("operator").map_or("", Node::kind);
            ARITHMETIC.contains(&operator.trim_end_matches('='))
        }
        "unary_expression" => matches!(grammar::unary(parent), Some(("~", _))),
        // What `let` declares without a type is a `number`.
        "variable_declarator" => {
            node.field() == Some("value") && parent.child("type").is_none() && is_let(parent)
        }
        _ => false,
    }
}

/// Whether a comparison for equality says nothing of the type of what an expression reads.
fn is_computed(node: Node<'_>) -> bool {
    let bare = grammar::bare(node);
    let computes = matches!(grammar::binary(bare), Some((_, operator, _)) if ARITHMETIC.contains(&operator));
    computes || bare.kind() == "call_expression"
}

fn is_let(declarator: Node<'_>) -> bool {
    declarator.parent().is_some_and(|it| {
        it.kind() == "variable_declaration" || it.child("kind").is_some_and(|it| it.kind() == "let")
    })
}

/// Whether an expression that is a number has the type `number`, and no narrower one.
pub(crate) fn is_wide(program: &Program, node: Node<'_>) -> bool {
    is_wide_within(program, node, node.start(), 0)
}

fn is_wide_within(program: &Program, node: Node<'_>, at: usize, steps: u32) -> bool {
    let bare = grammar::bare(node);
    if steps > MOST_STEPS {
        return false;
    }
    match bare.kind() {
        "binary_expression" => grammar::binary(bare).is_some_and(|it| ARITHMETIC.contains(&it.1)),
        "update_expression" => true,
        "unary_expression" => match grammar::unary(bare) {
            Some(("~", _)) => true,
            Some(("-" | "+", operand)) => is_wide_within(program, operand, at, steps + 1),
            _ => false,
        },
        "identifier" => {
            program.names().variable(bare).is_some_and(|it| is_wide_variable(program, it, at, steps))
        }
        _ => false,
    }
}

fn is_wide_variable(program: &Program, variable: &Variable, at: usize, steps: u32) -> bool {
    let name = program.node(variable.declaration);
    let declarator = name.parent().filter(|it| it.kind() == "variable_declarator");
    let is_known = declarator.is_some_and(|it| {
        let value = it.child("value").filter(|_| is_let(it) && it.child("type").is_none());
        let is_number = value.is_some_and(|it| {
            grammar::unary(it).map_or(it, |unary| unary.1).kind() == "number"
                || is_wide_within(program, it, at, steps + 1)
        });
        is_number || has_type(program, it, &["number"])
    });
    is_known && !is_narrowed(program, variable, at)
}

/// Whether a declaration gives one of these types.
fn has_type(program: &Program, declaration: Node<'_>, types: &[&str]) -> bool {
    let given = declaration.child("type").map(|it| program.of(it).trim_start_matches(':').trim());
    given.is_some_and(|it| types.contains(&it))
}

/// Whether a variable may have the type `true` or `false`: a constant, or what is declared so.
pub(crate) fn is_one_truth(program: &Program, variable: &Variable) -> bool {
    let declared = program.node(variable.declaration).parent();
    declared.is_some_and(|it| {
        let value = it.child("value").map(|it| grammar::bare(it).kind());
        let is_literal = matches!(value, Some("true" | "false" | "identifier")) && !is_let(it);
        is_literal && it.child("type").is_none()
            || it.child("type").is_some() && !has_type(program, it, &["boolean"])
    })
}

/// Whether a variable is one of so many numbers or texts that a `switch` over `name` cannot have a case for each.
pub(crate) fn is_endless(program: &Program, name: Node<'_>) -> bool {
    let Some(variable) = program.names().variable(name) else { return false };
    let declared = program.node(variable.declaration).parent();
    variable.kind != Kind::Other
        && declared.is_some_and(|it| has_type(program, it, &["number", "string"]))
        && !is_narrowed(program, variable, name.start())
}

/// Whether a comparison, a `switch` or a function before a place may tell that a variable has one of a few values there.
fn is_narrowed(program: &Program, variable: &Variable, at: usize) -> bool {
    let before = variable.places.iter().map(|&place| program.node(place)).filter(|it| it.start() < at);
    before.into_iter().any(|name| {
        let mut node = name;
        while let Some(around) = node.parent().filter(|it| it.kind() == "parenthesized_expression") {
            node = around;
        }
        node.parent().is_some_and(|around| {
            let is_compared = grammar::binary(around).is_some_and(|it| EQUALITY.contains(&it.1));
            let is_asked = around.kind() == "arguments" && is_condition(around);
            is_compared || is_asked || grammar::is_switch(around)
        })
    })
}

/// Whether the truth of what a node is part of is asked.
fn is_condition(node: Node<'_>) -> bool {
    node.ancestors().take_while(|it| !grammar::is_block(*it)).any(|it| {
        it.field() == Some("condition") || matches!(it.kind(), "ternary_expression" | "binary_expression")
    })
}
