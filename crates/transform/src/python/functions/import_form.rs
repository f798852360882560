//! `import-form`: imports a module in place of its names, or the names in place of the module.
//!
//! # What it does
//!
//! `import m` becomes an import of the names that the program takes from it, each under a new name. `from m import a` becomes an import
//! of the module under a new name, and each use reaches through it. Where other modules may import the old names, the old import stays.
//!
//! # Why behavior is kept
//!
//! A table has modules of the standard library with names that mean the same as long as a program runs. Both forms load the same module at
//! the same place, and find the same objects in it.
//!
//! # Example
//!
//! `import math` and `math.sqrt(2)` become `from math import sqrt as gauge` and `gauge(2)`; `from math import sqrt` and `sqrt(2)` become
//! `import math as gauge` and `gauge.sqrt(2)`.
//!
//! # Where it does not apply
//!
//! Modules and names that the table does not have; an import of several modules; names that are bound twice or shown by an f-string; a
//! module that is used as a value, or whose names are assigned; `from m import *`; the body of a class;
//! programs that may change a module, such as with `mock`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::modules::NAMES;
use crate::program::Program;
use crate::python::code;
use crate::python::scopes::ScopeKind;
use crate::python::scopes::Variable;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "import-form",
    summary: "imports a module in place of its names, or the names in place of the module",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let imports = |it: &Node<'_>| {
        it.kind() == "import_statement"
            || it.kind() == "import_from_statement" && it.children().all(|it| it.kind() != "wildcard_import")
    };
    program.root().subtree().filter(imports).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if site.subtree().any(|it| it.kind() == "comment") {
        return Err(Refusal("a comment stands in it"));
    }
    let names: Vec<Node<'_>> = site.children().filter(|it| it.field() == Some("name")).collect();
    if site.kind() == "import_statement" {
        match names[..] {
            [name] => names_for_module(program, site, name, choices),
            _ => Err(Refusal("it imports several modules")),
        }
    } else {
        module_for_names(program, site, &names, choices)
    }
}

/// `from m import a as x` for `import m`.
fn names_for_module(
    program: &Program,
    site: Node<'_>,
    name: Node<'_>,
    choices: &mut Choices,
) -> Result<Vec<Edit>, Refusal> {
    let (module, bound) = imported(program, name)?;
    let known = names_of(program.of(module))?;
    is_never_changed(program, program.of(module))?;
    let variable = fixed(program, bound)?;
    let mut taken: Vec<(&str, String)> = Vec::new();
    let mut edits = Vec::new();
    for place in uses(program, variable, bound) {
        let attribute = place.parent().filter(|it| it.kind() == "attribute");
        let attribute = attribute.ok_or(Refusal("the module is used as a value"))?;
        let part = attribute.child("attribute").map_or("", |it| program.of(it));
        if !known.contains(&part) || attribute.child("object") != Some(place) {
            return Err(Refusal("the table does not have all names that are used of it"));
        }
        if is_target(attribute) {
            return Err(Refusal("a name of the module is assigned"));
        }
        let at = taken.iter().position(|(known, _)| *known == part).unwrap_or_else(|| {
            taken.push((part, choices.name()));
            taken.len() - 1
        });
        edits.push(Edit::text(attribute.range(), taken[at].1.clone()));
    }
    if taken.is_empty() {
        return Err(Refusal("the program does not use it"));
    }
    let listed: Vec<String> = taken.iter().map(|(name, new)| format!("{name} as {new}")).collect();
    let import = format!("from {} import {}", program.of(module), listed.join(", "));
    edits.push(replaced(program, site, &[variable], &import)?);
    Ok(edits)
}

