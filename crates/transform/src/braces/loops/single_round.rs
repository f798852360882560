//! `single-round-loop`: puts a statement into a loop of one round.
//!
//! # What it does
//!
//! A statement moves into a loop that runs exactly once.
//!
//! # Why behavior is kept
//!
//! The statement neither declares anything nor leaves the loop. Java knows that a `do` loop runs, so what is
//! assigned in it has a value.
//!
//! # Example
//!
//! `x = 1;` becomes `do { x = 1; } while (false);`.
//!
//! # Where it does not apply
//!
//! Declarations, `return`, `break` and the like; statements that contain `yield` or `await`; in C and C++, calls of what
//! may be a macro of a header of the program.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::super::{code, effects, limits};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "single-round-loop",
    summary: "puts a statement into a loop of one round",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let kinds = &["expression_statement", "assignment_statement", "inc_statement", "dec_statement"];
    code::all(program, kinds)
        .filter(|it| grammar::siblings(*it).is_some() && !grammar::is_empty(*it))
        .collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if effects::deed(program, site).is_none() {
        return Err(Refusal("it is no plain statement"));
    }
    if limits::may_be_macro(program, site) {
        return Err(Refusal("it may be a macro that declares a name or leaves a loop"));
    }
    let mut lines = code::lines(program, site);
    let inner = code::ended(program, site, 0);
    match program.language() {
        Language::Go => {
            let once = choices.name();
            lines.line(0, &format!("for {once} := true; {once}; {once} = false {{"), &[]);
            lines.line(1, &inner, &[site]).line(0, "}", &[]);
        }
        language => {
            let end = if language == Language::C { "} while (0);" } else { "} while (false);" };
            lines.line(0, "do {", &[]).line(1, &inner, &[site]).line(0, end, &[]);
        }
    }
    Ok(vec![lines.edit(site.range())])
}
