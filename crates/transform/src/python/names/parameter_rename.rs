//! `parameter-rename`: gives the parameters of a function other names, also where calls name them.
//!
//! # What it does
//!
//! Each parameter gets a name that the program does not have. Calls that name it get the new name, too.
//!
//! # Why behavior is kept
//!
//! All calls are seen: the function stands inside another one, in a script, or is private by its underscore, and its name
//! stands only before parentheses.
//!
//! # Example
//!
//! `def _half(value): return value / 2` and `_half(value=8)` become `def _half(span): return span / 2` and `_half(span=8)`.
//!
//! # Where it does not apply
//!
//! Functions that other modules may call, or that are passed on; decorators; methods; calls with `**`; a parameter that an
//! f-string shows by `=`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{calls, renamed};
use crate::program::Program;
use crate::python::code;
use crate::python::scopes::Variable;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "parameter-rename",
    summary: "gives the parameters of a function other names, also where calls name them",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let functions = code::all(program, "function_definition");
    functions.filter(|it| parameters(program, *it).next().is_some()).collect()
}

fn parameters<'p>(program: &'p Program, function: Node<'p>) -> impl Iterator<Item = &'p Variable> {
    program.scopes().variables().iter().filter(move |it| it.scope == function.number() && it.is_parameter)
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    let calls = calls(program, site).ok_or(Refusal("not all of its calls are seen"))?;
    let arguments =
        || calls.iter().filter_map(|it| it.child("arguments")).flat_map(|it| it.named().collect::<Vec<_>>());
    if arguments().any(|it| it.kind() == "dictionary_splat") {
        return Err(Refusal("a call gives it a dictionary of arguments"));
    }
    let mut edits = Vec::new();
    for parameter in parameters(program, site).filter(|it| !it.is_fixed && !it.name.starts_with("__")) {
        let name = choices.name();
        edits.extend(renamed(program, parameter, &name));
        let named =
            arguments().filter(|it| it.kind() == "keyword_argument").filter_map(|it| it.child("name"));
        let named = named.filter(|it| program.of(*it) == parameter.name);
        edits.extend(named.map(|it| Edit::text(it.range(), name.clone())));
    }
    Ok(edits)
}
