//! `comprehension-loop`: writes a comprehension as a loop that fills a collection.
//!
//! # What it does
//!
//! The clauses become nested loops and `if` statements. The innermost one adds the item to a new collection. The variables of the
//! comprehension get names of their own.
//!
//! # Why behavior is kept
//!
//! The collections, conditions and items are computed in the same order. The new names are not used elsewhere, as those of a
//! comprehension are not seen outside.
//!
//! # Example
//!
//! `x = [f(y) for y in z if y]` becomes `row = []`, `for item in z:` with `if item: row.append(f(item))` inside, and `x = row`.
//!
//! # Where it does not apply
//!
//! Comprehensions inside larger expressions; generators that nobody takes whole at once; variables that an inner function uses;
//! `async` ones; the body of a class; generators with a call that may raise `StopIteration`, which a generator turns into `RuntimeError`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::scopes::Variable;
use crate::python::{code, names, values};
use crate::template::Lines;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "comprehension-loop",
    summary: "writes a comprehension as a loop that fills a collection",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

/// Builtins that get a list.
const OF_LISTS: &[&str] = &[
    "sum",
    "len",
    "max",
    "min",
    "any",
    "all",
    "sorted",
    "set",
    "tuple",
    "list",
    "str",
    "print",
    "enumerate",
    "reversed",
];
/// Those of them that take all items of a generator before they do anything else.
const OF_GENERATORS: &[&str] = &["sorted", "tuple", "list"];

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let statements = program.root().subtree().filter(|it| code::is_statement(*it));
    statements.filter_map(|it| comprehension(program, it)).collect()
}

/// The comprehension that a statement assigns or returns, or that is the only argument of a builtin in its place.
fn comprehension<'p>(program: &Program, statement: Node<'p>) -> Option<Node<'p>> {
    let value = match statement.kind() {
        "return_statement" => statement.named().next()?,
        "expression_statement" => {
            let assignment = statement.named().next().filter(|it| it.kind() == "assignment")?;
            assignment.child("right").filter(|_| assignment.child("type").is_none())?
        }
        _ => return None,
    };
    let value = code::bare(value);
    if value.kind().ends_with("_comprehension") {
        return Some(value);
    }
    let (function, arguments) = (value.child("function")?, value.child("arguments")?);
    let is_one_of =
        |names: &[&str]| names.iter().any(|name| program.scopes().is_builtin(program, function, name));
    if arguments.kind() == "generator_expression" {
        let joins = function.kind() == "attribute"
            && function.child("object").is_some_and(|it| it.kind() == "string")
            && function.child("attribute").is_some_and(|it| program.of(it) == "join");
        return (joins || is_one_of(OF_GENERATORS)).then_some(arguments);
    }
    let mut all = arguments.named();
    let only = all.next().filter(|it| it.kind() == "list_comprehension" && all.next().is_none())?;
    is_one_of(OF_LISTS).then_some(only)
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    if site.children().any(|it| it.kind() == "async")
        || site.subtree().any(|it| matches!(it.kind(), "async" | "await" | "yield"))
    {
        return Err(Refusal("it waits"));
    }
    if site.kind() == "generator_expression" && may_stop(program, site) {
        return Err(Refusal(
            "a call in it may raise `StopIteration`, which a generator turns into another exception",
        ));
    }
    let statement =
        site.ancestors().find(|it| code::is_statement(*it)).ok_or(Refusal("it is in no statement"))?;
    code::may_add_names(statement)?;
    values::may_be_called(program, site, &[])?;
    let held = choices.name();
    let mut lines = code::lines(program, statement)?;
    let start = match site.kind() {
        "set_comprehension" => {
            code::needs_builtins(program, &["set"])?;
            "set()"
        }
        "dictionary_comprehension" => "{}",
        _ => "[]",
    };
    lines.line(0, &format!("{held} = {start}"), &[]);
    let depth = clauses(&mut lines, site);
    add(&mut lines, depth, site, &held, choices)?;
    let brackets = if site.kind() == "generator_expression" && program.of(site).starts_with('(') {
        ["(", ")"]
    } else {
        ["", ""]
    };
    let mut edit = lines.edit(statement.range());
    let newline = format!("{}{}", crate::template::newline(program), code::indent(program, statement)?);
    edit.pieces.push(crate::Piece::Text(newline));
    edit.pieces.push(crate::Piece::Keep(statement.start()..site.start()));
    edit.pieces.push(crate::Piece::Text(brackets.join(&held)));
    edit.pieces.push(crate::Piece::Keep(site.end()..statement.end()));
    let mut edits = vec![edit];
    for variable in program.scopes().variables().iter().filter(|it| it.scope == site.number()) {
        edits.extend(renamed(program, variable, choices)?);
    }
    Ok(edits)
}

