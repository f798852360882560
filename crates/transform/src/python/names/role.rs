//! `variable-rename-role`: gives variables names that say something else than what they are for.
//!
//! # What it does
//!
//! What a loop counts gets a name as results have it, what is summed up a name as places have it, and so on. The names are
//! such as people write.
//!
//! # Why behavior is kept
//!
//! All places of the variable are known, and the new name stands nowhere in the program ([`variable-rename`](crate::python::variable_rename)).
//!
//! # Example
//!
//! `for i in items: total += i` becomes `for result in items: position += result`.
//!
//! # Where it does not apply
//!
//! As `variable-rename`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{candidates, free_name, renamable, renamed};
use crate::program::Program;
use crate::python::scopes::Variable;
use crate::python::types::{self, Type};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "variable-rename-role",
    summary: "gives variables names that say something else than what they are for",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let variable = renamable(program, site)?;
    let words = misleading(program, variable);
    let word = words[choices.below(words.len())];
    let name = free_name(choices, word)?;
    Ok(renamed(program, variable, &name))
}

/// Names of another role than the variable has.
fn misleading(program: &Program, variable: &Variable) -> [&'static str; 4] {
    let is_bound_by = |kind: &str| {
        variable
            .bindings
            .iter()
            .any(|place| program.node(*place).ancestors().take(2).any(|around| around.kind() == kind))
    };
    if is_bound_by("for_statement") || is_bound_by("for_in_clause") {
        return ["result", "output", "limit", "total"];
    }
    if is_bound_by("augmented_assignment") {
        return ["index", "position", "start", "offset"];
    }
    let first = variable.bindings.first().map(|place| program.node(*place));
    match first.map_or(Type::Unknown, |it| types::of(program, it)) {
        Type::List | Type::Set | Type::Dict | Type::Tuple => ["count", "size", "flag", "width"],
        Type::Int | Type::Float | Type::Bool => ["items", "values", "names", "words"],
        Type::Str => ["number", "depth", "numbers", "node"],
        _ => ["text", "buffer", "key", "step"],
    }
}
