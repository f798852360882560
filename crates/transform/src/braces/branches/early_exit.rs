//! `conditional-early-exit`: moves code out of an else, or into one, behind a branch that leaves.
//!
//! # What it does
//!
//! Where the first branch returns, throws, breaks or continues in any case, the code of the `else` moves behind the
//! `if`, as a block where it declares names. Where there is no `else`, the code behind the `if` moves into one.
//!
//! # Why behavior is kept
//!
//! Control reaches the end of an `if` only through the other branch.
//!
//! # Example
//!
//! `if (a) { return 1; } else { return 2; }` becomes `if (a) { return 1; } return 2;`.
//!
//! # Where it does not apply
//!
//! Branches that may reach their end; `else if`; code behind the `if` that declares functions, or names that other code
//! knows; in C++, code that returns an object which it declares, since compilers may copy it then.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::super::{code, types};
use super::if_else_flip::binds;
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "conditional-early-exit",
    summary: "moves code out of an else, or into one, behind a branch that leaves",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let all = code::all(program, &["if_statement"]);
    all.filter(|it| grammar::siblings(*it).is_some()).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let parts = grammar::branches(site).ok_or(Refusal("its condition declares a variable"))?;
    if !code::leaves(parts.then) || binds(parts.condition) || parts.initializer.is_some() {
        return Err(Refusal("its first branch may reach its end, or its condition binds a name"));
    }
    if program.language() == Language::Java && !code::varies(program, parts.condition) {
        return Err(Refusal("its condition may be a constant"));
    }
    let mut lines = code::lines(program, site);
    lines.line(0, &code::head(program, "if", "$0"), &[parts.condition]);
    code::add_body(program, &mut lines, 1, parts.then);
    match parts.otherwise {
        Some(other) if grammar::is_block(other) => {
            lines.line(0, "}", &[]);
            let declares = grammar::statements(other).iter().any(|it| {
                grammar::is_declaration(*it)
                    || it.kind().contains("declaration")
                    || it.kind().ends_with("_specifier")
                    || it.kind() == "type_definition"
            });
            if declares {
                lines.line(0, "{", &[]);
            }
            code::add_body(program, &mut lines, usize::from(declares), other);
            if declares {
                lines.line(0, "}", &[]);
            }
            Ok(vec![lines.edit(site.range())])
        }
        Some(_) => Err(Refusal("its `else` is no block")),
        None => {
            let list = grammar::siblings(site).ok_or(Refusal("it stands in no block"))?;
            let rest: Vec<_> =
                grammar::content(list).into_iter().filter(|it| it.start() >= site.end()).collect();
            let (Some(first), Some(last)) = (rest.first(), rest.last()) else {
                return Err(Refusal("nothing follows"));
            };
            let is_hoisted = |it: &Node<'_>| {
                matches!(
                    it.kind(),
                    "function_declaration"
                        | "generator_function_declaration"
                        | "class_declaration"
                        | "case_statement"
                        | "labeled_statement"
                        | "fallthrough_statement"
                )
            };
            if rest.iter().any(is_hoisted) || grammar::is_comment(*first) {
                return Err(Refusal("what follows is no plain code"));
            }
            if code::are_known_outside(program, &rest) {
                return Err(Refusal("other code knows a name that what follows declares"));
            }
            if program.language() == Language::Cpp && gives_own_object(program, &rest) {
                return Err(Refusal("an object that is returned may be copied"));
            }
            let stretch = code::stretch_of(program, *first, *last);
            lines.line(0, "} else {", &[]).stretch(1, &stretch).line(0, "}", &[]);
            Ok(vec![lines.edit(site.start()..stretch.range.end)])
        }
    }
}

/// Containers of C++ whose items stay where they are when the container moves.
const STAYING: &[&str] = &["vector", "string", "map", "set", "unordered_map", "unordered_set"];

/// Whether statements of C++ return an object that they declare, and that is no number and no plain container.
fn gives_own_object(program: &Program, statements: &[Node<'_>]) -> bool {
    let nodes = || statements.iter().flat_map(|it| it.subtree());
    let returns = nodes().filter(|it| it.kind() == "return_statement");
    let mut values = returns.filter_map(|it| it.named().find(|it| !grammar::is_comment(*it)));
    values.any(|value| {
        let Some(variable) = program.names().variable(grammar::bare(value)) else { return false };
        let declaration = program.node(variable.declaration);
        let kind = types::declaration_of(declaration).and_then(|it| it.child("type"));
        let word = kind.map_or("", |it| program.of(it)).trim_start_matches("std::");
        let stays = STAYING.contains(&word.split('<').next().unwrap_or_default());
        statements.iter().any(|it| it.holds(declaration))
            && !stays
            && !types::of(program, value).is_primitive()
            && !kind.is_some_and(|it| matches!(it.kind(), "primitive_type" | "sized_type_specifier"))
    })
}
