//! `layout-indent`: indents with tabs in the place of blanks, and the other way round.
//!
//! # What it does
//!
//! Each statement begins with one tab for each block that it stands in. Where the program has tabs, two or four blanks take the
//! place of one.
//!
//! # Why behavior is kept
//!
//! Python asks only which lines are indented further than others. Lines inside brackets are indented further than their statement; lines inside texts stay as they are.
//!
//! # Example
//!
//! Four blanks before `return x` become a tab.
//!
//! # Where it does not apply
//!
//! Programs without blocks on lines of their own; those that mix tabs and blanks.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{blanks_before, whole as candidates};
use crate::program::Program;
use crate::python::code;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "layout-indent",
    summary: "indents with tabs in the place of blanks, and the other way round",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let unit = code::unit(program)?;
    let new = if unit == "\t" { ["  ", "    "][choices.below(2)] } else { "\t" };
    let clauses = ["elif_clause", "else_clause", "except_clause", "finally_clause", "case_clause"];
    let starts = site
        .subtree()
        .filter(|it| code::is_statement(*it) || clauses.contains(&it.kind()) || it.kind() == "decorator");
    let depth = |node: Node<'_>| node.ancestors().filter(|it| it.kind() == "block").count();
    let firsts = starts.filter_map(|it| blanks_before(program, it).map(|blanks| (blanks, depth(it))));
    let firsts: Vec<_> = firsts.collect();
    let mut edits: Vec<Edit> = Vec::new();
    for (blanks, depth) in firsts.iter().filter(|it| !it.0.is_empty()) {
        if edits.last().is_none_or(|it| it.range != *blanks) {
            edits.push(Edit::text(blanks.clone(), new.repeat(*depth)));
        }
    }
    if edits.is_empty() {
        return Err(Refusal("it has no indented lines"));
    }
    let texts: Vec<_> = code::all(program, "string").map(Node::range).collect();
    let mut at = 0;
    for line in program.text().split_inclusive('\n') {
        let start = at;
        at += line.len();
        let blanks = start..start + line.len() - line.trim_start_matches([' ', '\t']).len();
        let inside = texts.iter().any(|it| it.start < start && start < it.end);
        if inside || blanks.is_empty() || line.trim().is_empty() || line.trim().starts_with('#') {
            continue;
        }
        let place = firsts.partition_point(|it| it.0.start <= start);
        if let Some((first, depth)) = place.checked_sub(1).map(|it| &firsts[it])
            && first.start != start
        {
            edits.push(Edit::text(blanks, new.repeat(*depth + 2)));
        }
    }
    Ok(edits)
}
