//! `for-while`: writes a `for` loop as a `while` loop.
//!
//! # What it does
//!
//! Over a `range` of known numbers, a counter takes its place. Over any other collection, the loop asks its iterator
//! for the next item.
//!
//! # Why behavior is kept
//!
//! The collection is made once. Each round takes one item before its body begins, so `continue` needs no care.
//! `else` means the same for both loops. The mark for the end is an object that nobody else has.
//!
//! # Example
//!
//! `for x in items:` becomes `while (item := next(stream, end)) is not end:` with `x = item` inside.
//!
//! # Where it does not apply
//!
//! `async for`; the body of a class, where new names would be attributes; where `iter`, `next` or `object` mean
//! something else.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{code, loops, types};
use crate::program::Program;
use crate::template::Lines;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "for-while",
    summary: "writes a for loop as a while loop",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "for_statement").collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let fields = [site.child("left"), site.child("right"), site.child("body")];
    let [Some(target), Some(items), Some(body)] = fields else { return Err(Refusal("it is no whole loop")) };
    code::may_add_names(site)?;
    if site.children().any(|it| it.kind() == "async") {
        return Err(Refusal("it is an `async for`"));
    }
    let mut lines = code::lines(program, site)?;
    let stream = match bounds(program, items) {
        Some(bounds) if choices.below(2) == 0 => {
            count(&mut lines, target, &bounds, choices);
            None
        }
        _ => Some(stream(program, &mut lines, target, items, choices)?),
    };
    lines.stretch(1, &code::stretch(program, body)?);
    code::add_else(program, &mut lines, site)?;
    if let Some(stream) = stream {
        loops::add_close(program, &mut lines, body, &stream);
    }
    Ok(vec![lines.edit(site.range())])
}

/// First number and end of a `range` whose numbers are known to be whole and whose step is 1.
fn bounds<'p>(program: &Program, items: Node<'p>) -> Option<Vec<Node<'p>>> {
    let function = items.child("function").filter(|_| items.kind() == "call")?;
    program.scopes().is_builtin(program, function, "range").then_some(())?;
    let arguments: Vec<_> = items.child("arguments")?.named().collect();
    let whole = arguments.iter().all(|it| types::of(program, *it).is_whole());
    (whole && (1..=2).contains(&arguments.len())).then_some(arguments)
}

fn count(lines: &mut Lines<'_>, target: Node<'_>, bounds: &[Node<'_>], choices: &mut Choices) {
    let (next, end) = (choices.name(), choices.name());
    match bounds {
        [first, last] => {
            // A truth value is a number, too, but it does not look like one.
            let more = if is_number(*first) { "" } else { " + 0" };
            let number = if more.is_empty() { "$0" } else { code::operand(*first) };
            lines.line(0, &format!("{next}, {end} = {number}{more}, $1"), &[*first, *last])
        }
        _ => lines.line(0, &format!("{next}, {end} = 0, $0"), bounds),
    };
    lines.line(0, &format!("while {next} < {end}:"), &[]);
    lines.line(1, &format!("$0 = {next}"), &[target]).line(1, &format!("{next} += 1"), &[]);
}

/// Whether an expression that gives a whole number never gives `True` or `False`.
fn is_number(node: Node<'_>) -> bool {
    match node.kind() {
        "integer" | "unary_operator" => true,
        "binary_operator" => node.child("operator").is_some_and(|it| !matches!(it.kind(), "&" | "|" | "^")),
        _ => false,
    }
}

fn stream(
    program: &Program,
    lines: &mut Lines<'_>,
    target: Node<'_>,
    items: Node<'_>,
    choices: &mut Choices,
) -> Result<String, Refusal> {
    code::needs_builtins(program, &["iter", "next", "object"])?;
    let (stream, end, item) = (choices.name(), choices.name(), choices.name());
    let items_template = if items.kind() == "expression_list" { "($0)" } else { "$0" };
    lines.line(0, &format!("{stream}, {end} = iter({items_template}), object()"), &[items]);
    lines.line(0, &format!("while ({item} := next({stream}, {end})) is not {end}:"), &[]);
    lines.line(1, &format!("$0 = {item}"), &[target]);
    Ok(stream)
}
