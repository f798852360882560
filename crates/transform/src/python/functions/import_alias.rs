//! `import-alias`: gives what is imported another name.
//!
//! # What it does
//!
//! The import gets a second name, and the program uses that one. In a script and in a function, the old name goes away.
//!
//! # Why behavior is kept
//!
//! Both names mean the same object, which is bound once.
//!
//! # Example
//!
//! `import math` and `math.sqrt(2)` become `import math as gauge` and `gauge.sqrt(2)`.
//!
//! # Where it does not apply
//!
//! Names that are bound twice or shown by an f-string; `from m import *`; `import a.b`; what the program does not use.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code;
use crate::python::scopes::ScopeKind;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "import-alias",
    summary: "gives what is imported another name",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let statements = program
        .root()
        .subtree()
        .filter(|it| matches!(it.kind(), "import_statement" | "import_from_statement"));
    let names =
        statements.flat_map(|it| it.children().filter(|it| it.field() == Some("name")).collect::<Vec<_>>());
    names
        .filter(|it| {
            bound(*it).and_then(|it| program.scopes().variable(it)).is_some_and(|it| it.places.len() > 1)
        })
        .collect()
}

/// The name that an import binds.
fn bound(name: Node<'_>) -> Option<Node<'_>> {
    if name.kind() == "aliased_import" {
        return name.child("alias");
    }
    let mut parts = name.named();
    parts.next().filter(|_| parts.next().is_none())
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let name = bound(site).ok_or(Refusal("its name has several parts"))?;
    let variable = program.scopes().variable(name).ok_or(Refusal("it binds no name"))?;
    let shown = |place: &u32| {
        program
            .node(*place)
            .ancestors()
            .any(|it| it.kind() == "interpolation" && it.children().any(|it| it.kind() == "="))
    };
    if variable.bindings != [name.number()]
        || variable.is_shared
        || variable.is_deleted
        || program.scopes().is_reflective()
    {
        return Err(Refusal("it is bound twice"));
    }
    if variable.places.iter().any(shown) || variable.kind == ScopeKind::Class {
        return Err(Refusal("its name is seen as text"));
    }
    let new = choices.name();
    let known = variable.kind == ScopeKind::Function || code::is_script(program);
    let text = program.of(site);
    let first = if site.kind() == "aliased_import" {
        site.child("name").map_or(text, |it| program.of(it))
    } else {
        text
    };
    let import = if known { format!("{first} as {new}") } else { format!("{text}, {first} as {new}") };
    let mut edits = vec![Edit::text(site.range(), import)];
    let uses = variable.places.iter().filter(|it| **it != name.number()).map(|&it| program.node(it));
    edits.extend(uses.map(|it| Edit::text(it.range(), new.clone())));
    Ok(edits)
}
