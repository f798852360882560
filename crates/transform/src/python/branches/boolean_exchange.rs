//! `boolean-exchange`: lets a variable hold the opposite truth value.
//!
//! # What it does
//!
//! Where the variable was set to `True` it is set to `False`, and the other way round. Wherever it is read, `not` stands before it.
//!
//! # Why behavior is kept
//!
//! All that binds the variable gives it `True` or `False`, and all places that read it are known.
//!
//! # Example
//!
//! `found = False` and `if found:` become `found = True` and `if (not found):`.
//!
//! # Where it does not apply
//!
//! Variables that may hold anything else, or get their value together with others; parameters; attributes; names that others share.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::names::{self, renamable};
use crate::python::types::{self, Type};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "boolean-exchange",
    summary: "lets a variable hold the opposite truth value",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let boolean = |it: &Node<'_>| types::of(program, *it) == Type::Bool || given(program, *it).is_some();
    names::candidates(program).into_iter().filter(boolean).collect()
}

/// The truth value that is assigned at a place.
fn given<'p>(program: &Program, place: Node<'p>) -> Option<Node<'p>> {
    let assignment =
        place.parent().filter(|it| it.kind() == "assignment" && place.field() == Some("left"))?;
    // `a = b = True` gives its value to others, too.
    assignment.parent().filter(|it| it.kind() == "expression_statement")?;
    assignment.child("right").filter(|it| types::of(program, *it) == Type::Bool)
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let variable = renamable(program, site)?;
    if variable.is_parameter || variable.is_shared || variable.is_deleted {
        return Err(Refusal("other code may bind it"));
    }
    let mut edits = Vec::new();
    for &place in &variable.places {
        let node = program.node(place);
        if !variable.bindings.contains(&place) {
            edits.push(Edit::text(node.range(), format!("(not {})", variable.name)));
            continue;
        }
        let value = given(program, node).ok_or(Refusal("it may hold something else"))?;
        edits.push(match value.kind() {
            "true" => Edit::text(value.range(), "False"),
            "false" => Edit::text(value.range(), "True"),
            _ => expression(value.range(), "not ($0)", &[value]),
        });
    }
    Ok(edits)
}
