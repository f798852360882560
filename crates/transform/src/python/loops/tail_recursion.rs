//! `tail-recursion`: writes a function that ends by calling itself as a loop.
//!
//! # What it does
//!
//! The body stands in a loop without an end. Where the function returned what it gives for other arguments, these become its
//! parameters, and the next round begins.
//!
//! # Why behavior is kept
//!
//! Nothing of the call that ends is needed in the one that follows. Each variable gets its value in each round before it is read.
//!
//! # Example
//!
//! `return f(b, a % b)` becomes `a, b = b, a % b` and `continue`, inside `while True:`.
//!
//! # Where it does not apply
//!
//! Functions that call themselves elsewhere, in a loop or in a `try`; generators; decorators; variables that inner functions use or that may
//! have no value; arguments that are named, fewer or more.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::{code, effects, memory, values};
use crate::template::Lines;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "tail-recursion",
    summary: "writes a function that ends by calling itself as a loop",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "function_definition").filter(|it| !tails(program, *it).is_empty()).collect()
}

/// Statements that return what the function itself gives, and the calls.
fn tails<'p>(program: &Program, function: Node<'p>) -> Vec<(Node<'p>, Node<'p>)> {
    let (Some(name), Some(body)) = (function.child("name"), function.child("body")) else {
        return Vec::new();
    };
    let returned = code::own(body).filter(|it| it.kind() == "return_statement");
    let calls = returned.filter_map(|it| Some((it, it.named().next().filter(|it| it.kind() == "call")?)));
    let number = program.scopes().number(name);
    let own = |call: Node<'_>| call.child("function").and_then(|it| program.scopes().number(it)) == number;
    calls.filter(|(_, call)| number.is_some() && own(*call)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let tails = tails(program, site);
    let parameters = check(program, site, &tails)?;
    let body = site.child("body").ok_or(Refusal("it has no body"))?;
    let working: Vec<_> = memory::working(body).collect();
    let (Some(first), Some(last)) = (working.first(), working.last()) else {
        return Err(Refusal("it has no statements"));
    };
    let mut lines = Lines::new(program, code::indent(program, *first)?, code::unit(program)?);
    code::indent(program, *last)?;
    lines.line(0, "while True:", &[]).stretch(1, &code::stretch_of(program, *first, *last)?);
    if !code::ends_elsewhere(body) {
        lines.line(1, "return", &[]);
    }
    let mut edits = vec![lines.edit(first.start()..last.end())];
    for (statement, call) in tails {
        let arguments: Vec<_> =
            call.child("arguments").into_iter().flat_map(|it| it.named().collect::<Vec<_>>()).collect();
        if arguments.len() > 9 {
            return Err(Refusal("it has too many parameters"));
        }
        let mut lines = code::lines(program, statement)?;
        let new: Vec<_> =
            arguments.iter().enumerate().map(|(at, it)| values::at(values::item(*it), at)).collect();
        if !new.is_empty() {
            lines.line(0, &format!("{} = {}", parameters.join(", "), new.join(", ")), &arguments);
        }
        lines.line(0, "continue", &[]);
        edits.push(lines.edit(statement.range()));
    }
    Ok(edits)
}

/// The parameters, where each call of the function to itself is one of `tails`, and a new round is like a new call.
fn check<'p>(
    program: &'p Program,
    function: Node<'p>,
    tails: &[(Node<'p>, Node<'p>)],
) -> Result<Vec<&'p str>, Refusal> {
    let parameters = function.child("parameters").into_iter().flat_map(|it| it.named().collect::<Vec<_>>());
    let parameters: Option<Vec<_>> =
        parameters.map(|it| (it.kind() == "identifier").then(|| program.of(it))).collect();
    let parameters = parameters.ok_or(Refusal("its parameters are not plain"))?;
    let scopes = program.scopes();
    let name = function.child("name").and_then(|it| scopes.variable(it)).ok_or(Refusal("it has no name"))?;
    let decorated = function.parent().is_some_and(|it| it.kind() == "decorated_definition");
    let is_async = function.children().any(|it| it.kind() == "async");
    let body = function.child("body").ok_or(Refusal("it has no body"))?;
    let yields =
        code::own(body).any(|it| matches!(it.kind(), "yield" | "global_statement" | "nonlocal_statement"));
    if decorated || is_async || yields || scopes.is_reflective() || name.bindings.len() != 1 {
        return Err(Refusal("a call of it is more than its body"));
    }
    let inside = name.places.iter().filter(|&&it| body.holds(program.node(it))).count();
    if inside != tails.len() {
        return Err(Refusal("it calls itself elsewhere, too"));
    }
    for (statement, call) in tails {
        let arguments: Vec<_> =
            call.child("arguments").into_iter().flat_map(|it| it.named().collect::<Vec<_>>()).collect();
        let plain = |it: &Node<'_>| {
            !it.kind().ends_with("splat")
                && !matches!(it.kind(), "keyword_argument" | "comment" | "named_expression")
        };
        if arguments.len() != parameters.len() || !arguments.iter().all(plain) {
            return Err(Refusal("a call of it has other arguments than parameters"));
        }
        let within = statement.ancestors().take_while(|it| *it != function);
        if within.into_iter().any(|it| {
            matches!(
                it.kind(),
                "for_statement" | "while_statement" | "try_statement" | "with_statement" | "match_statement"
            )
        }) {
            return Err(Refusal("it calls itself in a loop or in a `try`"));
        }
    }
    let own = scopes.variables().iter().filter(|it| it.scope == function.number());
    for variable in own {
        let read = |place: &&u32| !variable.bindings.contains(place);
        let fresh = |&place: &u32| effects::is_bound_before(program.node(place), &variable.bindings);
        let renewed = variable.is_parameter || variable.places.iter().filter(read).all(fresh);
        if variable.is_captured || variable.is_deleted || !renewed {
            return Err(Refusal("a variable of it may outlive the call"));
        }
    }
    Ok(parameters)
}
