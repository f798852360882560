//! `variable-rename-prefixed`: puts a mark of the type before the names of variables.
//!
//! # What it does
//!
//! A variable whose type is known gets a prefix that says it, as in Hungarian notation. Any other gets a prefix that says
//! whether it is a parameter, what a loop runs over, or another local variable.
//!
//! # Why behavior is kept
//!
//! All places of the variable are known, and the new name stands nowhere in the program ([`variable-rename`](crate::python::variable_rename)).
//!
//! # Example
//!
//! `total = 0` becomes `int_total = 0`.
//!
//! # Where it does not apply
//!
//! As `variable-rename`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{candidates, free_name, renamable, renamed};
use crate::program::Program;
use crate::python::types::{self, Type};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "variable-rename-prefixed",
    summary: "puts a mark of the type before the names of variables",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let variable = renamable(program, site)?;
    let is_of_loop = variable.bindings.iter().any(|place| {
        program.node(*place).parent().is_some_and(|it| matches!(it.kind(), "for_statement" | "for_in_clause"))
    });
    let prefix = match types::of(program, site) {
        Type::Int => "int",
        Type::Bool => "is",
        Type::Float => "real",
        Type::Str => "str",
        Type::List => "lst",
        Type::Tuple => "tup",
        Type::Set => "set",
        Type::Dict => "map",
        Type::Range => "rng",
        Type::None | Type::Unknown if variable.is_parameter => "arg",
        Type::None | Type::Unknown if is_of_loop => "each",
        Type::None | Type::Unknown => "loc",
    };
    let name = free_name(choices, &format!("{prefix}_{}", variable.name.trim_start_matches('_')))?;
    Ok(renamed(program, variable, &name))
}
