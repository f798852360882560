//! `string-building`: puts texts together in another way.
//!
//! # What it does
//!
//! An f-string becomes a sum of texts and of what `format` gives. `a + b` becomes `"".join((a, b))`, and `str(x)` becomes `"%s" % (x,)`.
//!
//! # Why behavior is kept
//!
//! An f-string calls `format` for each value, in this order. Both sides of a sum are known to be texts.
//!
//! # Example
//!
//! `f"{name}: {size:.2f}"` becomes `(format(name, "") + ": " + format(size, ".2f"))`.
//!
//! # Where it does not apply
//!
//! F-strings with `=`, with escapes, with nested formats or in several lines; sums of what is not known to be text; texts that stand beside other texts; programs
//! with a class of their own for texts.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::is_plain_value;
use crate::program::Program;
use crate::python::types::{self, Type};
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "string-building",
    summary: "puts texts together in another way",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let nodes = program.root().subtree().filter(|it| is_plain_value(*it));
    nodes.filter(|it| is_format(*it) || is_sum(program, *it) || shown(program, *it).is_some()).collect()
}

fn is_format(node: Node<'_>) -> bool {
    node.kind() == "string" && node.named().any(|it| it.kind() == "interpolation")
}

fn is_sum(program: &Program, node: Node<'_>) -> bool {
    let is_text = |side: &str| node.child(side).is_some_and(|it| types::of(program, it) == Type::Str);
    node.kind() == "binary_operator"
        && node.child("operator").is_some_and(|it| it.kind() == "+")
        && is_text("left")
        && is_text("right")
}

/// The argument of `str`.
fn shown<'p>(program: &Program, node: Node<'p>) -> Option<Node<'p>> {
    let function = node.child("function").filter(|_| node.kind() == "call")?;
    let mut arguments = node.child("arguments").filter(|it| it.kind() == "argument_list")?.named();
    let only = arguments.next().filter(|_| arguments.next().is_none())?;
    let plain = !only.kind().ends_with("splat") && !matches!(only.kind(), "keyword_argument" | "comment");
    (plain && program.scopes().is_builtin(program, function, "str")).then_some(only)
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if types::has_own_texts(program) {
        return Err(Refusal("a text may be of a class of the program"));
    }
    if let Some(value) = shown(program, site) {
        return Ok(vec![expression(
            site.range(),
            &format!("(\"%s\" % ({},))", values::item(value)),
            &[value],
        )]);
    }
    if let (Some(left), Some(right)) = (site.child("left"), site.child("right")) {
        let both = format!("\"\".join(({}, {}))", values::item(left), values::at(values::item(right), 1));
        return Ok(vec![expression(site.range(), &both, &[left, right])]);
    }
    formatted(program, site)
}

fn formatted(program: &Program, site: Node<'_>) -> Result<Vec<Edit>, Refusal> {
    const ESCAPES: Refusal = Refusal("it has escapes, several lines or a prefix");
    let text = program.of(site);
    let quote = text.strip_prefix(['f', 'F']).and_then(|it| it.chars().next()).ok_or(ESCAPES)?;
    if text.contains(['\\', '\n']) || text[1..].starts_with(&quote.to_string().repeat(3)) {
        return Err(ESCAPES);
    }
    code::needs_builtins(program, &["format", "str", "repr", "ascii"])?;
    let (mut parts, mut kept) = (Vec::new(), Vec::new());
    for child in site.named() {
        match child.kind() {
            "string_content" => {
                let plain = program.of(child).replace("{{", "{").replace("}}", "}").replace('$', "\u{0}");
                parts.push(format!("{quote}{plain}{quote}"));
            }
            "interpolation" => {
                parts.push(part(program, child, quote, kept.len())?);
                kept.extend(child.child("expression"));
            }
            _ => {}
        }
    }
    if kept.len() > 9 || parts.iter().any(|it| it.contains('\u{0}')) {
        return Err(Refusal("it has too many parts"));
    }
    Ok(vec![expression(site.range(), &format!("({})", parts.join(" + ")), &kept)])
}

/// What `format` gives for the value with the number `at`.
fn part(program: &Program, interpolation: Node<'_>, quote: char, at: usize) -> Result<String, Refusal> {
    let value = interpolation.child("expression").ok_or(Refusal("it has no value"))?;
    if interpolation.children().any(|it| it.kind() == "=") {
        return Err(Refusal("it shows the code of a value"));
    }
    let specifier = interpolation.child("format_specifier");
    if specifier.is_some_and(|it| it.named().next().is_some()) {
        return Err(Refusal("its format is computed"));
    }
    let specifier = specifier.map_or("", |it| program.of(it));
    let specifier = specifier.strip_prefix(':').unwrap_or(specifier);
    let value = values::at(values::item(value), at);
    let converted = match interpolation.child("type_conversion").map(|it| program.of(it)) {
        Some("!r") => format!("repr({value})"),
        Some("!s") => format!("str({value})"),
        Some("!a") => format!("ascii({value})"),
        _ => value,
    };
    Ok(format!("format({converted}, {quote}{specifier}{quote})"))
}
