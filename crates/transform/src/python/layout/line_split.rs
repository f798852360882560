//! `layout-line-split`: breaks lines behind the commas inside brackets.
//!
//! # What it does
//!
//! Each argument, parameter and item of a collection but the first one begins on a line of its own.
//!
//! # Why behavior is kept
//!
//! Inside brackets, Python does not look at line ends.
//!
//! # Example
//!
//! `f(a, b)` gets a line end behind its comma.
//!
//! # Where it does not apply
//!
//! Brackets without a comma; what an f-string holds; commas with a line end behind them.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::line_start;
use crate::program::Program;
use crate::template::newline;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "layout-line-split",
    summary: "breaks lines behind the commas inside brackets",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let kinds = [
        "argument_list",
        "parameters",
        "list",
        "tuple",
        "set",
        "dictionary",
        "tuple_pattern",
        "list_pattern",
    ];
    let brackets = program.root().subtree().filter(|it| kinds.contains(&it.kind()));
    let written = brackets.filter(|it| program.of(*it).ends_with([')', ']', '}']));
    written.filter(|it| breaks(*it).next().is_some()).collect()
}

/// Where a comma ends, and where what follows it begins.
fn breaks(brackets: Node<'_>) -> impl Iterator<Item = (usize, usize)> {
    let commas = brackets.children().filter(|it| it.kind() == ",");
    commas.filter_map(|comma| {
        Some((comma.end(), comma.next().filter(|it| it.is_named() && it.kind() != "comment")?.start()))
    })
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if site.ancestors().any(|it| it.kind() == "interpolation") {
        return Err(Refusal("it stands in an f-string"));
    }
    let line = &program.text()[line_start(program, site.start())..site.start()];
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    let indent = format!("{}{}        ", newline(program), &line[..blanks]);
    // The edit holds the comma, so that it has a length.
    let edits: Vec<_> = breaks(site)
        .filter(|(comma, next)| !program.slice(*comma..*next).contains(['\n', '\\', '#']))
        .map(|(comma, next)| Edit::text(comma - 1..next, format!(",{indent}")))
        .collect();
    if edits.is_empty() { Err(Refusal("its lines are broken already")) } else { Ok(edits) }
}
