//! The opposite of a condition.

use familiar_syntax::tree::Node;

use super::code;
use super::types::{self, Type};
use crate::program::Program;

/// Code that is true where `condition` is false, for a place that asks for truth alone. `$0` and `$1` stand for the nodes.
pub(crate) fn negated<'p>(program: &Program, condition: Node<'p>) -> (String, Vec<Node<'p>>) {
    let bare = code::bare(condition);
    match bare.kind() {
        "not_operator" => {
            if let Some(argument) = bare.child("argument") {
                return ("$0".to_owned(), vec![argument]);
            }
        }
        "comparison_operator" => {
            if let Some(opposite) = opposite(program, bare) {
                return opposite;
            }
        }
        _ => {}
    }
    (format!("not {}", code::operand(condition)), vec![condition])
}

/// The comparison with the opposite sign, where both sides are known to have one.
fn opposite<'p>(program: &Program, comparison: Node<'p>) -> Option<(String, Vec<Node<'p>>)> {
    let operators: Vec<_> = comparison.children().filter(|it| it.field() == Some("operators")).collect();
    let operands: Vec<_> = comparison.named().filter(|it| it.field() != Some("operators")).collect();
    let ([operator], [left, right]) = (&operators[..], &operands[..]) else { return None };
    let types = [types::of(program, *left), types::of(program, *right)];
    let ordered = types.iter().all(|it| it.is_whole()) || types.iter().all(|it| *it == Type::Str);
    let known = types.iter().all(|it| it.is_frozen());
    let sign = match operator.kind() {
        "in" => "not in",
        "not in" => "in",
        "is" => "is not",
        "is not" => "is",
        "==" if known => "!=",
        "!=" if known => "==",
        "<" if ordered => ">=",
        ">=" if ordered => "<",
        ">" if ordered => "<=",
        "<=" if ordered => ">",
        _ => return None,
    };
    Some((format!("$0 {sign} $1"), vec![*left, *right]))
}