/// Builtins that raise no `StopIteration` of their own.
const CALM: &[&str] = &[
    "str",
    "int",
    "float",
    "bool",
    "len",
    "chr",
    "ord",
    "abs",
    "repr",
    "round",
    "isinstance",
    "format",
    "hex",
    "bin",
    "oct",
    "range",
    "tuple",
    "list",
    "set",
    "sorted",
    "min",
    "max",
    "sum",
    "enumerate",
    "zip",
    "reversed",
    "divmod",
    "pow",
    "hash",
    "type",
    "any",
    "all",
    "map",
    "dict",
];

/// Whether code inside a generator may raise `StopIteration`. What it goes over first is computed outside of it.
fn may_stop(program: &Program, generator: Node<'_>) -> bool {
    let first = generator.named().find(|it| it.kind() == "for_in_clause").and_then(|it| it.child("right"));
    let words = ["next", "StopIteration", "__next__", "send", "throw"];
    let stops = words.iter().any(|it| program.words().contains(*it));
    let calls = generator.subtree().filter(|it| it.kind() == "call");
    calls.filter(|it| !first.is_some_and(|first| first.holds(*it))).any(|call| {
        let Some(function) = call.child("function") else { return true };
        let name = program.of(function);
        if CALM.contains(&name) && program.scopes().is_builtin(program, function, name) {
            return false;
        }
        let is_known = match program.scopes().variable(function) {
            Some(variable) => variable.is_fixed || variable.bindings.is_empty(),
            None => function.kind() == "attribute",
        };
        stops || !is_known
    })
}

fn renamed(program: &Program, variable: &Variable, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if variable.is_captured || variable.is_fixed || variable.name.starts_with("__") {
        return Err(Refusal("an inner function uses its variable"));
    }
    Ok(names::renamed(program, variable, &choices.name()))
}

/// Adds a line for each clause, and gives the depth inside them.
fn clauses(lines: &mut Lines<'_>, site: Node<'_>) -> usize {
    let mut depth = 0;
    for clause in site.named() {
        match (clause.kind(), clause.child("left"), clause.child("right")) {
            ("for_in_clause", Some(target), Some(items)) => {
                lines.line(depth, "for $0 in $1:", &[target, items]);
                depth += 1;
            }
            ("if_clause", ..) => {
                let condition: Vec<_> = clause.named().collect();
                lines.line(depth, "if $0:", &condition);
                depth += 1;
            }
            _ => {}
        }
    }
    depth
}

fn add(
    lines: &mut Lines<'_>,
    depth: usize,
    site: Node<'_>,
    held: &str,
    choices: &mut Choices,
) -> Result<(), Refusal> {
    let body = site.child("body").ok_or(Refusal("it has no item"))?;
    if site.kind() == "dictionary_comprehension" {
        let (Some(key), Some(value)) = (body.child("key"), body.child("value")) else {
            return Err(Refusal("it has no key"));
        };
        let name = choices.name();
        lines.line(depth, &format!("{name} = $0"), &[key]).line(
            depth,
            &format!("{held}[{name}] = $0"),
            &[value],
        );
        return Ok(());
    }
    let word = if site.kind() == "set_comprehension" { "add" } else { "append" };
    lines.line(depth, &format!("{held}.{word}({})", values::item(body)), &[body]);
    Ok(())
}
