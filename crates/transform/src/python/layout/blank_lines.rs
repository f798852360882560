//! `layout-blank-lines`: puts blank lines between statements.
//!
//! # What it does
//!
//! A blank line stands before each statement that has one before it in its block, where there is none yet.
//!
//! # Why behavior is kept
//!
//! Python does not look at blank lines.
//!
//! # Example
//!
//! `a = 1` and `b = 2` get a blank line in between.
//!
//! # Where it does not apply
//!
//! Blocks of one statement; statements that share a line.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{blanks_before, whole as candidates};
use crate::program::Program;
use crate::python::code;
use crate::template::newline;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "layout-blank-lines",
    summary: "puts blank lines between statements",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let mut edits = Vec::new();
    let blocks = site.subtree().filter(|it| matches!(it.kind(), "block" | "module"));
    for statement in blocks.flat_map(|it| code::statements(it).skip(1)) {
        let Some(blanks) = blanks_before(program, statement) else { continue };
        let before = &program.text()[..blanks.start];
        if before.trim_end_matches([' ', '\t', '\r', '\n']).len() + 2 < before.len() || before.is_empty() {
            continue;
        }
        edits.push(Edit::text(blanks.start - 1..blanks.start, format!("\n{}", newline(program))));
    }
    if edits.is_empty() { Err(Refusal("no statement follows another one")) } else { Ok(edits) }
}
