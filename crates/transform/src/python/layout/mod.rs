//! Transformations of layout, comments and quotes: what Python does not look at.

pub(crate) mod blank_lines;
pub(crate) mod blank_lines_removed;
pub(crate) mod comments_removed;
pub(crate) mod docstring;
pub(crate) mod indent;
pub(crate) mod joined;
pub(crate) mod line_split;
pub(crate) mod parentheses;
pub(crate) mod quotes;

use std::ops::Range;

use familiar_syntax::tree::Node;

use crate::program::Program;

/// Where the line begins in which a byte stands.
pub(super) fn line_start(program: &Program, at: usize) -> usize {
    program.text()[..at].rfind('\n').map_or(0, |at| at + 1)
}

/// The blanks before a node, where it is the first of its line.
pub(super) fn blanks_before(program: &Program, node: Node<'_>) -> Option<Range<usize>> {
    let range = line_start(program, node.start())..node.start();
    let follows = program.text()[..range.start].trim_end_matches(['\r', '\n']).ends_with('\\');
    (!follows && program.slice(range.clone()).chars().all(|it| matches!(it, ' ' | '\t'))).then_some(range)
}

/// The program as the only site.
pub(super) fn whole(program: &Program) -> Vec<Node<'_>> {
    vec![program.root()]
}
