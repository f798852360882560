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

use super::names::{candidates, renamable, renamed};
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

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let variable = renamable(program, site)?;
    Ok(renamed(program, variable, &choices.name()))
}
