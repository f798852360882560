//! `variable-rename`: gives a variable another name.
//!
//! # What it does
//!
//! Each place at which the variable is bound, used, declared or deleted gets a name that the program does not have.
//!
//! # Why behavior is kept
//!
//! [`Scopes`](super::Scopes) knows all places of a variable that one function, lambda or comprehension binds. A variable of a
//! module is renamed where the program is a script, since nobody imports a script. A parameter is renamed where all
//! calls of its function are seen and none of them names it.
//!
//! # Example
//!
//! `total = 0` becomes `ledger_span = 0`, and `return total` becomes `return ledger_span`.
//!
//! # Where it does not apply
//!
//! Attributes, names of functions and classes, what an import or a pattern of `match` binds, what an f-string
//! shows by `=`, names that begin with two underscores, and programs that see names as text (`exec`, `locals`).

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::code;
use super::scopes::{ScopeKind, Variable};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "variable-rename",
    summary: "gives a variable another name",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let variables = program.scopes().variables().iter();
    let bound = variables.filter(|it| !it.is_fixed && it.kind != ScopeKind::Class);
    let mut places: Vec<_> = bound.filter_map(|it| it.bindings.iter().min()).copied().collect();
    places.sort_unstable();
    places.into_iter().map(|place| program.node(place)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let variable = program.scopes().variable(site).ok_or(Refusal("it is no variable"))?;
    check(program, variable)?;
    let name = choices.name();
    let places = variable.places.iter().map(|&place| program.node(place).range());
    Ok(places.map(|place| Edit::text(place, name.clone())).collect())
}

/// Whether all code that knows the variable is seen.
fn check(program: &Program, variable: &Variable) -> Result<(), Refusal> {
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    if variable.name.starts_with("__") {
        return Err(Refusal("its name has a meaning for Python"));
    }
    if variable.kind == ScopeKind::Module && !code::is_script(program) {
        return Err(Refusal("other modules may import it"));
    }
    if variable.is_parameter && !is_called_by_place(program, program.node(variable.scope)) {
        return Err(Refusal("a caller may name the parameter"));
    }
    Ok(())
}

/// Whether the program shows all calls of a function, and none of them names a parameter.
fn is_called_by_place(program: &Program, function: Node<'_>) -> bool {
    if function.kind() == "lambda" {
        let argument = function.parent().filter(|it| it.kind() == "keyword_argument");
        return argument.and_then(|it| it.child("name")).is_some_and(|it| program.of(it) == "key");
    }
    let name = function
        .child("name")
        .filter(|_| function.parent().is_some_and(|it| it.kind() != "decorated_definition"));
    let Some(known) = name.and_then(|it| program.scopes().variable(it)) else { return false };
    let inside =
        known.kind == ScopeKind::Function || known.kind == ScopeKind::Module && code::is_script(program);
    let by_place = |place: &u32| {
        let name = program.node(*place);
        let call = name.parent().filter(|it| it.kind() == "call" && name.field() == Some("function"));
        let arguments = call.and_then(|it| it.child("arguments"));
        arguments.is_some_and(|it| {
            !it.named().any(|it| matches!(it.kind(), "keyword_argument" | "dictionary_splat"))
        })
    };
    inside
        && known.bindings.len() == 1
        && known.places.iter().filter(|it| !known.bindings.contains(it)).all(by_place)
}
