//! `continue-else`: writes what `continue` skips behind an `else`, and the other way round.
//!
//! # What it does
//!
//! An `if` in the body of a loop that only continues gets the opposite condition, and holds what followed it.
//!
//! # Why behavior is kept
//!
//! `continue` skips what follows in the body, and so does the condition. Names that are declared there live to the
//! end of the body in both forms.
//!
//! # Example
//!
//! `if (a) continue; b();` becomes `if (!a) { b(); }`.
//!
//! # Where it does not apply
//!
//! An `if` with an `else`, or with nothing behind it; functions of JavaScript that are declared behind it,
//! and names that code before it knows.

use familiar_syntax::tree::Node;

use super::super::branches::if_else_flip::binds;
use super::super::grammar::{self, LANGUAGES};
use super::super::{code, negate};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "continue-else",
    summary: "writes what `continue` skips behind an `else`, and the other way round",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, &["if_statement"]).filter(|it| rest(*it).is_some()).collect()
}

/// The last statement of the body of the loop in which an `if` only continues, where something follows it.
fn rest(site: Node<'_>) -> Option<Vec<Node<'_>>> {
    let parts = grammar::branches(site).filter(|it| it.otherwise.is_none() && it.initializer.is_none())?;
    let [only] = grammar::statements(parts.then)[..] else { return None };
    let list = grammar::siblings(site)?;
    let block = if list.kind() == "statement_list" { list.parent()? } else { list };
    let around = block.parent().filter(|it| grammar::is_loop(*it) && block.field() == Some("body"))?;
    let rest: Vec<_> = grammar::content(list).into_iter().filter(|it| it.start() >= site.end()).collect();
    (only.kind() == "continue_statement" && around.is_named() && !rest.is_empty()).then_some(rest)
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let rest = rest(site).ok_or(Refusal("it does more than to continue"))?;
    let parts = grammar::branches(site).ok_or(Refusal("its condition declares a variable"))?;
    if binds(parts.condition) || rest.iter().any(|it| it.kind().ends_with("function_declaration")) {
        return Err(Refusal("it binds a name that what follows needs"));
    }
    let (Some(first), Some(last)) = (rest.first(), rest.last()) else {
        return Err(Refusal("nothing follows"));
    };
    if code::are_known_outside(program, &rest) {
        return Err(Refusal("other code knows a name that what follows declares"));
    }
    let stretch = code::stretch_of(program, *first, *last);
    let mut lines = code::lines(program, site);
    let (template, kept) = negate::negated(program, parts.condition)?;
    lines.line(0, &code::head(program, "if", &template), &kept).stretch(1, &stretch).line(0, "}", &[]);
    Ok(vec![lines.edit(site.start()..stretch.range.end)])
}
