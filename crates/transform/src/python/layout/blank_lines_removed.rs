//! `layout-blank-lines-removed`: removes blank lines.
//!
//! # What it does
//!
//! Lines that have nothing but blanks go away, where they are not part of a text.
//!
//! # Why behavior is kept
//!
//! Python does not look at blank lines.
//!
//! # Example
//!
//! A blank line between `a = 1` and `b = 2` goes away.
//!
//! # Where it does not apply
//!
//! Programs without blank lines.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::whole as candidates;
use crate::program::Program;
use crate::python::code;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "layout-blank-lines-removed",
    summary: "removes blank lines",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, _: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let texts: Vec<_> = code::all(program, "string").map(Node::range).collect();
    let (mut edits, mut at, mut continues) = (Vec::new(), 0, false);
    let kept = kept_blanks(program.text());
    for (number, line) in program.text().split_inclusive('\n').enumerate() {
        let range = at..at + line.len();
        at = range.end;
        let inside = texts.iter().any(|it| it.start < range.start && range.start < it.end);
        if line.trim().is_empty() && !continues && !inside && number >= kept {
            edits.push(Edit::text(range, ""));
        }
        continues = line.trim_end().ends_with('\\');
    }
    if edits.is_empty() { Err(Refusal("it has no blank lines")) } else { Ok(edits) }
}

/// The number of lines whose blank ones stay: a comment of the first two lines may name an encoding, and this one does not yet.
fn kept_blanks(text: &str) -> usize {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).take(2);
    let moved = lines.find(|(number, line)| *number > 1 && line.starts_with('#') && line.contains("coding"));
    moved.map_or(0, |(number, _)| number)
}
