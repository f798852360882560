//! `modular-state-interleaving`: asks the parts of a condition as functions whose places turn modulo their number.
//!
//! # What it does
//!
//! The operands of `and` or `or` become functions in a tuple, in an order that a step and an offset give. They are
//! called in the old order, as long as the condition is not decided.
//!
//! # Why behavior is kept
//!
//! No operand is called behind the one that decides, and a condition is asked for its truth alone.
//!
//! # Example
//!
//! `if a and b:` becomes `if (lambda tests, held=True: [held := held and bool(tests[(turn + 1) % 2]()) for turn in
//! range(2)][-1])((lambda: b, lambda: a)):`.
//!
//! # Where it does not apply
//!
//! Operands that yield, await or assign; variables that may have no value; the body of a class.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// More operands stay as they are.
const MOST_OPERANDS: usize = 8;

pub(crate) static RULE: Rule = Rule {
    name: "modular-state-interleaving",
    summary: "asks the parts of a condition as functions whose places turn",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let conditions = program.root().subtree().filter(|it| it.field() == Some("condition"));
    conditions.filter(|it| code::bare(*it).kind() == "boolean_operator").collect()
}

/// The operands of an operator and of the same operators to the left of it.
fn operands<'p>(operator: Node<'p>, sign: &str, out: &mut Vec<Node<'p>>) {
    let same = operator.kind() == "boolean_operator"
        && operator.child("operator").is_some_and(|it| it.kind() == sign);
    match (operator.child("left"), operator.child("right")) {
        (Some(left), Some(right)) if same => {
            operands(left, sign, out);
            operands(right, sign, out);
        }
        _ => out.push(operator),
    }
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let operator = code::bare(site);
    let sign = operator.child("operator").ok_or(Refusal("it has no operator"))?.kind();
    let mut parts = Vec::new();
    operands(operator, sign, &mut parts);
    let count = parts.len();
    if count > MOST_OPERANDS {
        return Err(Refusal("it has too many parts"));
    }
    code::needs_builtins(program, &["bool", "range"])?;
    for part in &parts {
        values::may_be_called(program, *part, &[])?;
    }
    let steps: Vec<_> = (1..count).filter(|step| (1..count).all(|turn| turn * step % count != 0)).collect();
    let (step, offset) = (steps[choices.below(steps.len())], choices.below(count - 1) + 1);
    let mut functions = vec![String::new(); count];
    for (at, part) in parts.iter().enumerate() {
        functions[(at * step + offset) % count] =
            format!("lambda: {}", values::at(&asked(program, *part), at));
    }
    let [tests, turn, held] = [choices.name(), choices.name(), choices.name()];
    // Not `all` or `any`: in a generator, an operand that raises `StopIteration` would raise something else.
    let start = if sign == "and" { "True" } else { "False" };
    let place = format!("({turn} * {step} + {offset}) % {count}");
    let asked =
        format!("[{held} := {held} {sign} bool({tests}[{place}]()) for {turn} in range({count})][-1]");
    Ok(vec![expression(
        site.range(),
        &format!("(lambda {tests}, {held}={start}: {asked})(({}))", functions.join(", ")),
        &parts,
    )])
}

/// The value of a part, or its truth where the value would ask its own parts twice.
fn asked(program: &Program, part: Node<'_>) -> String {
    if values::is_asked_twice(program, part) {
        format!("True if {} else False", values::decided(part))
    } else {
        values::item(part).to_owned()
    }
}
