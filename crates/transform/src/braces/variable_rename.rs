//! `variable-rename`: gives a local variable or a parameter another name.
//!
//! # What it does
//!
//! Each place at which the variable is declared and used gets a name that the program does not have. What JavaScript
//! writes as `{x}` becomes `{x: name}`.
//!
//! # Why behavior is kept
//!
//! [`Names`](super::names::Names) knows all places of a variable that a function declares, and no other code can name it.
//!
//! # Example
//!
//! `int total = 0;` becomes `int ledger_span = 0;`, and `return total;` becomes `return ledger_span;`.
//!
//! # Where it does not apply
//!
//! Fields, functions, classes and what stands outside of functions; names that a macro or an assertion of C has, that the
//! grammar also takes for a type, or that an inner class uses; names of JSX elements; parameters of functions that ask for `arguments`,
//! and those of constructors of records.

use familiar_syntax::tree::Node;

use super::grammar::{self, LANGUAGES};
use super::names::{Kind, Variable};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "variable-rename",
    summary: "gives a variable another name",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let variables = program.names().variables().iter();
    let local = variables.filter(|it| matches!(it.kind, Kind::Local | Kind::Parameter));
    let mut places: Vec<_> = local.filter_map(|it| it.places.first()).copied().collect();
    places.sort_unstable();
    places.into_iter().map(|place| program.node(place)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let variable = program.names().variable(site).ok_or(Refusal("it is no variable"))?;
    check(program, variable)?;
    let name = choices.name();
    let edit = |&place: &u32| {
        let node = program.node(place);
        let is_short = node.kind().starts_with("shorthand_property");
        let text = if is_short { format!("{}: {name}", variable.name) } else { name.clone() };
        Edit::text(node.range(), text)
    };
    Ok(variable.places.iter().map(edit).collect())
}

/// Whether all code that knows the variable is seen.
fn check(program: &Program, variable: &Variable) -> Result<(), Refusal> {
    if variable.is_unclear {
        return Err(Refusal("its name also stands where the meaning is not known"));
    }
    let function = program.node(variable.function);
    // A constructor of a record may have to name its parameters as the record does.
    let is_record = function.kind() == "constructor_declaration"
        && function.ancestors().nth(1).is_some_and(|it| it.kind() == "record_declaration");
    if variable.kind == Kind::Parameter && is_record {
        return Err(Refusal("its record gives it the name"));
    }
    if variable.kind == Kind::Parameter && grammar::is_script(program.language()) {
        let named =
            function.descendants().any(|it| it.kind() == "identifier" && program.of(it) == "arguments");
        if named {
            return Err(Refusal("its function asks for `arguments`"));
        }
        // `constructor(private x)` declares a field, and `this` is no name.
        let declares = program.node(variable.places[0]).parent().is_some_and(|it| {
            it.named()
                .any(|it| matches!(it.kind(), "accessibility_modifier" | "override_modifier" | "readonly"))
                || it.children().any(|it| it.kind() == "readonly")
        });
        if declares || variable.name == "this" {
            return Err(Refusal("it is a field too"));
        }
    }
    if gives_name(program, variable) {
        return Err(Refusal("a function has its name, and the program reads names of functions"));
    }
    // `<Tag>` is a component, and `<tag>` a piece of HTML.
    let is_tag = |it: Node<'_>| {
        it.field() == Some("name") && it.parent().is_some_and(|it| it.kind().starts_with("jsx_"))
    };
    if variable.places.iter().any(|&place| is_tag(program.node(place))) {
        return Err(Refusal("it is the name of an element"));
    }
    if variable.places.iter().any(|&place| is_export(program.node(place))) {
        return Err(Refusal("other modules may import it"));
    }
    Ok(())
}

fn is_export(name: Node<'_>) -> bool {
    name.ancestors().take_while(|it| !grammar::is_function(*it)).any(|it| it.kind().starts_with("export"))
        && name.ancestors().all(|it| !grammar::is_function(it))
}

/// Whether a function or a class of JavaScript without a name gets that of the variable, and the program may read its `name`.
fn gives_name(program: &Program, variable: &Variable) -> bool {
    let mut values = variable.writes.iter().filter_map(|&place| {
        let around = program.node(place).parent()?;
        around.child("value").or_else(|| around.child("right"))
    });
    grammar::is_script(program.language())
        && values.any(is_nameless)
        && !is_only_called(program, variable)
        && program.root().subtree().any(|it| reads_name(program, it))
}

