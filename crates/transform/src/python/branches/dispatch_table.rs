//! `dispatch-table`: looks for a value in a table of conditions and values.
//!
//! # What it does
//!
//! Each row of the table has a condition and a value, both as functions. A loop stops at the first row whose condition holds, and its
//! value is returned or assigned.
//!
//! # Why behavior is kept
//!
//! Conditions are asked in their order, up to the first one that holds, and only its value is computed. The last row always
//! holds.
//!
//! # Example
//!
//! `if a: return x` and `else: return y` become `for test, value in ((lambda: a, lambda: x), (lambda: True, lambda: y)):` with
//! `if test(): break` inside, and `return value()`.
//!
//! # Where it does not apply
//!
//! Branches that do more than return a value or assign to the same name; no `else`; what yields, awaits or assigns;
//! variables that may have no value; the body of a class.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::memory::Assignment;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// The rest of the templates is ours: `$0` to `$9` stand for nodes.
const MOST_ROWS: usize = 5;

pub(crate) static RULE: Rule = Rule {
    name: "dispatch-table",
    summary: "looks for a value in a table of conditions and values",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "if_statement").filter(|it| chosen(program, *it).is_some()).collect()
}

/// What the statement begins with, and the value of each branch, where all branches return or assign one.
fn chosen<'p>(program: &'p Program, statement: Node<'p>) -> Option<(String, Vec<Node<'p>>)> {
    let branches = code::branches(statement);
    branches.last().filter(|it| it.condition.is_none() && branches.len() > 1)?;
    let (mut before, mut chosen) = (None, Vec::new());
    for branch in branches {
        let mut nodes = branch.body.named();
        let only = nodes.next().filter(|_| nodes.next().is_none())?;
        let (word, value) = if only.kind() == "return_statement" {
            ("return".to_owned(), only.named().next()?)
        } else {
            let assignment = Assignment::of(program, only)?;
            (format!("{} =", program.of(assignment.target)), assignment.value)
        };
        if before.get_or_insert_with(|| word.clone()) != &word {
            return None;
        }
        chosen.push(value);
    }
    before.map(|before| (before, chosen))
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (before, chosen) = chosen(program, site).ok_or(Refusal("its branches do more"))?;
    code::may_add_names(site)?;
    let branches = code::branches(site);
    if branches.len() > MOST_ROWS {
        return Err(Refusal("it has too many branches"));
    }
    let (mut rows, mut kept) = (Vec::new(), Vec::new());
    for (branch, value) in branches.iter().zip(chosen) {
        let mut row = Vec::new();
        for node in branch.condition.into_iter().chain([value]) {
            values::may_be_called(program, node, &[])?;
            let asked = if branch.condition == Some(node) && values::is_asked_twice(program, node) {
                format!("True if {} else False", values::decided(node))
            } else {
                values::item(node).to_owned()
            };
            row.push(format!("lambda: {}", values::at(&asked, kept.len())));
            kept.push(node);
        }
        if row.len() == 1 {
            row.insert(0, "lambda: True".to_owned());
        }
        rows.push(format!("({})", row.join(", ")));
    }
    let (test, value) = (choices.name(), choices.name());
    let mut lines = code::lines(program, site)?;
    lines.line(0, &format!("for {test}, {value} in ({}):", rows.join(", ")), &kept);
    lines.line(1, &format!("if {test}():"), &[]).line(2, "break", &[]).line(
        0,
        &format!("{before} {value}()"),
        &[],
    );
    Ok(vec![lines.edit(site.range())])
}