/// `import m as x` for `from m import a`.
fn module_for_names(
    program: &Program,
    site: Node<'_>,
    names: &[Node<'_>],
    choices: &mut Choices,
) -> Result<Vec<Edit>, Refusal> {
    let module = site.child("module_name").map_or("", |it| program.of(it));
    let known = names_of(module)?;
    is_never_changed(program, module)?;
    let new = choices.name();
    let (mut edits, mut variables) = (Vec::new(), Vec::new());
    for &name in names {
        let (first, bound) = imported(program, name)?;
        if !known.contains(&program.of(first)) {
            return Err(Refusal("the table does not have all names that it imports"));
        }
        let variable = fixed(program, bound)?;
        variables.push(variable);
        let reached = format!("{new}.{}", program.of(first));
        edits.extend(uses(program, variable, bound).map(|it| Edit::text(it.range(), reached.clone())));
    }
    if edits.is_empty() {
        return Err(Refusal("the program does not use it"));
    }
    edits.push(replaced(program, site, &variables, &format!("import {module} as {new}"))?);
    Ok(edits)
}

/// The import in its new form; behind the old one, where other modules may import `variables`.
fn replaced(program: &Program, site: Node<'_>, variables: &[&Variable], new: &str) -> Result<Edit, Refusal> {
    let is_known = |it: &&Variable| it.kind == ScopeKind::Function || code::is_script(program);
    let text = if variables.iter().all(is_known) {
        new.to_owned()
    } else {
        format!("{}\n{}{new}", program.of(site), code::indent(program, site)?)
    };
    Ok(Edit::text(site.range(), text))
}

/// What an import names, and the identifier that it binds.
fn imported<'p>(program: &'p Program, name: Node<'p>) -> Result<(Node<'p>, Node<'p>), Refusal> {
    let (first, bound) = match name.kind() {
        "aliased_import" => (name.child("name"), name.child("alias")),
        _ => (Some(name), name.named().next()),
    };
    match (first, bound) {
        (Some(first), Some(bound)) if !program.of(first).contains('.') => Ok((first, bound)),
        _ => Err(Refusal("its name has several parts")),
    }
}

/// The names of a module that always mean the same.
fn names_of(module: &str) -> Result<&'static [&'static str], Refusal> {
    let found = NAMES.iter().find(|(name, _)| *name == module);
    found.map(|(_, names)| *names).ok_or(Refusal("the table does not have the module"))
}

/// Refuses where the program may give names of the module another meaning.
fn is_never_changed(program: &Program, module: &str) -> Result<(), Refusal> {
    const CHANGED: Refusal = Refusal("the program may change the module");
    if ["mock", "monkeypatch", "setattr", "delattr", "reload"].iter().any(|it| program.words().contains(*it))
    {
        return Err(CHANGED);
    }
    let known = names_of(module)?;
    let is_own = |it: Node<'_>| program.of(it) == "self";
    let changed = code::all(program, "attribute").filter(|it| is_target(*it)).any(|it| {
        let name = it.child("attribute").map_or("", |it| program.of(it));
        known.contains(&name) && !it.child("object").is_some_and(is_own)
    });
    // `patch("json.dumps")` names it in a text.
    let is_named = |it: Node<'_>| {
        let text = program.of(it).trim_matches(['"', '\'']);
        let name = text.strip_prefix(module).and_then(|it| it.strip_prefix('.'));
        name.is_some_and(|it| known.contains(&it))
    };
    if changed || code::all(program, "string").any(is_named) {
        return Err(CHANGED);
    }
    Ok(())
}

/// The variable of an import, which nothing else binds.
fn fixed<'p>(program: &'p Program, bound: Node<'_>) -> Result<&'p Variable, Refusal> {
    let scopes = program.scopes();
    let variable = scopes.variable(bound).ok_or(Refusal("it binds no name"))?;
    if variable.kind == ScopeKind::Class {
        return Err(Refusal("it is a name of a class"));
    }
    let shown = |place: &u32| {
        let mut above = program.node(*place).ancestors();
        above.any(|it| it.kind() == "interpolation" && it.children().any(|it| it.kind() == "="))
    };
    if variable.places.iter().any(shown) {
        return Err(Refusal("its name is seen as text"));
    }
    if variable.bindings != [bound.number()]
        || variable.is_shared
        || variable.is_deleted
        || scopes.is_reflective()
    {
        return Err(Refusal("it is bound twice"));
    }
    Ok(variable)
}

/// Where a variable stands, except where it is bound.
fn uses<'p>(
    program: &'p Program,
    variable: &'p Variable,
    bound: Node<'_>,
) -> impl Iterator<Item = Node<'p>> + use<'p> {
    let bound = bound.number();
    variable.places.iter().filter(move |it| **it != bound).map(|&it| program.node(it))
}

/// Whether something is assigned to an attribute or deletes it, maybe as one of several targets.
fn is_target(attribute: Node<'_>) -> bool {
    let mut inner = attribute;
    for above in attribute.ancestors() {
        match above.kind() {
            "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern" | "expression_list" => {
                inner = above;
            }
            "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => {
                return inner.field() == Some("left");
            }
            "delete_statement" | "as_pattern_target" => return true,
            _ => return false,
        }
    }
    false
}
