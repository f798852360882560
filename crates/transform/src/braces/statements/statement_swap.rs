//! `statement-swap`: lets two neighboring statements change places.
//!
//! # What it does
//!
//! Two statements that stand one behind the other, and of which neither needs what the other does, change places.
//!
//! # Why behavior is kept
//!
//! Neither writes what the other one reads or writes. At least one of them only gives values to local variables that no
//! other code can see, by operators of built-in types that cannot fail ([`Deed`](super::super::effects::Deed)). Where the other
//! one raises, nobody sees what the first did to a local variable.
//!
//! # Example
//!
//! `int a = 1; int b = 2;` become `int b = 2; int a = 1;`.
//!
//! # Where it does not apply
//!
//! Statements inside a `try`; variables that inner functions use, to which a pointer or a reference may lead, which a
//! macro of a header may change, or which are `volatile`; structs of C as a whole, where their fields are named;
//! parameters of functions that ask for `arguments`; `await` and `yield`.

use familiar_syntax::tree::Node;

use super::super::code;
use super::super::effects::{self, deed};
use super::super::grammar::{self, LANGUAGES};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Piece, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "statement-swap",
    summary: "lets two neighboring statements change places",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let lists = code::lists(program).map(|it| grammar::statements(it));
    let mut firsts: Vec<_> = lists.flat_map(|all| all[..all.len().saturating_sub(1)].to_vec()).collect();
    firsts.sort_by_key(|it| it.number());
    firsts
}

/// The statement behind another one in its block.
pub(crate) fn following(statement: Node<'_>) -> Option<Node<'_>> {
    let list = grammar::siblings(statement)?;
    grammar::statements(list).into_iter().find(|it| it.start() >= statement.end())
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let next = following(site).ok_or(Refusal("no statement follows"))?;
    let known = Refusal("one of the statements does more than giving values");
    let (first, second) = (deed(program, site).ok_or(known)?, deed(program, next).ok_or(known)?);
    let are_apart = first.writes.is_disjoint(&second.reads)
        && first.writes.is_disjoint(&second.writes)
        && first.reads.is_disjoint(&second.writes);
    if !are_apart || hides(program, site, next) || hides(program, next, site) {
        return Err(Refusal("one of the statements needs what the other one does"));
    }
    if !first.is_quiet && !second.is_quiet {
        return Err(known);
    }
    if !(first.is_quiet && second.is_quiet) && effects::inside_try(site) {
        return Err(Refusal("code behind an exception may see a local variable"));
    }
    let between = program.slice(site.end()..next.start());
    if between.contains('#') {
        return Err(Refusal("a line of the preprocessor stands between the statements"));
    }
    let end = |it: Node<'_>| code::ended(program, it, 0).trim_start_matches("$0").to_owned();
    let pieces = vec![
        Piece::Keep(next.range()),
        Piece::Text(format!("{}{between}", end(next))),
        Piece::Keep(site.range()),
        Piece::Text(end(site)),
    ];
    Ok(vec![Edit { range: site.start()..next.end(), pieces }])
}

/// Whether one statement declares a name that stands in the other one.
fn hides(program: &Program, declaring: Node<'_>, other: Node<'_>) -> bool {
    let names = program.names();
    let declared = names.written(declaring).into_iter().chain(names.mentioned(declaring));
    let declared =
        declared.map(|it| &names.variables()[it]).filter(|it| declaring.holds(program.node(it.places[0])));
    let words: Vec<&str> = declared.map(|it| it.name.as_str()).collect();
    other.subtree().any(|it| it.children().next().is_none() && words.contains(&program.of(it)))
}
