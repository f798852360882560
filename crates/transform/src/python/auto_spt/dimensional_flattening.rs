//! `dimensional-array-flattening`: writes a list or a tuple as rows that are read by computed places.
//!
//! # What it does
//!
//! The items stand in rows of equal length. The list is read out of them by dividing its places by that length.
//!
//! # Why behavior is kept
//!
//! The items are computed once, in their order, as arguments.
//!
//! # Example
//!
//! `[a, b, c]` becomes `(lambda rows: [rows[at // 2][at % 2] for at in range(3)])([[a, b], [c]])`.
//!
//! # Where it does not apply
//!
//! Fewer than two items; `*items`; targets, annotations, patterns and f-strings.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// Longer lists stay as they are.
const MOST_ITEMS: usize = 60;

pub(crate) static RULE: Rule = Rule {
    name: "dimensional-array-flattening",
    summary: "writes a list or a tuple as rows that are read by computed places",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let displays =
        program.root().subtree().filter(|it| matches!(it.kind(), "list" | "tuple") && it.is_named());
    displays.filter(|it| items(*it).len() > 1 && values::is_value(*it)).collect()
}

fn items(display: Node<'_>) -> Vec<Node<'_>> {
    display.named().filter(|it| it.kind() != "comment").collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let items = items(site);
    if items.len() > MOST_ITEMS {
        return Err(Refusal("it has too many items"));
    }
    if items.iter().any(|it| it.kind() == "list_splat") {
        return Err(Refusal("an item stands for several"));
    }
    if site.ancestors().take_while(|it| !code::is_statement(*it)).any(|it| it.kind().ends_with("pattern")) {
        return Err(Refusal("it is a target"));
    }
    code::needs_builtins(program, &["range", "tuple"])?;
    let (rows, at, width) = (choices.name(), choices.name(), choices.below(items.len() - 1) + 1);
    let numbered: Vec<_> =
        items.iter().enumerate().map(|(at, it)| values::at(values::item(*it), at)).collect();
    let cells: Vec<_> = numbered.chunks(width).map(|row| format!("[{}]", row.join(", "))).collect();
    let read = format!("{rows}[{at} // {width}][{at} % {width}] for {at} in range({})", items.len());
    let read = if site.kind() == "list" { format!("[{read}]") } else { format!("tuple([{read}])") };
    Ok(vec![expression(site.range(), &format!("(lambda {rows}: {read})([{}])", cells.join(", ")), &items)])
}
