//! The opposite of a condition.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{code, grammar, types};
use crate::program::Program;

/// Code that is true where `condition` is false, for a place that asks for truth alone. `$0` and `$1` stand for the nodes.
pub(crate) fn negated<'p>(program: &Program, condition: Node<'p>) -> (String, Vec<Node<'p>>) {
    let bare = grammar::bare(condition);
    if let Some(("!", operand)) = grammar::unary(bare)
        && program.language() != Language::Cpp
    {
        return ("$0".to_owned(), vec![grammar::bare(operand)]);
    }
    if let Some((left, operator, right)) = grammar::binary(bare)
        && let Some(opposite) = opposite(program, operator, left, right)
    {
        return (format!("$0 {opposite} $1"), vec![left, right]);
    }
    match bare.kind() {
        "true" => ("false".to_owned(), Vec::new()),
        "false" => ("true".to_owned(), Vec::new()),
        _ => (format!("!{}", code::tight(program, bare, 0)), vec![bare]),
    }
}

/// The opposite sign of a comparison, where the types of both sides allow to turn it.
pub(crate) fn opposite(
    program: &Program,
    operator: &str,
    left: Node<'_>,
    right: Node<'_>,
) -> Option<&'static str> {
    let types = [left, right].map(|it| types::of(program, it));
    let is_integer = types.iter().all(|it| it.is_integer());
    let is_own = program.language() == Language::Cpp && !types.iter().all(|it| it.is_primitive());
    match operator {
        "==" if !is_own => Some("!="),
        "!=" if !is_own => Some("=="),
        "===" => Some("!=="),
        "!==" => Some("==="),
        "<" if is_integer => Some(">="),
        ">=" if is_integer => Some("<"),
        ">" if is_integer => Some("<="),
        "<=" if is_integer => Some(">"),
        _ => None,
    }
}
