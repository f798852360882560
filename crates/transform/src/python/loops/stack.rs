//! `for-while-stack`: puts the items of a loop on a stack and takes them off one by one.
//!
//! # What it does
//!
//! A list has the items in reverse. The loop runs as long as it has any, and takes the last one.
//!
//! # Why behavior is kept
//!
//! The collection is one that nobody else has or can change, and that is small or in memory anyway: a text, a tuple, a new list, the
//! places of a collection, or a written range. Its items are the same before the loop as in it.
//!
//! # Example
//!
//! `for x in sorted(items):` becomes `pile = list(sorted(items))[::-1]` and `while pile:` with `x = pile.pop()` inside.
//!
//! # Where it does not apply
//!
//! Collections that are not known, or that the loop may change; ranges whose length is not known; the body of a class; `async for`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{for_loops as candidates, parts, range_of};
use crate::program::Program;
use crate::python::code;
use crate::python::types::{self, Type};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// Written ranges that are longer stay as they are.
const MOST_ITEMS: usize = 4;

pub(crate) static RULE: Rule = Rule {
    name: "for-while-stack",
    summary: "puts the items of a loop on a stack and takes them off one by one",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let [target, items, body] = parts(site)?;
    code::needs_builtins(program, &["list"])?;
    if !is_settled(program, items) {
        return Err(Refusal("its items are not known to be the same before the loop as in it"));
    }
    let pile = choices.name();
    let mut lines = code::lines(program, site)?;
    let all = if items.kind() == "expression_list" { "($0)" } else { "$0" };
    lines.line(0, &format!("{pile} = list({all})[::-1]"), &[items]).line(0, &format!("while {pile}:"), &[]);
    lines.line(1, &format!("$0 = {pile}.pop()"), &[target]).stretch(1, &code::stretch(program, body)?);
    code::add_else(program, &mut lines, site)?;
    Ok(vec![lines.edit(site.range())])
}

/// Whether the collection is finite, in memory or short, and nobody can change it.
fn is_settled(program: &Program, items: Node<'_>) -> bool {
    let is_builtin = |call: Node<'_>, names: &[&str]| {
        let function = call.child("function").filter(|_| call.kind() == "call");
        function.is_some_and(|it| names.iter().any(|name| program.scopes().is_builtin(program, it, name)))
    };
    if let Some(arguments) = range_of(program, items) {
        let short = |it: &Node<'_>| {
            let text = program.of(*it).trim_start_matches('-');
            let written = text.len() <= MOST_ITEMS && text.bytes().all(|it| it.is_ascii_digit());
            written || is_builtin(code::bare(*it), &["len"])
        };
        let bounded = |it: &Node<'_>| {
            short(it)
                || it.kind() == "binary_operator"
                    && it.child("operator").is_some_and(|it| matches!(it.kind(), "+" | "-"))
                    && [it.child("left"), it.child("right")].into_iter().flatten().all(|it| short(&it))
        };
        return arguments.iter().all(bounded);
    }
    let items = code::bare(items);
    let is_new = matches!(items.kind(), "list" | "tuple" | "list_comprehension" | "expression_list")
        || is_builtin(items, &["sorted", "list", "tuple"]);
    is_new || matches!(types::of(program, items), Type::Str | Type::Tuple)
}
