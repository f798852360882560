//! `statement-swap`: lets two neighboring statements change places.
//!
//! # What it does
//!
//! Two statements that stand one behind the other, and of which neither needs what the other does, change places.
//!
//! # Why behavior is kept
//!
//! Neither writes what the other one reads or writes. At most one of them may raise, act on objects, or run code that
//! is not known ([`Effects`]). Where that one raises, nobody sees what the other one did to a local variable.
//!
//! # Example
//!
//! `a = 1` and `b = 2` become `b = 2` and `a = 1`.
//!
//! # Where it does not apply
//!
//! Statements inside a `try`, where the code behind an exception sees local variables; `import`, `def`, `class`; the body
//! of a class, since fields and members keep their order; programs that see names as text, such as by `eval`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::code;
use super::effects::Effects;
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Piece, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "statement-swap",
    summary: "lets two neighboring statements change places",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "expression_statement").filter(|it| neighbor(*it).is_some()).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let other = neighbor(site).ok_or(Refusal("no such statement follows"))?;
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    if code::in_class_body(site) {
        return Err(Refusal("the order in the body of a class has a meaning"));
    }
    if code::inside_try(site) {
        return Err(Refusal("it stands inside a `try`"));
    }
    code::keeps_docstring(site)?;
    let (first, second) = (Effects::of(program, site), Effects::of(program, other));
    if !first.is_independent_of(&second) {
        return Err(Refusal("one of them may need what the other one does"));
    }
    let between = program.slice(site.end()..other.start()).to_owned();
    let pieces = vec![Piece::Keep(other.range()), Piece::Text(between), Piece::Keep(site.range())];
    Ok(vec![Edit { range: site.start()..other.end(), pieces }])
}

/// The statement right behind, where it is an expression or an assignment.
fn neighbor(statement: Node<'_>) -> Option<Node<'_>> {
    let block = statement.parent()?;
    let next = code::statements(block).find(|it| it.number() > statement.number())?;
    let is_docstring = |it: Node<'_>| it.named().all(|it| it.kind() == "string");
    (next.kind() == "expression_statement" && !is_docstring(statement)).then_some(next)
}
