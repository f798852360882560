//! `member-reorder`: lets neighboring functions change places.
//!
//! # What it does
//!
//! Two neighboring functions, or methods of a class, change places.
//!
//! # Why behavior is kept
//!
//! Functions are known in all of their class, their module or their package. In C and C++ outside of classes, where
//! a name is known behind its declaration only, neither names the other one.
//!
//! # Example
//!
//! `int f() { … } int g() { … }` becomes `int g() { … } int f() { … }`.
//!
//! # Where it does not apply
//!
//! Functions with annotations, decorators or comments between them; a first function behind a decorator, a signature or
//! a comment that speaks to a tool, such as `//go:noinline`; functions of the same name; computed names; functions of
//! C++ with `auto` for what they give; functions of C and C++ that declare a type in their head,
//! and those that a macro names.

use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::super::limits;
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Piece, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "member-reorder",
    summary: "lets neighboring functions change places",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let all: Vec<_> = program.root().descendants().filter(|it| is_member(*it)).collect();
    let mut taken = 0;
    // One pair after the other, so that no function stands in two of them.
    let pairs = all.into_iter().filter(|it| {
        let fits = it.start() >= taken && it.next().is_some_and(is_member);
        if fits {
            taken = it.next().map_or(taken, Node::end);
        }
        fits
    });
    pairs.collect()
}

fn is_member(node: Node<'_>) -> bool {
    let is_listed = node.parent().is_some_and(|it| {
        grammar::is_class_body(it) || it.parent().is_none() || it.kind() == "declaration_list"
    });
    is_listed
        && matches!(
            node.kind(),
            "method_declaration" | "function_definition" | "function_declaration" | "method_definition"
        )
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let next = site.next().filter(|it| is_member(*it)).ok_or(Refusal("no function follows"))?;
    let names = [site, next].map(|it| name(program, it));
    let [Some(first), Some(second)] = names else { return Err(Refusal("one of them has no plain name")) };
    let in_class = site.parent().is_some_and(grammar::is_class_body);
    let names_it = |node: Node<'_>, name: &str| {
        node.descendants().any(|it| it.children().next().is_none() && program.of(it) == name)
    };
    if first == second
        || grammar::is_c(program.language()) && !in_class && (names_it(next, first) || names_it(site, second))
    {
        return Err(Refusal("one of them needs the other one before it"));
    }
    if grammar::is_c(program.language())
        && !in_class
        && [first, second].iter().any(|it| is_in_macro(program, it))
    {
        return Err(Refusal("a macro names one of them"));
    }
    // What hides the meaning of the second one hides it for the first one too.
    limits::check(program, next)?;
    // C++ knows what a function with `auto` gives only behind it.
    let gives_auto = |it: Node<'_>| {
        it.child("type").is_some_and(|it| program.of(it).contains("auto"))
            && !it.descendants().any(|it| it.kind() == "trailing_return_type")
    };
    if grammar::is_c(program.language()) && [site, next].into_iter().any(gives_auto) {
        return Err(Refusal("what one of them gives is known only behind it"));
    }
    // `struct S { … } first(void)` declares a type for what follows.
    let gives_type = |it: Node<'_>| {
        let head = it.children().take_while(|it| it.field() != Some("body"));
        head.flat_map(Node::subtree)
            .any(|it| it.kind() == "enumerator_list" || it.kind() == "field_declaration_list")
    };
    if grammar::is_c(program.language()) && [site, next].into_iter().any(gives_type) {
        return Err(Refusal("one of them declares a type"));
    }
    if next.descendants().any(|it| it.kind() == "decorator") {
        return Err(Refusal("one of them is decorated"));
    }
    belongings(program, site, next)?;
    let between = program.slice(site.end()..next.start());
    if !between.trim_matches(';').trim().is_empty() {
        return Err(Refusal("a comment stands between them"));
    }
    let pieces = vec![Piece::Keep(next.range()), Piece::Text(between.to_owned()), Piece::Keep(site.range())];
    Ok(vec![Edit { range: site.start()..next.end(), pieces }])
}

/// Whether a macro has this name in what it stands for, so that code may need the name without having it.
fn is_in_macro(program: &Program, name: &str) -> bool {
    let mut all = program.root().descendants().filter(|it| it.kind() == "preproc_arg");
    all.any(|it| program.of(it).split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name))
}

/// Refuses where something that belongs to a function stands before the first one or behind the second one.
fn belongings(program: &Program, first: Node<'_>, second: Node<'_>) -> Result<(), Refusal> {
    for before in std::iter::successors(first.previous(), |it| it.previous()) {
        if before.kind() == ";" {
            continue;
        }
        if !grammar::is_comment(before) {
            return match before.kind() {
                "decorator" => Err(Refusal("one of them is decorated")),
                "function_signature" | "method_signature" | "abstract_method_signature" => {
                    Err(Refusal("a signature stands before it"))
                }
                "preproc_call" => Err(Refusal("a line of the preprocessor may belong to it")),
                _ => Ok(()),
            };
        }
        if speaks_to_tools(program.of(before)) {
            return Err(Refusal("a comment before it speaks to a tool"));
        }
    }
    let behind = second
        .next()
        .filter(|it| grammar::is_comment(*it) && !program.slice(second.end()..it.start()).contains('\n'));
    match behind {
        Some(comment) if speaks_to_tools(program.of(comment)) => {
            Err(Refusal("a comment behind it speaks to a tool"))
        }
        _ => Ok(()),
    }
}

/// Whether a comment is no text for people alone: `//go:noinline`, `@ts-expect-error`, `eslint-disable-next-line`.
fn speaks_to_tools(comment: &str) -> bool {
    const WORDS: [&str; 13] = [
        "@ts-",
        "eslint",
        "tslint",
        "-ignore",
        "-disable",
        "ignore next",
        "#__",
        "@__",
        "//export",
        "//extern",
        "+build",
        "NOLINT",
        "NOSONAR",
    ];
    // `//go:noinline`, `//lint:ignore`: no blank, and a word with a colon.
    let is_directive = comment.strip_prefix("//").is_some_and(|it| {
        let word = it.split_whitespace().next().unwrap_or_default();
        it.starts_with(|c: char| c.is_ascii_lowercase()) && word.contains(':')
    });
    is_directive || WORDS.iter().any(|it| comment.contains(it))
}

fn name<'p>(program: &'p Program, function: Node<'_>) -> Option<&'p str> {
    let mut node = function.child("name").or_else(|| function.child("declarator"))?;
    while let Some(inner) = node.child("declarator") {
        node = inner;
    }
    node.kind().ends_with("identifier").then(|| program.of(node))
}
