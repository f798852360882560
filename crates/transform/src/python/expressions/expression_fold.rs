//! `expression-fold`: writes the value of a variable where the variable is used once, right behind.
//!
//! # What it does
//!
//! The assignment goes away. Its value stands in the next statement, in the place of the name.
//!
//! # Why behavior is kept
//!
//! The name is what the next statement computes first, so nothing comes between. Nothing else names the variable.
//!
//! # Example
//!
//! `size = len(a)` and `return size + 1` become `return len(a) + 1`.
//!
//! # Where it does not apply
//!
//! Variables that are named twice or that other code sees; places that are computed later; comments in between.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::is_private;
use crate::Piece;
use crate::program::Program;
use crate::python::code;
use crate::python::memory::Assignment;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "expression-fold",
    summary: "writes the value of a variable where the variable is used once, right behind",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "expression_statement").filter(|it| used(program, *it).is_some()).collect()
}

/// The assignment, the next statement, and the place in it that names the variable, where nothing else does.
fn used<'p>(program: &'p Program, statement: Node<'p>) -> Option<(Assignment<'p>, Node<'p>, Node<'p>)> {
    let assignment = Assignment::of(program, statement)?;
    let variable = program.scopes().variable(assignment.target).filter(|it| is_private(it))?;
    let next = code::statements(statement.parent()?).find(|it| it.number() > statement.number())?;
    let [binding, place] = variable.places[..] else { return None };
    let place = program.node(place);
    let once = binding == assignment.target.number() && variable.bindings == [binding] && next.holds(place);
    (once && is_first(program, next, place)).then_some((assignment, next, place))
}

/// Whether a statement computes this place before anything else.
fn is_first(program: &Program, statement: Node<'_>, place: Node<'_>) -> bool {
    let mut child = place;
    for parent in place.ancestors() {
        let field = child.field();
        let first = match parent.kind() {
            "parenthesized_expression" | "not_operator" | "unary_operator" | "return_statement" => true,
            "binary_operator" | "boolean_operator" => field == Some("left"),
            "comparison_operator" => super::operands(parent).first() == Some(&child),
            "conditional_expression" => parent.named().nth(1) == Some(child),
            "attribute" => field == Some("object"),
            "subscript" => field == Some("value"),
            "expression_statement" | "tuple" | "list" | "expression_list" | "argument_list" => {
                parent.named().next() == Some(child)
            }
            "call" => {
                field == Some("function")
                    || parent
                        .child("function")
                        .is_some_and(|it| program.scopes().is_builtin(program, it, program.of(it)))
            }
            "assignment" => field == Some("right") && parent.child("type").is_none(),
            "if_statement" => field == Some("condition"),
            "for_statement" => field == Some("right"),
            _ => false,
        };
        if !first {
            return false;
        }
        if parent == statement {
            return true;
        }
        child = parent;
    }
    false
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (assignment, next, place) = used(program, site).ok_or(Refusal("nothing uses it first"))?;
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    if program.slice(site.end()..next.start()).contains(['#', ';']) {
        return Err(Refusal("a comment stands behind it"));
    }
    code::may_add_names(site)?;
    let value = assignment.value;
    let bare = code::is_tight(value) && !program.of(value).contains('\n') && value.kind() != "integer";
    let [open, close] = if bare { ["", ""] } else { ["(", ")"] };
    let pieces = vec![
        Piece::Keep(next.start()..place.start()),
        Piece::Text(open.into()),
        Piece::Keep(value.range()),
        Piece::Text(close.into()),
        Piece::Keep(place.end()..next.end()),
    ];
    Ok(vec![Edit { range: site.start()..next.end(), pieces }])
}
