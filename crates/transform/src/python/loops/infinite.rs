//! `infinite-loop-spelling`: writes the condition of a loop without an end in another way.
//!
//! # What it does
//!
//! `while True` becomes `while 1`, `while not None` or `while ...`, and `while 1` becomes `while True`.
//!
//! # Why behavior is kept
//!
//! All of these are constants that are true.
//!
//! # Example
//!
//! `while True:` becomes `while 1:`.
//!
//! # Where it does not apply
//!
//! Conditions that are no constants.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code;
use crate::transformation::Rule;
use crate::{Choices, Edit};

pub(crate) static RULE: Rule = Rule {
    name: "infinite-loop-spelling",
    summary: "writes the condition of a loop without an end in another way",
    languages: &[Language::Python],
    candidates,
    rewrite: |program, site, choices| Ok(vec![rewritten(program, site, choices)]),
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let conditions = code::all(program, "while_statement").filter_map(|it| it.child("condition"));
    conditions.filter(|it| is_true(program, *it)).collect()
}

fn is_true(program: &Program, condition: Node<'_>) -> bool {
    let bare = code::bare(condition);
    let digits = || program.of(bare).bytes().all(|it| it.is_ascii_digit());
    bare.kind() == "true"
        || bare.kind() == "integer" && digits() && !program.of(bare).trim_matches('0').is_empty()
}

fn rewritten(_: &Program, site: Node<'_>, choices: &mut Choices) -> Edit {
    let other = match code::bare(site).kind() {
        "true" => ["1", "not None", "..."][choices.below(3)],
        _ => "True",
    };
    Edit::text(site.range(), other)
}
