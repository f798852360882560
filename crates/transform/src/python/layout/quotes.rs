//! `layout-quotes`: writes texts with the other quotes.
//!
//! # What it does
//!
//! `"` and `'` around a text change places, and so do three of them.
//!
//! # Why behavior is kept
//!
//! Both quotes mean the same, and the text has neither of them inside.
//!
//! # Example
//!
//! `"name"` becomes `'name'`.
//!
//! # Where it does not apply
//!
//! F-strings and what they hold; texts with quotes inside, or right beside another text.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "layout-quotes",
    summary: "writes texts with the other quotes",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "string").filter(|it| !it.ancestors().any(|it| it.kind() == "interpolation")).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let text = program.of(site);
    let (prefix, quoted) = text.split_at(text.find(['"', '\'']).ok_or(Refusal("it has no quotes"))?);
    if prefix.contains(['f', 'F', 't', 'T']) {
        return Err(Refusal("it is an f-string"));
    }
    let is_quote = |it: Option<char>| matches!(it, Some('"' | '\''));
    let before = program.slice(0..site.start()).chars().next_back();
    let after = program.slice(site.end()..program.text().len()).chars().next();
    if is_quote(before) || is_quote(after) {
        return Err(Refusal("another text stands right beside it"));
    }
    let quote = &quoted[..1];
    let mark = if quoted.len() > 5 && quoted.starts_with(&quote.repeat(3)) {
        quote.repeat(3)
    } else {
        quote.to_owned()
    };
    let inner = quoted
        .strip_prefix(&mark)
        .and_then(|it| it.strip_suffix(&mark))
        .ok_or(Refusal("it has no quotes"))?;
    if inner.contains(['"', '\'']) || inner.ends_with('\\') {
        return Err(Refusal("it has quotes inside"));
    }
    let other = mark.replace(['"', '\''], if quote == "\"" { "'" } else { "\"" });
    Ok(vec![Edit::text(site.range(), format!("{prefix}{other}{inner}{other}"))])
}
