//! `field-rename`: gives a field of a class another name.
//!
//! # What it does
//!
//! A field that begins with an underscore, or any field in a script, gets a name that the program does not have, wherever it is
//! set or read.
//!
//! # Why behavior is kept
//!
//! The field is only named behind the first parameter of the methods of one class, which sets it and has no base. Nothing in the
//! program reaches fields by their text.
//!
//! # Example
//!
//! `self._size = 0` becomes `self._ledger_span = 0`.
//!
//! # Where it does not apply
//!
//! Fields that are named behind anything else; classes with bases or decorators; methods and class variables; programs with `getattr`,
//! `__dict__`, `__slots__`, `pickle` and the like; private fields that the program names together with their class.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// Words by which a program reaches fields as text.
const BY_TEXT: &[&str] = &[
    "getattr",
    "setattr",
    "hasattr",
    "delattr",
    "attrgetter",
    "__dict__",
    "__slots__",
    "__getattr__",
    "__getattribute__",
    "__setattr__",
    "__delattr__",
    "pickle",
    "dataclass",
    "dataclasses",
    "attr",
    "attrs",
    "json",
    "copy",
    "__getstate__",
    "__setstate__",
    "match",
];

pub(crate) static RULE: Rule = Rule {
    name: "field-rename",
    summary: "gives a field of a class another name",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

/// The first place of each field that a class sets behind the first parameter of a method.
fn candidates(program: &Program) -> Vec<Node<'_>> {
    let mut seen = rustc_hash::FxHashSet::default();
    let fields = code::all(program, "attribute").filter(|it| is_set(*it));
    let own = fields.filter(|it| owner(program, *it).is_some());
    own.filter_map(|it| it.child("attribute")).filter(|it| seen.insert(program.of(*it))).collect()
}

fn is_set(attribute: Node<'_>) -> bool {
    attribute.field() == Some("left") && attribute.parent().is_some_and(|it| it.kind() == "assignment")
}

/// The class whose method has the object of the attribute as its first parameter.
fn owner<'p>(program: &'p Program, attribute: Node<'p>) -> Option<Node<'p>> {
    let object = attribute.child("object").filter(|it| it.kind() == "identifier")?;
    let variable = program.scopes().variable(object)?;
    let method = program.node(variable.scope);
    let first = method.child("parameters")?.named().next()?;
    let is_self = first.kind() == "identifier" && variable.bindings == [first.number()];
    let plain = method.parent().is_some_and(|it| it.kind() == "block");
    let class = method.ancestors().nth(1).filter(|it| it.kind() == "class_definition")?;
    (is_self && plain).then_some(class)
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let name = program.of(site);
    if program.scopes().is_reflective() || BY_TEXT.iter().any(|it| program.words().contains(*it)) {
        return Err(Refusal("the program reaches fields as text"));
    }
    if !name.starts_with('_') && !code::is_script(program) || name.starts_with("__") && name.ends_with("__") {
        return Err(Refusal("other modules may read it"));
    }
    let class = site.parent().and_then(|it| owner(program, it)).ok_or(Refusal("no class sets it"))?;
    let has_bases =
        class.child("superclasses").is_some_and(|it| it.named().any(|it| program.of(it) != "object"));
    let decorated = class.parent().is_some_and(|it| it.kind() == "decorated_definition");
    let is_base = code::all(program, "class_definition")
        .filter_map(|it| it.child("superclasses"))
        .any(|it| it.named().count() > 0);
    if has_bases || decorated || is_base {
        return Err(Refusal("a class that is not known may read it"));
    }
    let class_name = class.child("name").map_or("", |it| program.of(it)).trim_start_matches('_');
    if program.words().contains(&format!("_{class_name}{name}")) {
        return Err(Refusal("the program names it together with its class"));
    }
    let is_name = |it: &Node<'_>| it.kind() == "identifier" && program.of(*it) == name;
    let places: Vec<_> = program.root().subtree().filter(is_name).collect();
    let own = |place: &Node<'_>| {
        place.field() == Some("attribute") && place.parent().and_then(|it| owner(program, it)) == Some(class)
    };
    if !places.iter().all(own) {
        return Err(Refusal("it is named behind something else, too"));
    }
    let in_text = code::all(program, "string").any(|it| program.of(it).contains(name));
    if in_text {
        return Err(Refusal("a text of the program has its name"));
    }
    let mark: String = name.chars().take_while(|it| *it == '_').collect();
    let new = format!("{mark}{}", choices.name());
    Ok(places.iter().map(|place| Edit::text(place.range(), new.clone())).collect())
}
