//! `try-wrap`: puts the body of a function into a `try` that changes nothing.
//!
//! # What it does
//!
//! A statement moves into a `try` whose handler throws again what it caught.
//!
//! # Why behavior is kept
//!
//! What is caught is thrown again as it is, and the statement declares nothing. Java knows that the handler never
//! ends, so what is assigned in the `try` has a value behind it.
//!
//! # Example
//!
//! `f();` becomes `try { f(); } catch (RuntimeException e) { throw e; }`.
//!
//! # Where it does not apply
//!
//! Declarations, `return` and the like; statements that contain `yield` or `await`; functions of C++ that a compiler may
//! run; programs of C++ in which the end of an object may show: it does not end where nobody catches an exception. C and
//! Go, which have no exceptions.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar;
use super::super::{code, effects, limits};
use super::declaration_split::is_constant_function;
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "try-wrap",
    summary: "puts the body of a function into a `try` that changes nothing",
    languages: &[Language::Java, Language::Cpp, Language::JavaScript, Language::TypeScript],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let statements = code::all(program, &["expression_statement"]);
    statements.filter(|it| grammar::siblings(*it).is_some() && !grammar::is_empty(*it)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let deed = effects::deed(program, site).ok_or(Refusal("it is no plain statement"))?;
    let is_super = |it: Node<'_>| it.kind() == "super" || it.kind() == "explicit_constructor_invocation";
    if site.subtree().any(is_super) {
        return Err(Refusal("it may have to be the first statement"));
    }
    if program.language() == Language::Cpp {
        if is_constant_function(program, site) {
            return Err(Refusal("a compiler may run its function"));
        }
        if !deed.is_quiet && shows_ends(program) {
            return Err(Refusal("an exception that nobody catches would end objects"));
        }
    }
    let caught = choices.name();
    if limits::may_be_macro(program, site) {
        return Err(Refusal("it may be a macro that declares a name or leaves a loop"));
    }
    let mut lines = code::lines(program, site);
    lines.line(0, "try {", &[]).line(1, &code::ended(program, site, 0), &[site]);
    match program.language() {
        Language::Cpp => lines.line(0, "} catch (...) {", &[]).line(1, "throw;", &[]),
        Language::Java => {
            lines.line(0, &format!("}} catch (RuntimeException {caught}) {{"), &[]);
            lines.line(1, &format!("throw {caught};"), &[])
        }
        _ => lines.line(0, &format!("}} catch ({caught}) {{"), &[]).line(1, &format!("throw {caught};"), &[]),
    };
    lines.line(0, "}", &[]);
    Ok(vec![lines.edit(site.range())])
}

/// Types of the library of C++ that do more at their end than to give back memory.
const ENDING: &[&str] =
    &["fstream", "jthread", "ofstream", "osyncstream", "scope_exit", "shared_ptr", "unique_ptr", "wofstream"];

/// Whether a program of C++ may do something that is seen where an object ends.
fn shows_ends(program: &Program) -> bool {
    program.root().descendants().any(|it| match it.kind() {
        "destructor_name" => true,
        "preproc_include" => it.child("path").is_some_and(|it| it.kind() == "string_literal"),
        "type_identifier" => ENDING.contains(&program.of(it)),
        _ => false,
    })
}
