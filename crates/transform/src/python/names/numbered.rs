//! `variable-rename-numbered`: numbers the variables, as a decompiler does.
//!
//! # What it does
//!
//! Variables are called `var1`, `var2` and so on, in the order in which they stand in the text.
//!
//! # Why behavior is kept
//!
//! All places of the variable are known, and the new name stands nowhere in the program ([`variable-rename`](crate::python::variable_rename)).
//!
//! # Example
//!
//! `total = 0` becomes `var1 = 0`.
//!
//! # Where it does not apply
//!
//! As `variable-rename`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{NO_NAME, candidates, renamable, renamed};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "variable-rename-numbered",
    summary: "numbers the variables, as a decompiler does",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let variable = renamable(program, site)?;
    let name = choices.first_free((1..).map(|at: u32| format!("var{at}"))).ok_or(NO_NAME)?;
    Ok(renamed(program, variable, &name))
}