/// Whether a value is a function or a class of JavaScript that gets its name from the variable that it is given to.
fn is_nameless(value: Node<'_>) -> bool {
    let value = grammar::bare(value);
    match value.kind() {
        "arrow_function" => true,
        "function_expression" | "generator_function" | "class" => value.child("name").is_none(),
        _ => false,
    }
}

/// Whether one of these values gets its name from a variable, and the program may read names of functions.
pub(super) fn may_show_name(program: &Program, values: &[Node<'_>]) -> bool {
    grammar::is_script(program.language())
        && values.iter().any(|it| is_nameless(*it))
        && program.root().subtree().any(|it| reads_name(program, it))
}

/// Whether a variable is an arrow function that nothing but its calls can reach.
fn is_only_called(program: &Program, variable: &Variable) -> bool {
    variable.places.iter().all(|&place| {
        let name = program.node(place);
        name.parent().is_some_and(|around| match around.kind() {
            "variable_declarator" => around.child("value").is_some_and(|it| it.kind() == "arrow_function"),
            "call_expression" => name.field() == Some("function"),
            _ => false,
        })
    })
}

/// Whether code takes the `name` of what may be a function: `f.name`, `f["name"]`, `const { name } = f`.
fn reads_name(program: &Program, node: Node<'_>) -> bool {
    let is_name = |it: Node<'_>| {
        matches!(
            program.of(it),
            "name" | "\"name\"" | "'name'" | "`name`" | "[\"name\"]" | "['name']" | "[`name`]"
        )
    };
    let is_read = match node.kind() {
        "member_expression" => node.child("property").is_some_and(is_name),
        "subscript_expression" => node.child("index").is_some_and(is_name),
        "object_pattern" => node.named().any(|it| match it.kind() {
            "pair_pattern" => it.child("key").is_some_and(is_name),
            "object_assignment_pattern" => it.child("left").is_some_and(is_name),
            _ => it.kind() == "shorthand_property_identifier_pattern" && is_name(it),
        }),
        _ => false,
    };
    let around = node.parent().filter(|_| is_read);
    let is_target = around
        .is_some_and(|it| it.kind() == "assignment_expression" && node.field() == Some("left"))
        && node.kind() != "object_pattern";
    // Behind `=` of a parameter stands only what it gets without an argument.
    let object = match (node.kind(), around.map_or("", |it| it.kind())) {
        ("object_pattern", "variable_declarator") => around.and_then(|it| it.child("value")),
        ("object_pattern", "assignment_expression") => around.and_then(|it| it.child("right")),
        ("object_pattern", _) => None,
        _ => node.child("object"),
    };
    is_read && !is_target && object.is_none_or(|it| may_be_function(program, it))
}

/// Whether an expression may be a function: all but a literal, a variable that only gets literals, and the object of a method.
fn may_be_function(program: &Program, object: Node<'_>) -> bool {
    let object = grammar::bare(object);
    if object.kind() == "this" {
        return !is_object_of_method(object);
    }
    let Some(variable) = program.names().variable(object) else { return !is_literal(object) };
    let gets_literal = |&place: &u32| {
        let name = program.node(place);
        let value = name.parent().and_then(|around| match around.kind() {
            "variable_declarator" => around.child("value"),
            "assignment_expression" => around.child("right"),
            _ => None,
        });
        value.is_some_and(is_literal)
    };
    let is_given = |place: &&u32| {
        **place == variable.declaration
            || variable.writes.contains(place)
            || program.node(**place).field() == Some("name")
    };
    !matches!(variable.kind, Kind::Local | Kind::Global)
        || variable.is_unclear
        || !variable.places.iter().filter(is_given).all(gets_literal)
}

fn is_literal(value: Node<'_>) -> bool {
    matches!(
        grammar::bare(value).kind(),
        "object" | "array" | "string" | "template_string" | "number" | "regex"
    )
}

/// Whether `this` stands in a method of the objects of a class that extends no other.
fn is_object_of_method(this: Node<'_>) -> bool {
    let around = this.ancestors().find(|it| {
        let has_this = grammar::is_function(*it) && it.kind() != "arrow_function";
        has_this || grammar::is_class_body(*it)
    });
    around.is_some_and(|method| {
        let class = method.parent().filter(|it| grammar::is_class_body(*it)).and_then(Node::parent);
        method.kind() == "method_definition"
            && method.child("body").is_some_and(|it| it.holds(this))
            && method.children().all(|it| it.kind() != "static")
            && class.is_some_and(|it| it.children().all(|it| it.kind() != "class_heritage"))
    })
}
