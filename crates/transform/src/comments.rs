//! Comments that a rewritten statement would lose: they move above it.

use std::ops::Range;

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::rewrite::{Edit, Piece};
use crate::template::newline;

/// The edits of a site, with the comments that none of their pieces keeps on lines of their own before the statement.
pub(crate) fn kept(program: &Program, site: Node<'_>, mut edits: Vec<Edit>) -> Vec<Edit> {
    let marks: &[&str] = if program.language() == Language::Python { &["#"] } else { &["//", "/*"] };
    for edit in &mut edits {
        let text = program.slice(edit.range.clone());
        if !marks.iter().any(|it| text.contains(it)) {
            continue;
        }
        let Some(indent) = indent_of_statement(program, site, &edit.range) else { continue };
        let lost = lost(program, site, edit);
        if !lost.is_empty() {
            let end = format!("{}{indent}", newline(program));
            edit.pieces.insert(0, Piece::Text(lost.join(&end) + &end));
        }
    }
    edits
}

/// The blanks before a stretch that begins with a statement, where nothing else stands before it on its line.
fn indent_of_statement<'p>(program: &'p Program, site: Node<'_>, range: &Range<usize>) -> Option<&'p str> {
    let line = program.text()[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let indent = program.slice(line..range.start);
    let is_statement = |it: Node<'_>| {
        let kind = it.kind();
        it.is_named()
            && it.start() == range.start
            && (kind.ends_with("_statement") || kind.ends_with("_definition") || kind.contains("declaration"))
    };
    let begins = site.subtree().any(is_statement) || site.ancestors().any(is_statement);
    (begins && indent.chars().all(|it| matches!(it, ' ' | '\t'))).then_some(indent)
}

/// The comments inside an edit that no piece of it has.
fn lost<'p>(program: &'p Program, site: Node<'p>, edit: &Edit) -> Vec<&'p str> {
    let around = std::iter::once(site).chain(site.ancestors());
    let around = around.into_iter().find(|it| it.start() <= edit.range.start && edit.range.end <= it.end());
    let comments = around.into_iter().flat_map(Node::subtree).filter(|it| {
        let within = edit.range.start <= it.start() && it.end() <= edit.range.end;
        it.is_named() && it.kind().ends_with("comment") && within
    });
    let is_lost = |comment: &Node<'_>| {
        let text = program.of(*comment);
        // On a line of its own, it could name an encoding.
        !text.contains("coding")
            && !edit.pieces.iter().any(|piece| match piece {
                Piece::Text(new) => new.contains(text),
                Piece::Keep(range) | Piece::Shift { range, .. } => {
                    range.start <= comment.start() && comment.end() <= range.end
                }
            })
    };
    comments.filter(is_lost).map(|it| program.of(it)).collect()
}
