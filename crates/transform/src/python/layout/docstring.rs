//! `layout-docstring`: writes docstrings as comments.
//!
//! # What it does
//!
//! Each line of a docstring becomes a comment in its place.
//!
//! # Why behavior is kept
//!
//! Nothing in the program reads docstrings.
//!
//! # Example
//!
//! `"""Counts."""` becomes `# Counts.`
//!
//! # Where it does not apply
//!
//! Programs that name `__doc__`, `doctest`, `help`, `argparse` or `Cmd`; texts that share a line.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::Piece;
use crate::program::Program;
use crate::python::code;
use crate::template::newline;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

const READERS: &[&str] = &["__doc__", "doctest", "help", "argparse", "docopt", "getdoc", "Cmd"];

pub(crate) static RULE: Rule = Rule {
    name: "layout-docstring",
    summary: "writes docstrings as comments",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let blocks = program.root().subtree().filter(|it| matches!(it.kind(), "block" | "module"));
    let homes = blocks.filter(|it| {
        it.kind() == "module" || it.parent().is_some_and(|it| it.kind().ends_with("_definition"))
    });
    let first = homes.filter_map(|it| code::statements(it).next());
    first
        .filter(|it| {
            code::is_text(*it) && it.named().count() == 1 && it.named().all(|it| it.kind() == "string")
        })
        .collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let indent = code::indent(program, site)?;
    if program.scopes().is_reflective() || READERS.iter().any(|it| program.words().contains(*it)) {
        return Err(Refusal("the program may read its docstrings"));
    }
    let text = program.of(site);
    let inner = text.trim_start_matches(|it: char| it.is_alphabetic()).trim_matches(['"', '\'']);
    let break_line = format!("{}{indent}", newline(program));
    let lines: Vec<_> = inner.lines().map(|it| format!("# {}", it.trim()).trim_end().to_owned()).collect();
    let mut new = if lines.is_empty() { "#".to_owned() } else { lines.join(&break_line) };
    let block = site.parent().ok_or(Refusal("it stands in no block"))?;
    if block.kind() != "module" && code::statements(block).count() == 1 {
        new = format!("{new}{break_line}pass");
    }
    // A comment of the first two lines may name an encoding.
    if program.line(site.start()) < 3 && new.contains("coding") {
        return Err(Refusal("it would read as the name of an encoding"));
    }
    Ok(vec![Edit { range: site.range(), pieces: vec![Piece::Text(new)] }])
}
