//! `function-rename`: gives a function another name.
//!
//! # What it does
//!
//! A function that others cannot know gets another name wherever it is named. A function that other modules may import gets another
//! name where it is defined, and its old name becomes a second one right behind.
//!
//! # Why behavior is kept
//!
//! Both names mean the same function from the moment on from which the old one did.
//!
//! # Example
//!
//! `def area(r): ...` becomes `def ledger_span(r): ...` with `area = ledger_span` behind it.
//!
//! # Where it does not apply
//!
//! Methods; functions with decorators; names that are bound twice; programs that see names as text.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{NO_VARIABLE, is_private, renamed};
use crate::program::Program;
use crate::python::code;
use crate::python::scopes::ScopeKind;
use crate::transformation::Rule;
use crate::{Choices, Edit, Piece, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "function-rename",
    summary: "gives a function another name, and keeps the old one for those who import it",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let is_method = |it: &Node<'_>| {
        it.child("name")
            .and_then(|it| program.scopes().variable(it))
            .is_none_or(|it| it.kind == ScopeKind::Class)
    };
    code::all(program, "function_definition").filter(|it| !is_method(it)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let name = site.child("name").ok_or(NO_VARIABLE)?;
    let variable = program.scopes().variable(name).ok_or(NO_VARIABLE)?;
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    if site.parent().is_some_and(|it| it.kind() == "decorated_definition") {
        return Err(Refusal("a decorator may need its name"));
    }
    if variable.bindings.len() != 1 || variable.is_shared || variable.is_deleted {
        return Err(Refusal("its name is bound twice"));
    }
    let shown = |place: &u32| program.node(*place).ancestors().any(|it| it.kind() == "interpolation");
    if variable.places.iter().any(shown) || variable.name.starts_with("__") {
        return Err(Refusal("its name is shown as text"));
    }
    let is_known = variable.kind == ScopeKind::Function
        || code::is_script(program)
        || is_private(program, &variable.name);
    let new = choices.name();
    if is_known {
        return Ok(renamed(program, variable, &new));
    }
    let indent = code::indent(program, site)?;
    let body = site.child("body").ok_or(Refusal("it has no body"))?;
    let pieces = vec![
        Piece::Keep(site.start()..name.start()),
        Piece::Text(new.clone()),
        Piece::Keep(name.end()..body.end()),
        Piece::Text(format!("\n{indent}{} = {new}", variable.name)),
    ];
    Ok(vec![Edit { range: site.start()..body.end(), pieces }])
}
