//! `modular-index-obfuscation`: counts a loop over a range in another unit, from another beginning.
//!
//! # What it does
//!
//! The loop runs over the multiples of a factor, moved by an offset. Its variable is computed back from them.
//!
//! # Why behavior is kept
//!
//! The new range has as many numbers as the old one, and each of them minus the offset is a multiple of the factor. `range` itself
//! checks its arguments, as before.
//!
//! # Example
//!
//! `for i in range(n):` becomes `for code in range(span.start * 5 + 3, span.stop * 5 + 3, span.step * 5):` with
//! `i = (code - 3) // 5` inside, where `span` is `range(n)`.
//!
//! # Where it does not apply
//!
//! Loops over other collections; the body of a class; where `range` means something else.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "modular-index-obfuscation",
    summary: "counts a loop over a range in another unit, from another beginning",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let ranged = |it: &Node<'_>| {
        let items = it.child("right").filter(|it| it.kind() == "call");
        items.and_then(|it| it.child("function")).is_some_and(|it| program.of(it) == "range")
    };
    code::all(program, "for_statement").filter(ranged).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (Some(target), Some(items), Some(body)) =
        (site.child("left"), site.child("right"), site.child("body"))
    else {
        return Err(Refusal("it is no whole loop"));
    };
    code::may_add_names(site)?;
    code::needs_builtins(program, &["range"])?;
    if site.children().any(|it| it.kind() == "async") {
        return Err(Refusal("it is an `async for`"));
    }
    let (span, code_name) = (choices.name(), choices.name());
    let (factor, offset) = (choices.below(11) + 3, choices.below(40) + 1);
    let mut lines = code::lines(program, site)?;
    lines.line(0, &format!("{span} = $0"), &[items]);
    let bounds = format!(
        "{span}.start * {factor} + {offset}, {span}.stop * {factor} + {offset}, {span}.step * {factor}"
    );
    lines.line(0, &format!("for {code_name} in range({bounds}):"), &[]);
    lines.line(1, &format!("$0 = ({code_name} - {offset}) // {factor}"), &[target]);
    lines.stretch(1, &code::stretch(program, body)?);
    code::add_else(program, &mut lines, site)?;
    Ok(vec![lines.edit(site.range())])
}
