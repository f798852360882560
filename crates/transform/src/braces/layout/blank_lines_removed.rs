//! `layout-blank-lines-removed`: removes blank lines.
//!
//! # What it does
//!
//! Lines with nothing but blanks go away.
//!
//! # Why behavior is kept
//!
//! A line end beside another one means nothing in these languages. Lines inside of texts and comments stay.
//!
//! # Example
//!
//! Two statements with a blank line between them stand on neighboring lines.
//!
//! # Where it does not apply
//!
//! Lines of a text, and lines that a backslash continues.

use familiar_syntax::tree::Node;

use super::super::grammar::LANGUAGES;
use super::{lines, whole as candidates};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "layout-blank-lines-removed",
    summary: "removes blank lines",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let blank = lines(program, site).into_iter().filter(|it| program.slice(it.clone()).trim().is_empty());
    let edits: Vec<_> = blank.map(|it| Edit::text(it, "")).collect();
    if edits.is_empty() { Err(Refusal("it has no blank lines")) } else { Ok(edits) }
}
