//! `try-wrap`: puts the body of a function into a `try` that changes nothing.
//!
//! # What it does
//!
//! The statements stand inside a `try`. What it catches is raised again, or it only ends with `finally: pass`.
//!
//! # Why behavior is kept
//!
//! `raise` without a value raises what was caught, the same object. `pass` does nothing.
//!
//! # Example
//!
//! `def f(a): return g(a)` becomes `def f(a):` with `try: return g(a)` and `except Exception: raise` inside.
//!
//! # Where it does not apply
//!
//! Bodies that share a line with other code; where `Exception` or `BaseException` mean something else.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::{code, memory};
use crate::template::Lines;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "try-wrap",
    summary: "puts the body of a function into a try that changes nothing",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let bodies = code::all(program, "function_definition").filter_map(|it| it.child("body"));
    bodies.filter(|it| memory::working(*it).next().is_some()).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    code::needs_builtins(program, &["Exception", "BaseException"])?;
    let working: Vec<_> = memory::working(site).collect();
    let (Some(first), Some(last)) = (working.first(), working.last()) else {
        return Err(Refusal("it has no statements"));
    };
    code::indent(program, *last)?;
    let mut lines = Lines::new(program, code::indent(program, *first)?, code::unit(program)?);
    lines.line(0, "try:", &[]).stretch(1, &code::stretch_of(program, *first, *last)?);
    match choices.below(3) {
        0 => lines.line(0, "except Exception:", &[]).line(1, "raise", &[]),
        1 => lines.line(0, "except BaseException:", &[]).line(1, "raise", &[]),
        _ => lines.line(0, "finally:", &[]).line(1, "pass", &[]),
    };
    Ok(vec![lines.edit(first.start()..last.end())])
}
