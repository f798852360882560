//! `layout-blank-lines`: puts blank lines between statements.
//!
//! # What it does
//!
//! A blank line stands before each statement that has its line for itself.
//!
//! # Why behavior is kept
//!
//! A line end beside another one means nothing in these languages.
//!
//! # Example
//!
//! Two statements on neighboring lines get a blank line between them.
//!
//! # Where it does not apply
//!
//! Statements that share their line; statements that follow a blank line.

use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::whole as candidates;
use crate::program::Program;
use crate::template::newline;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "layout-blank-lines",
    summary: "puts blank lines between statements",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let blocks = site.descendants().filter(|it| grammar::is_block(*it));
    let mut edits = Vec::new();
    for statement in blocks.flat_map(|it| grammar::statements(it).into_iter().skip(1)) {
        let before = &program.text()[..statement.start()];
        let start = before.trim_end_matches([' ', '\t']).len();
        let is_first = before[..start].ends_with('\n');
        let follows = before[..start].trim_end_matches(['\r', '\n']).len() + 2 >= start;
        if is_first && follows && !before[..start].ends_with("\n\n") && !before[..start].ends_with("\\\n") {
            edits.push(Edit::text(start - 1..start, format!("\n{}", newline(program))));
        }
    }
    if edits.is_empty() { Err(Refusal("no statement follows another one")) } else { Ok(edits) }
}
