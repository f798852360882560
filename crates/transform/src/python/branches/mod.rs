//! Transformations of branches and of truth values.

pub(crate) mod boolean_exchange;
pub(crate) mod dispatch_table;
pub(crate) mod flip_comparison;
pub(crate) mod flip_elif;
pub(crate) mod flip_flag;
pub(crate) mod flip_match;
pub(crate) mod table;

use familiar_syntax::tree::Node;

use super::code::{self, Branch};
use crate::Refusal;
use crate::program::Program;
use crate::template::Lines;

pub(super) const NO_CONDITION: Refusal = Refusal("it has no condition");

/// Adds what an `if` does where its first condition does not hold, `depth` blocks deep.
pub(super) fn other_ways(
    program: &Program,
    lines: &mut Lines<'_>,
    depth: usize,
    others: &[Branch<'_>],
) -> Result<(), Refusal> {
    for (number, branch) in others.iter().enumerate() {
        let body = code::stretch(program, branch.body)?;
        match branch.condition {
            Some(condition) => {
                let word = if number == 0 { "if $0:" } else { "elif $0:" };
                lines.line(depth, word, &[condition]).stretch(depth + 1, &body);
            }
            None if number == 0 => {
                lines.stretch(depth, &body);
            }
            None => {
                lines.line(depth, "else:", &[]).stretch(depth + 1, &body);
            }
        }
    }
    Ok(())
}

/// `if` statements with a second branch.
pub(super) fn two_ways(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "if_statement").filter(|it| code::branches(*it).len() > 1).collect()
}
