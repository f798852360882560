//! `function-inline`: writes what a short function returns where the function is called.
//!
//! # What it does
//!
//! A call of a function that only returns a value becomes a call of a `lambda` with the same parameters and that value.
//!
//! # Why behavior is kept
//!
//! The function is bound once, before the call. The names in its value mean the same at both places. Arguments are computed in the same order.
//!
//! # Example
//!
//! `def half(x): return x / 2` and `half(8)` become `(lambda x: x / 2)(8)` at the call.
//!
//! # Where it does not apply
//!
//! Functions that do more, have decorators, default or other special parameters, or yield; calls with named arguments; calls that stand before the function;
//! private names in another class; what names something that the function binds, such as by an `import` inside.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "function-inline",
    summary: "writes what a short function returns where the function is called",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let definitions: Vec<_> =
        code::all(program, "function_definition").filter(|it| returned(program, *it).is_some()).collect();
    let called = |call: &Node<'_>| definition(program, *call).is_some_and(|it| definitions.contains(&it));
    code::all(program, "call").filter(called).collect()
}

/// The only definition of the function that is called.
fn definition<'p>(program: &'p Program, call: Node<'_>) -> Option<Node<'p>> {
    let function = call.child("function").filter(|it| it.kind() == "identifier")?;
    let variable =
        program.scopes().variable(function).filter(|it| it.bindings.len() == 1 && !it.is_shared)?;
    program.node(*variable.bindings.first()?).parent().filter(|it| it.kind() == "function_definition")
}

/// What the function returns, where it does nothing else.
fn returned<'p>(program: &Program, function: Node<'p>) -> Option<Node<'p>> {
    let plain = function.parent().is_some_and(|it| matches!(it.kind(), "module" | "block"));
    let is_async = function.children().any(|it| it.kind() == "async");
    let mut working = crate::python::memory::working(function.child("body")?);
    let only = working.next().filter(|it| it.kind() == "return_statement" && working.next().is_none())?;
    let value = only.named().next()?;
    let apart = |it: Node<'_>| {
        matches!(it.kind(), "yield" | "await" | "named_expression")
            || matches!(program.of(it), "super" | "__class__")
    };
    (plain && !is_async && !value.subtree().any(apart)).then_some(value)
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let function = definition(program, site).ok_or(Refusal("its function is not known"))?;
    let value = returned(program, function).ok_or(Refusal("the function does more"))?;
    let parameters: Vec<_> =
        function.child("parameters").into_iter().flat_map(|it| it.named().collect::<Vec<_>>()).collect();
    let name = |it: &Node<'_>| match it.kind() {
        "identifier" => Some(program.of(*it)),
        "typed_parameter" => {
            it.named().next().filter(|it| it.kind() == "identifier").map(|it| program.of(it))
        }
        _ => None,
    };
    let names: Option<Vec<_>> = parameters.iter().map(name).collect();
    let names = names.ok_or(Refusal("its parameters are not plain"))?;
    let arguments = site
        .child("arguments")
        .filter(|it| it.kind() == "argument_list")
        .ok_or(Refusal("its argument is a generator"))?;
    let given: Vec<_> = arguments.named().filter(|it| it.kind() != "comment").collect();
    let plain = |it: &Node<'_>| !it.kind().ends_with("splat") && it.kind() != "keyword_argument";
    if given.len() != names.len() || !given.iter().all(plain) || program.scopes().is_reflective() {
        return Err(Refusal("its arguments are not plain"));
    }
    let block = function.parent().ok_or(Refusal("its function is not known"))?;
    if function.end() > site.start()
        || !block.holds(site)
        || function.holds(site)
        || value.range().len() > 300
    {
        return Err(Refusal("it may be called before the function is there"));
    }
    if program.of(value).contains('\n') {
        return Err(Refusal("what it returns has several lines"));
    }
    same_names(program, function, value, site)?;
    if class_around(function) != class_around(site) && has_private_name(program, value) {
        return Err(Refusal("a private name of it means something else in another class"));
    }
    let lambda = format!("(lambda {}: {})", names.join(", "), values::item(value));
    let lambda = lambda.replace("(lambda :", "(lambda:");
    Ok(vec![expression(site.range(), &format!("{lambda}$1"), &[value, arguments])])
}

/// The number of the class around a node.
fn class_around(node: Node<'_>) -> Option<u32> {
    node.ancestors().find(|it| it.kind() == "class_definition").map(Node::number)
}

/// Whether Python puts the name of the class around before a name of the value.
fn has_private_name(program: &Program, value: Node<'_>) -> bool {
    let is_private = |it: Node<'_>| {
        let name = program.of(it);
        it.kind() == "identifier" && name.starts_with("__") && !name.ends_with("__")
    };
    value.subtree().any(is_private)
}

/// Whether each name of the value that its function does not bind means the same at the call.
fn same_names(program: &Program, function: Node<'_>, value: Node<'_>, call: Node<'_>) -> Result<(), Refusal> {
    let scopes: Vec<_> = call.ancestors().map(Node::number).collect();
    for name in value.subtree().filter(|it| it.kind() == "identifier") {
        let Some(variable) = program.scopes().variable(name) else { continue };
        if variable.scope == function.number() && !variable.is_parameter {
            return Err(Refusal("it needs a name that the function binds"));
        }
        if function.holds(program.node(variable.scope)) {
            continue;
        }
        let hidden = program.scopes().variables().iter().any(|it| {
            it.name == variable.name
                && it.scope != variable.scope
                && scopes.contains(&it.scope)
                && !program.node(it.scope).holds(function)
        });
        if hidden {
            return Err(Refusal("a name of it means something else at the call"));
        }
    }
    Ok(())
}
