//! `declaration-merge`: writes two declarations as one.
//!
//! # What it does
//!
//! Two neighboring declarations of the same type become one.
//!
//! # Why behavior is kept
//!
//! The values are computed in the order of the names. In Go, which computes all values before it gives them, the
//! second value is one that always exists and that does not need the first name.
//!
//! # Example
//!
//! `int a = 1; int b = a;` become `int a = 1, b = a;`.
//!
//! # Where it does not apply
//!
//! Declarations with different types or modifiers, types that C++ or Java infers, or that C++ may find by the value
//! (`std::pair a(1, 2);`); pointers and arrays; comments between them.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::effects;
use super::super::grammar::{self, Declared, LANGUAGES};
use super::super::native;
use super::statement_swap::following;
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "declaration-merge",
    summary: "writes two declarations as one",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let all = program.root().descendants().filter(|it| grammar::is_declaration(*it));
    all.filter(|it| following(*it).is_some_and(|next| next.kind() == it.kind())).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let several = Refusal("one of them declares no name, or more than one");
    let next = following(site).ok_or(Refusal("no statement follows"))?;
    let (first, second) = (grammar::declared(site).ok_or(several)?, grammar::declared(next).ok_or(several)?);
    let ([first], [second]) = (&first[..], &second[..]) else { return Err(several) };
    let heads =
        [(site, first), (next, second)].map(|(it, one)| program.slice(it.start()..one.name.start()).trim());
    if !program.slice(site.end()..next.start()).trim_matches(';').trim().is_empty() {
        return Err(Refusal("a comment stands between them"));
    }
    if site.kind() == "short_var_declaration" {
        let (Some(left), Some(right)) = (first.value, second.value) else { return Err(several) };
        let is_new = |it: &Declared<'_>| {
            program.names().variable(it.name).is_some_and(|known| known.places[0] == it.name.number())
        };
        let needs = program
            .names()
            .mentioned(right)
            .into_iter()
            .any(|it| Some(it) == program.names().number(first.name));
        if !is_new(first) || !is_new(second) || needs || !effects::is_quiet(program, right) {
            return Err(Refusal("the second one needs the first one, or its value may be none"));
        }
        let kept = [first.name, second.name, left, right];
        return Ok(vec![expression(site.start()..next.end(), "$0, $1 := $2, $3", &kept)]);
    }
    let is_plain = heads.iter().all(|it| !it.contains(['*', '&', '(', '@']) && !it.contains("auto"));
    let is_inferred =
        program.language() == Language::Java && heads[0].split_whitespace().any(|it| it == "var");
    if heads[0] != heads[1] || !is_plain || is_inferred || program.language() == Language::Go {
        return Err(Refusal("they do not have the same plain type"));
    }
    let has_values = first.value.is_some() || second.value.is_some();
    let is_one = |it: Node<'_>| it.child("type").is_some_and(|it| native::is_one_type(program, it));
    if program.language() == Language::Cpp && has_values && !is_one(site) {
        return Err(Refusal("its type may be a template whose arguments its value says"));
    }
    let end = first.value.map_or(first.end, Node::end);
    Ok(vec![Edit::text(end..second.name.start(), ", ")])
}
