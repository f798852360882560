//! `iterative-state-composition`: calls nested functions one after the other, from a list of them.
//!
//! # What it does
//!
//! The innermost value is given to the functions in turn, and each gets what the one before gave.
//!
//! # Why behavior is kept
//!
//! The functions are builtins, so naming them does nothing. They are called in the same order with the same values.
//!
//! # Example
//!
//! `len(set(x))` becomes `(lambda held, *steps: [held := step(held) for step in steps][-1])(x, set, len)`.
//!
//! # Where it does not apply
//!
//! Functions that are no builtins; more than one argument; named arguments.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// Builtins that take one value and give one.
const FUNCTIONS: &[&str] = &[
    "abs",
    "all",
    "any",
    "bin",
    "bool",
    "chr",
    "dict",
    "enumerate",
    "float",
    "hex",
    "int",
    "iter",
    "len",
    "list",
    "max",
    "min",
    "oct",
    "ord",
    "print",
    "repr",
    "reversed",
    "round",
    "set",
    "sorted",
    "str",
    "sum",
    "tuple",
    "frozenset",
];

pub(crate) static RULE: Rule = Rule {
    name: "iterative-state-composition",
    summary: "calls nested functions one after the other, from a list of them",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let inner = |call: Node<'_>| chain(program, call).0.len();
    let is_outer = |it: &Node<'_>| {
        let around = it.parent().and_then(Node::parent).filter(|it| it.kind() == "call");
        around.is_none_or(|it| inner(it) == 0)
    };
    code::all(program, "call").filter(|it| inner(*it) > 1 && is_outer(it) && values::is_value(*it)).collect()
}

/// The functions from the outermost to the innermost, and the value that the innermost gets.
fn chain<'p>(program: &Program, call: Node<'p>) -> (Vec<Node<'p>>, Node<'p>) {
    let (mut functions, mut value) = (Vec::new(), call);
    while value.kind() == "call"
        && let (Some(function), Some(arguments)) = (value.child("function"), value.child("arguments"))
        && FUNCTIONS.contains(&program.of(function))
        && arguments.kind() == "argument_list"
        && let [only] = arguments.named().collect::<Vec<_>>()[..]
        && !matches!(only.kind(), "keyword_argument" | "list_splat" | "dictionary_splat" | "comment")
    {
        functions.push(function);
        value = only;
    }
    (functions, value)
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (functions, value) = chain(program, site);
    let names: Vec<_> = functions.iter().rev().map(|it| program.of(*it)).collect();
    code::needs_builtins(program, &names)?;
    if value.kind() == "generator_expression" && !program.of(value).starts_with('(') {
        return Err(Refusal("its value has no parentheses of its own"));
    }
    let (held, steps, step) = (choices.name(), choices.name(), choices.name());
    let (item, names) = (values::item(value), names.join(", "));
    let new = if is_iterated(site) {
        let each = format!("[{held}.append({step}({held}.pop())) for {step} in {steps}]");
        format!("(lambda {held}, *{steps}: {each} and {held}[0])([{item}], {names})")
    } else {
        let each = format!("[{held} := {step}({held}) for {step} in {steps}]");
        format!("(lambda {held}, *{steps}: {each}[-1])({item}, {names})")
    };
    Ok(vec![expression(site.range(), &new, &[value])])
}

/// Whether a comprehension goes through what the site is part of: Python allows no `:=` there.
fn is_iterated(site: Node<'_>) -> bool {
    let mut inner = site;
    site.ancestors().any(|around| {
        let iterated = around.kind() == "for_in_clause" && around.child("right") == Some(inner);
        inner = around;
        iterated
    })
}
