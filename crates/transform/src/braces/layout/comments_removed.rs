//! `layout-comments-removed`: removes comments.
//!
//! # What it does
//!
//! Comments go away, with their line where nothing else stands on it.
//!
//! # Why behavior is kept
//!
//! Compilers do not look at comments, but for those that speak to them. A comment of several lines leaves a line
//! end behind, which may end a statement of JavaScript or Go.
//!
//! # Example
//!
//! `a = 1; // the first` becomes `a = 1;`.
//!
//! # Where it does not apply
//!
//! Comments that name a rule of a tool, such as `//go:` and `@ts-ignore`; programs of Go with code of C.

use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "layout-comments-removed",
    summary: "removes comments",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    program.root().descendants().filter(|it| grammar::is_comment(*it)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let text = program.text();
    let own = program.of(site);
    let speaks = ["//go:", "+build", "//export", "@ts-", "///", "@jsx", "#cgo", "//line", "/*line"];
    let in_macro =
        site.ancestors().any(|it| it.kind().starts_with("preproc_") && !it.kind().starts_with("preproc_if"));
    if speaks.iter().any(|it| own.contains(it)) || text.contains("import \"C\"") || in_macro {
        return Err(Refusal("a compiler may look at it"));
    }
    let start = text[..site.start()].trim_end_matches([' ', '\t']).len();
    let rest = text[site.end()..].split('\n').next().unwrap_or_default();
    let is_last = rest.trim().is_empty();
    let is_first = start == 0 || text[..start].ends_with('\n');
    let edit = match (is_first, is_last) {
        (true, true) => {
            // The grammar of some languages counts the line end to the comment.
            let ends_line = own.ends_with('\n');
            let end = if ends_line { site.end() } else { (site.end() + rest.len() + 1).min(text.len()) };
            Edit::text(start..end, "")
        }
        (false, true) if !own.ends_with('\n') => Edit::text(start..site.end(), ""),
        _ if own.contains('\n') => Edit::text(site.range(), "\n"),
        _ => Edit::text(site.range(), " "),
    };
    Ok(vec![edit])
}
