//! `layout-comments-removed`: removes comments.
//!
//! # What it does
//!
//! Comments go away, with their line where nothing else stands on it.
//!
//! # Why behavior is kept
//!
//! Python does not look at comments, but for those of the first two lines.
//!
//! # Example
//!
//! `a = 1  # the first` becomes `a = 1`.
//!
//! # Where it does not apply
//!
//! Comments of the first two lines that name an encoding or an interpreter.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::blanks_before;
use crate::program::Program;
use crate::python::code;
use crate::transformation::Rule;
use crate::{Choices, Edit};

pub(crate) static RULE: Rule = Rule {
    name: "layout-comments-removed",
    summary: "removes comments",
    languages: &[Language::Python],
    candidates,
    rewrite: |program, site, choices| Ok(vec![rewritten(program, site, choices)]),
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let speaks = |it: &Node<'_>| {
        program.line(it.start()) > 2
            || !program.of(*it).starts_with("#!") && !program.of(*it).contains("coding")
    };
    code::all(program, "comment").filter(speaks).collect()
}

fn rewritten(program: &Program, site: Node<'_>, _: &mut Choices) -> Edit {
    let text = program.text();
    if let Some(blanks) = blanks_before(program, site) {
        let end = text[site.end()..].find('\n').map(|at| site.end() + at + 1);
        return match end {
            Some(end) => Edit::text(blanks.start..end, ""),
            None => Edit::text(site.range(), ""),
        };
    }
    let start = text[..site.start()].trim_end_matches([' ', '\t', '\u{c}']).len();
    Edit::text(start..site.end(), "")
}
