//! `declaration-merge`: writes two assignments as one.
//!
//! # What it does
//!
//! `a = x` and `b = y`, one behind the other, become `a, b = x, y`.
//!
//! # Why behavior is kept
//!
//! The second value does not need the first name. Where computing it raises, nobody sees that the first name has no value: there is no `try`
//! around, and no inner function knows the name.
//!
//! # Example
//!
//! `low = 0` and `high = len(a)` become `low, high = 0, len(a)`.
//!
//! # Where it does not apply
//!
//! As `positional-state-encoding`; values that are `yield` or have several items; programs that see names as text.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::auto_spt::positional_encoding::{candidates, pair};
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "declaration-merge",
    summary: "writes two assignments as one",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let [first, second] = pair(program, site).ok_or(Refusal("no such assignment follows"))?;
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    if code::inside_try(site) {
        return Err(Refusal("it stands inside a `try`"));
    }
    let variable = program.scopes().variable(first.target);
    let is_known = variable
        .is_some_and(|it| (it.is_local() || code::is_script(program)) && !it.is_captured && !it.is_shared);
    if !is_known || program.slice(first.statement.end()..second.statement.start()).contains('#') {
        return Err(Refusal("other code may see the name, or a comment stands between"));
    }
    let kept = [first.target, second.target, first.value, second.value];
    let [left, right] = [values::at(values::item(first.value), 2), values::at(values::item(second.value), 3)];
    Ok(vec![expression(site.start()..second.statement.end(), &format!("$0, $1 = {left}, {right}"), &kept)])
}
