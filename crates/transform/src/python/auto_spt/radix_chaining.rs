//! `exponential-base-conversion`: writes a whole number as a sum of the powers of a base.
//!
//! # What it does
//!
//! A literal becomes the sum of its digits in a base, each times a power of the base. The base follows from how many
//! digits there are. Inside loops, where that would be slow, `int` reads the digits.
//!
//! # Why behavior is kept
//!
//! The digits are those of the number, so the sum is the number.
//!
//! # Example
//!
//! `10` becomes `sum(digit * (len((0, 1, 0, 1)) - 2) ** place for place, digit in enumerate((0, 1, 0, 1)))`.
//!
//! # Where it does not apply
//!
//! Numbers from 2³² on; annotations, patterns and f-strings; where `sum` or `enumerate` mean something else.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "exponential-base-conversion",
    summary: "writes a whole number as a sum of the powers of a base",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "integer").filter(|it| values::is_value(*it)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let number: u32 = program.of(site).parse().map_err(|_| Refusal("it is no decimal number below 2³²"))?;
    code::needs_builtins(program, &["sum", "enumerate", "len", "int"])?;
    let base = choices.below(5) as u32 + 2;
    let digits: Vec<_> = digits_of(number, base).iter().map(ToString::to_string).collect();
    let count = digits.len() as u32;
    let digits = if count == 1 { format!("({},)", digits[0]) } else { format!("({})", digits.join(", ")) };
    let radix = match base.cmp(&count) {
        std::cmp::Ordering::Less => format!("(len({digits}) - {})", count - base),
        std::cmp::Ordering::Equal => format!("len({digits})"),
        std::cmp::Ordering::Greater => format!("(len({digits}) + {})", base - count),
    };
    if is_repeated(site) {
        let digits: String = digits_of(number, base).iter().rev().map(ToString::to_string).collect();
        let unit = "x".repeat(base as usize);
        return Ok(vec![expression(site.range(), &format!("int(\"{digits}\", len(\"{unit}\"))"), &[])]);
    }
    let (place, digit) = (choices.name(), choices.name());
    let sum = format!("sum({digit} * {radix} ** {place} for {place}, {digit} in enumerate({digits}))");
    Ok(vec![expression(site.range(), &sum, &[])])
}

/// The digits of a number, the lowest first.
fn digits_of(number: u32, base: u32) -> Vec<u32> {
    let mut digits = Vec::new();
    let mut rest = number;
    while rest > 0 || digits.is_empty() {
        digits.push(rest % base);
        rest /= base;
    }
    digits
}

/// Whether a loop or a comprehension computes the expression again and again.
fn is_repeated(site: Node<'_>) -> bool {
    let inside = site.ancestors().take_while(|it| it.kind() != "function_definition");
    inside.into_iter().any(|it| {
        matches!(it.kind(), "for_statement" | "while_statement") || it.kind().ends_with("comprehension")
    })
}
