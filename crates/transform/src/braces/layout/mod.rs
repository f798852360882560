//! Transformations of blanks, lines and comments, one file each.

pub(super) mod blank_lines;
pub(super) mod blank_lines_removed;
pub(super) mod comments_removed;
pub(super) mod indent;

use std::ops::Range;

use familiar_syntax::tree::Node;

use super::code;
use crate::program::Program;

/// The only site of what concerns the whole text.
fn whole(program: &Program) -> Vec<Node<'_>> {
    vec![program.root()]
}

/// The lines that neither begin inside of a text or a comment nor continue the line before, with their line ends.
fn lines(program: &Program, root: Node<'_>) -> Vec<Range<usize>> {
    let fixed = code::fixed(root);
    let (mut lines, mut at, mut continues) = (Vec::new(), 0, false);
    for line in program.text().split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let inside = fixed.iter().any(|it| it.start < range.start && range.start < it.end);
        if !inside && !continues {
            lines.push(range);
        }
        continues = line.trim_end().ends_with('\\');
    }
    lines
}
