//! The opposite of a condition.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{code, grammar, types};
use crate::Refusal;
use crate::program::Program;

/// Code that is true where `condition` is false, for a place that asks for truth alone. `$0` and `$1` stand for the nodes.
pub(crate) fn negated<'p>(
    program: &Program,
    condition: Node<'p>,
) -> Result<(String, Vec<Node<'p>>), Refusal> {
    check(program, condition)?;
    let bare = grammar::bare(condition);
    if let Some(("!", operand)) = grammar::unary(bare)
        && program.language() != Language::Cpp
    {
        return Ok(("$0".to_owned(), vec![grammar::bare(operand)]));
    }
    if let Some((left, operator, right)) = grammar::binary(bare)
        && let Some(opposite) = opposite(program, operator, left, right)
    {
        return Ok((format!("$0 {opposite} $1"), vec![left, right]));
    }
    Ok(match bare.kind() {
        "true" => ("false".to_owned(), Vec::new()),
        "false" => ("true".to_owned(), Vec::new()),
        _ => (format!("!{}", code::tight(program, bare, 0)), vec![bare]),
    })
}

/// Refuses where a program of C++ has a `!`, `&&` or `||` of its own, and the condition may be an object that has it.
pub(crate) fn check(program: &Program, condition: Node<'_>) -> Result<(), Refusal> {
    let is_own = program.language() == Language::Cpp
        && !types::of(program, condition).is_primitive()
        && !matches!(grammar::bare(condition).kind(), "true" | "false")
        && has_own_operators(program);
    if is_own { Err(Refusal("its `!` may be the program's own")) } else { Ok(()) }
}

fn has_own_operators(program: &Program) -> bool {
    program.text().match_indices("operator").any(|(place, word)| {
        let rest = program.text()[place + word.len()..].trim_start();
        rest.starts_with('!') && !rest.starts_with("!=")
            || ["&&", "||", "not", "and", "or"].iter().any(|it| rest.starts_with(it))
    })
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
