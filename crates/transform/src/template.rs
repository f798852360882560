//! Writes lines of code that keep pieces of the old.

use std::ops::Range;

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::rewrite::{Edit, Piece};

/// The lines that take the place of a statement.
pub(crate) struct Lines<'p> {
    program: &'p Program,
    indent: String,
    unit: String,
    pieces: Vec<Piece>,
}

/// A stretch of whole statements: where they stand, how they are indented, and which of its parts no one may indent.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    pub(crate) range: Range<usize>,
    pub(crate) indent: String,
    pub(crate) fixed: Vec<Range<usize>>,
}

impl<'p> Lines<'p> {
    /// Lines that begin where a statement with this indentation begins. A block is indented by `unit` more.
    pub(crate) fn new(program: &'p Program, indent: &str, unit: &str) -> Self {
        Self { program, indent: indent.to_owned(), unit: unit.to_owned(), pieces: Vec::new() }
    }

    /// Adds a line, `depth` blocks deep. `$0` to `$9` and `${10}` and so on stand for the nodes of `kept`.
    pub(crate) fn line(&mut self, depth: usize, template: &str, kept: &[Node<'_>]) -> &mut Self {
        self.begin(depth);
        let is_head = template.ends_with('{') && self.program.language() == Language::Go;
        let is_loose = |node: Node<'_>| match self.program.language() {
            Language::Python => is_broken(self.program, node),
            _ => is_head && has_open_literal(node),
        };
        self.pieces.extend(pieces(template, kept, is_loose));
        self
    }

    /// Adds statements, `depth` blocks deep.
    pub(crate) fn stretch(&mut self, depth: usize, stretch: &Stretch) -> &mut Self {
        self.begin(depth);
        let to = self.indent_at(depth);
        self.pieces.push(Piece::Shift {
            range: stretch.range.clone(),
            from: stretch.indent.clone(),
            to,
            fixed: stretch.fixed.clone(),
        });
        self
    }

    /// Adds a stretch of the old text to the last line. What stands on its further lines moves with it.
    pub(crate) fn keep(&mut self, range: Range<usize>, indent: &str) -> &mut Self {
        let to = self.indent.clone();
        self.pieces.push(Piece::Shift { range, from: indent.to_owned(), to, fixed: Vec::new() });
        self
    }

    /// Adds text to the last line.
    pub(crate) fn then(&mut self, text: &str) -> &mut Self {
        self.pieces.push(Piece::Text(text.to_owned()));
        self
    }

    /// The edit that puts the lines into the place of `range`.
    pub(crate) fn edit(self, range: Range<usize>) -> Edit {
        Edit { range, pieces: self.pieces }
    }

    fn indent_at(&self, depth: usize) -> String {
        format!("{}{}", self.indent, self.unit.repeat(depth))
    }

    fn begin(&mut self, depth: usize) {
        if !self.pieces.is_empty() {
            self.pieces.push(Piece::Text(format!("{}{}", newline(self.program), self.indent_at(depth))));
        }
    }
}

/// The edit that puts `template` into the place of a node. `$0` to `$9` and `${10}` and so on stand for the nodes of `kept`.
pub(crate) fn expression(range: Range<usize>, template: &str, kept: &[Node<'_>]) -> Edit {
    Edit { range, pieces: pieces(template, kept, |_| false) }
}

/// Whether an expression of Python goes on in another line outside of brackets, so that it needs parentheses.
fn is_broken(program: &Program, node: Node<'_>) -> bool {
    let is_expression = node.kind().ends_with("_operator")
        || matches!(
            node.kind(),
            "conditional_expression"
                | "attribute"
                | "call"
                | "subscript"
                | "concatenated_string"
                | "lambda"
                | "await"
        );
    is_expression && program.of(node).contains('\n') && is_open(program, node)
}

/// Whether a line ends between the parts of a node, outside of brackets.
fn is_open(program: &Program, node: Node<'_>) -> bool {
    let (mut depth, mut end) = (0, node.start());
    for child in node.children() {
        let gap = program.slice(end..child.start());
        if depth == 0 && gap.contains('\n') && !gap.contains('\\') {
            return true;
        }
        end = child.end();
        match child.kind() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ if depth == 0 && is_open(program, child) => return true,
            _ => {}
        }
    }
    false
}

/// Whether the braces of a literal of Go could be taken for those of a statement.
fn has_open_literal(node: Node<'_>) -> bool {
    node.subtree().filter(|it| it.kind() == "composite_literal").any(|literal| {
        let closed = |it: &Node<'_>| matches!(it.kind(), "parenthesized_expression" | "argument_list");
        let mut around = std::iter::once(node).chain(literal.ancestors().filter(|it| node.holds(*it)));
        !around.any(|it| closed(&it))
    })
}

fn pieces(template: &str, kept: &[Node<'_>], is_loose: impl Fn(Node<'_>) -> bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut parts = template.split('$');
    pieces.extend(parts.next().map(|text| Piece::Text(text.to_owned())));
    for part in parts {
        let braced = part.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let (number, rest) = match braced {
            Some((number, rest)) => (number, rest),
            None => part.split_at(usize::from(part.starts_with(|it: char| it.is_ascii_digit()))),
        };
        match number.parse().ok().and_then(|number: usize| kept.get(number)) {
            Some(node) => {
                let has_parentheses = rest.starts_with(')')
                    && matches!(pieces.last(), Some(Piece::Text(before)) if before.ends_with('('));
                let adds = is_loose(*node) && !has_parentheses;
                let [open, close] = if adds { ["(", ")"] } else { ["", ""] };
                pieces.push(Piece::Text(open.to_owned()));
                pieces.push(Piece::Keep(node.range()));
                pieces.push(Piece::Text(format!("{close}{rest}")));
            }
            None => pieces.push(Piece::Text(format!("${part}"))),
        }
    }
    pieces
}

/// How the program ends its lines.
pub(crate) fn newline(program: &Program) -> &'static str {
    let first = program.text().find('\n').unwrap_or(0);
    if first > 0 && program.text().as_bytes()[first - 1] == b'\r' { "\r\n" } else { "\n" }
}
