//! `nested-function-encapsulation`: moves the body of a function into an inner function, which a table finds.
//!
//! # What it does
//!
//! The statements of a function become those of an inner one. It stands in a table, is looked up by a computed key, and is called.
//!
//! # Why behavior is kept
//!
//! The inner function sees the parameters and what is imported before it. Those that it changes are declared `nonlocal`. What the
//! outer function declares, the inner one declares again. A generator stays one: the outer function gives the generator that the
//! inner one makes.
//!
//! # Example
//!
//! `def f(a): return a` becomes `def f(a):` with `def inner(): return a` and `return {3: inner}[len("abc")]()` inside.
//!
//! # Where it does not apply
//!
//! Functions that may call themselves, since the stack would get twice as deep; `async`; `super`; decorators that are not
//! known; parameters that it deletes, or gives a type.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::calls::may_call_itself;
use crate::python::code;
use crate::python::memory;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

const DECORATORS: &[&str] =
    &["@staticmethod", "@classmethod", "@property", "@abstractmethod", "@cache", "@lru_cache"];

pub(crate) static RULE: Rule = Rule {
    name: "nested-function-encapsulation",
    summary: "moves the body of a function into an inner function, which a table finds",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let has_work = |it: &Node<'_>| it.child("body").is_some_and(|it| memory::working(it).next().is_some());
    code::all(program, "function_definition").filter(has_work).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let body = site.child("body").ok_or(Refusal("it has no body"))?;
    check(program, site, body)?;
    let working: Vec<_> = memory::working(body).collect();
    let (Some(first), Some(last)) = (working.first(), working.last()) else {
        return Err(Refusal("it has no statements"));
    };
    let mut lines =
        crate::template::Lines::new(program, code::indent(program, *first)?, code::unit(program)?);
    let stretch = code::stretch_of(program, *first, *last)?;
    let (inner, key) = (choices.name(), choices.below(90) + 10);
    lines.line(0, &format!("def {inner}():"), &[]);
    for declaration in head(body, *first).filter(|it| is_declaration(*it)) {
        lines.line(1, "$0", &[declaration]);
    }
    let changed = changed_names(program, site, *first)?;
    if !changed.is_empty() {
        lines.line(1, &format!("nonlocal {}", changed.join(", ")), &[]);
    }
    lines.stretch(1, &stretch);
    let divisor = choices.below(7) + 3;
    let table = format!("{{{}: {inner}}}", key % divisor);
    lines.line(0, &format!("return {table}[(lambda {inner}: {inner} % {divisor})({key})]()"), &[]);
    Ok(vec![lines.edit(first.start()..last.end())])
}

fn check(program: &Program, function: Node<'_>, body: Node<'_>) -> Result<(), Refusal> {
    if function.children().any(|it| it.kind() == "async") {
        return Err(Refusal("it is `async`"));
    }
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    if body.subtree().any(|it| it.kind() == "identifier" && matches!(program.of(it), "super" | "__class__")) {
        return Err(Refusal("`super` depends on where it stands"));
    }
    let decorators = function.parent().filter(|it| it.kind() == "decorated_definition");
    let known = |it: Node<'_>| {
        DECORATORS
            .iter()
            .any(|name| program.of(it).trim_end_matches("()").ends_with(name.trim_start_matches('@')))
    };
    if decorators.is_some_and(|it| it.named().filter(|it| it.kind() == "decorator").any(|it| !known(it))) {
        return Err(Refusal("a decorator of it is not known"));
    }
    // Declarations that stand behind other statements would have to move with them.
    if code::own(body).any(|it| it.kind() == "global_statement" && it.parent() != Some(body)) {
        return Err(Refusal("a `global` stands inside a block of it"));
    }
    if may_call_itself(program, function) {
        return Err(Refusal("it may call itself"));
    }
    Ok(())
}

/// The statements before the first one that moves.
fn head<'p>(body: Node<'p>, first: Node<'p>) -> impl Iterator<Item = Node<'p>> {
    code::statements(body).take_while(move |it| it.number() < first.number())
}

fn is_declaration(statement: Node<'_>) -> bool {
    matches!(statement.kind(), "global_statement" | "nonlocal_statement")
}

/// Parameters and imported names of the outer function that the moved statements bind or delete.
fn changed_names<'p>(
    program: &'p Program,
    function: Node<'_>,
    first: Node<'_>,
) -> Result<Vec<&'p str>, Refusal> {
    let own = program.scopes().variables().iter().filter(|it| it.scope == function.number());
    let changed = own.filter(|it| {
        let places = || it.bindings.iter().filter(|place| function.holds(program.node(**place)));
        let stays = places().any(|place| *place < first.number());
        stays && places().any(|place| *place >= first.number())
    });
    let changed: Vec<_> = changed.collect();
    let typed = |it: &u32| *it >= first.number() && code::has_type(program.node(*it));
    if changed.iter().any(|it| it.is_deleted || it.bindings.iter().any(typed)) {
        return Err(Refusal("it deletes a parameter, or gives it a type"));
    }
    let mut names: Vec<_> = changed.iter().map(|it| it.name.as_str()).collect();
    names.sort_unstable();
    Ok(names)
}
