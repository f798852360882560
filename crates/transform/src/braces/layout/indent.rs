//! `layout-indent`: indents with tabs in the place of blanks, and the other way round.
//!
//! # What it does
//!
//! Each level of indentation by blanks becomes a tab, and each tab becomes blanks.
//!
//! # Why behavior is kept
//!
//! What stands at the beginning of a line means nothing in these languages. Lines inside of texts and comments
//! stay.
//!
//! # Example
//!
//! `    return a;` gets a tab in the place of its four blanks.
//!
//! # Where it does not apply
//!
//! Lines of a text, and lines that a backslash continues.

use familiar_syntax::tree::Node;

use super::super::code;
use super::super::grammar::LANGUAGES;
use super::{lines, whole as candidates};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "layout-indent",
    summary: "indents with tabs in the place of blanks, and the other way round",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let unit = code::unit(program);
    let new = if unit == "\t" { ["  ", "    "][choices.below(2)] } else { "\t" };
    let mut edits = Vec::new();
    for line in lines(program, site) {
        let text = program.slice(line.clone());
        let blanks = text.len() - text.trim_start_matches([' ', '\t']).len();
        let indent = &text[..blanks];
        if !text.trim().is_empty() && indent.contains(unit) {
            edits.push(Edit::text(line.start..line.start + blanks, indent.replace(unit, new)));
        }
    }
    if edits.is_empty() { Err(Refusal("it has no indented lines")) } else { Ok(edits) }
}
