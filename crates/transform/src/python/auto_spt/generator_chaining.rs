//! `modular-state-threading`: lets the items of a loop pass through a chain of generators with a state.
//!
//! # What it does
//!
//! A generator takes each item and gives it on together with a number that turns modulo a prime. A second generator
//! takes the pairs. The loop takes the item out of what the second one gives.
//!
//! # Why behavior is kept
//!
//! The generators ask for an item when the loop does, and give each on as it is.
//!
//! # Example
//!
//! `for x in items:` becomes `for state, x in relay(items):`.
//!
//! # Where it does not apply
//!
//! `async for`; the body of a class; programs whose `__iter__` may raise `StopIteration`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "modular-state-threading",
    summary: "lets the items of a loop pass through a chain of generators with a state",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

const PRIMES: [usize; 6] = [5, 7, 11, 13, 17, 19];

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "for_statement").collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (Some(target), Some(items), Some(body)) =
        (site.child("left"), site.child("right"), site.child("body"))
    else {
        return Err(Refusal("it is no whole loop"));
    };
    code::may_add_names(site)?;
    if site.children().any(|it| it.kind() == "async") {
        return Err(Refusal("it is an `async for`"));
    }
    if iterators_may_stop(program) {
        return Err(Refusal(
            "an `__iter__` may raise `StopIteration`, which a generator turns into another exception",
        ));
    }
    let [relay, source, state, item, second] = std::array::from_fn(|_| choices.name());
    let (prime, step) = (PRIMES[choices.below(PRIMES.len())], choices.below(3) + 2);
    let mut lines = code::lines(program, site)?;
    lines.line(0, &format!("def {relay}({source}, {state}):"), &[]);
    lines.line(1, &format!("for {item} in {source}:"), &[]);
    lines.line(2, &format!("{state} = ({state} * {step} + 1) % {prime}"), &[]);
    lines.line(2, &format!("yield {state}, {item}"), &[]);
    let chain = format!("{relay}({relay}({}, {step}), {})", values::item(items), step + 1);
    lines.line(
        0,
        &format!("for {state}, ({second}, {}) in {}:", values::item(target), values::at(&chain, 1)),
        &[target, items],
    );
    lines.stretch(1, &code::stretch(program, body)?);
    code::add_else(program, &mut lines, site)?;
    Ok(vec![lines.edit(site.range())])
}

/// Whether the program has an `__iter__` that may raise `StopIteration` where it should give an iterator.
fn iterators_may_stop(program: &Program) -> bool {
    if !program.words().contains("__iter__") {
        return false;
    }
    let is_iter = |it: &Node<'_>| program.of(*it) == "__iter__";
    let assigned = code::all(program, "assignment").filter_map(|it| it.child("left")).any(|it| is_iter(&it));
    let definitions = code::all(program, "function_definition")
        .filter(|it| it.child("name").is_some_and(|it| is_iter(&it)));
    let stops = |it: Node<'_>| {
        let is_word = matches!(program.of(it), "next" | "__next__" | "send" | "throw" | "StopIteration");
        it.kind() == "raise_statement" || it.kind() == "identifier" && is_word
    };
    let is_generator = |it: Node<'_>| code::own(it).any(|it| it.kind() == "yield");
    let mut bodies = definitions.filter_map(|it| it.child("body"));
    assigned || bodies.any(|it| it.subtree().any(stops) && !is_generator(it))
}
