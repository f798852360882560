//! `variable-rename-short`: gives variables names of one letter.
//!
//! # What it does
//!
//! Each variable gets the first free name of one letter, and of two where these are used up, as programs that make code
//! small do.
//!
//! # Why behavior is kept
//!
//! All places of the variable are known, and the new name stands nowhere in the program ([`variable-rename`](crate::python::variable_rename)).
//!
//! # Example
//!
//! `total = 0` becomes `a = 0`, and `return total` becomes `return a`.
//!
//! # Where it does not apply
//!
//! As `variable-rename`; names that have one letter.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{NO_NAME, candidates, renamable, renamed};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "variable-rename-short",
    summary: "gives variables names of one letter",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let variable = renamable(program, site)?;
    if variable.name.chars().count() < 2 {
        return Err(Refusal("its name has one letter"));
    }
    let letters = || ('a'..='z').chain('A'..='Z');
    let one = letters().map(|it| it.to_string());
    let two = letters().flat_map(|first| ('a'..='z').map(move |second| format!("{first}{second}")));
    let short = one.chain(two).filter(|it| !super::KEYWORDS.contains(&it.as_str()));
    let name = choices.first_free(short).ok_or(NO_NAME)?;
    Ok(renamed(program, variable, &name))
}
