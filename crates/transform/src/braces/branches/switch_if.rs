//! `switch-if`: writes a switch as a chain of if statements.
//!
//! # What it does
//!
//! A `switch` becomes a chain of `if` and `else if`, which compare its value with the cases.
//!
//! # Why behavior is kept
//!
//! No case falls through into the code of another one, and the value is a variable that nothing changes while it is
//! compared. Java and C compare whole numbers only; JavaScript compares by `===` and Go by `==`, as their `switch`
//! does.
//!
//! # Example
//!
//! `switch (x) { case 1: f(); break; default: g(); }` becomes `if (x == 1) { f(); } else { g(); }`.
//!
//! # Where it does not apply
//!
//! Cases that fall through; a `break` inside of other statements; a `default` that is not the last case; names that
//! one case declares and another one uses; values that are no plain variables; in TypeScript, no `default`, where the
//! value is not known to be any number or any text; in C, numbers that do not fit an `int`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::super::types::{self, Type};
use super::super::{code, effects, wide};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "switch-if",
    summary: "writes a switch as a chain of if statements",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, &["switch_expression", "switch_statement", "expression_switch_statement"]).collect()
}

/// Some values and the statements for them; `default` has no values.
struct Case<'p> {
    values: Vec<Node<'p>>,
    content: Vec<Node<'p>>,
    is_default: bool,
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let value = value(program, site)?;
    let cases = cases(site).ok_or(Refusal("a case of it has an unknown form"))?;
    check(program, &cases)?;
    let is_whole = cases.iter().any(|it| it.is_default);
    if program.language() == Language::TypeScript && !is_whole && !wide::is_endless(program, value) {
        return Err(Refusal("its cases may be all that there are"));
    }
    let equal = if grammar::is_script(program.language()) { "===" } else { "==" };
    let mut lines = code::lines(program, site);
    for (number, case) in cases.iter().enumerate() {
        if case.is_default {
            if number == 0 {
                return Err(Refusal("it has only a `default`"));
            }
            lines.line(0, "} else {", &[]);
        } else {
            let mut kept = vec![value];
            kept.extend(&case.values);
            let tests: Vec<_> = (1..kept.len())
                .map(|place| format!("$0 {equal} {}", code::tight(program, kept[place], place)))
                .collect();
            let word = if number == 0 { "if" } else { "} else if" };
            lines.line(0, &code::head(program, word, &tests.join(" || ")), &kept);
        }
        let body = without_break(&case.content);
        if let (Some(first), Some(last)) = (body.first(), body.last()) {
            lines.stretch(1, &code::stretch_of(program, *first, *last));
        }
    }
    lines.line(0, "}", &[]);
    Ok(vec![lines.edit(site.range())])
}

/// The variable that is compared.
fn value<'p>(program: &Program, site: Node<'p>) -> Result<Node<'p>, Refusal> {
    if site.kind() == "switch_expression"
        && site.parent().is_some_and(|it| {
            !grammar::is_block(it)
                && it.kind() != "switch_block_statement_group"
                && it.kind() != "expression_statement"
        })
    {
        return Err(Refusal("its value is used"));
    }
    let value = site.child("condition").or_else(|| site.child("value")).ok_or(Refusal("it has no value"))?;
    let value = grammar::bare(value);
    let kind = types::of(program, value);
    let known = match program.language() {
        Language::Go | Language::JavaScript | Language::TypeScript => true,
        _ => matches!(kind, Type::Int | Type::Narrow),
    };
    if site.child("initializer").is_some()
        || value.kind() != "identifier"
        || !effects::is_quiet(program, value)
        || !known
    {
        return Err(Refusal("its value is no plain variable of a known type"));
    }
    Ok(value)
}

fn cases(site: Node<'_>) -> Option<Vec<Case<'_>>> {
    let body = site.child("body").unwrap_or(site);
    let mut cases: Vec<Case<'_>> = Vec::new();
    // Labels without statements belong to the next ones.
    let mut open: Option<Case<'_>> = None;
    for node in body.named().filter(|it| it.field() != Some("value") && !grammar::is_comment(*it)) {
        let (values, content, is_default) = case(node)?;
        let mut case =
            open.take().unwrap_or(Case { values: Vec::new(), content: Vec::new(), is_default: false });
        case.values.extend(values);
        case.is_default |= is_default;
        case.content = content;
        let falls = case.content.is_empty() && !node.kind().ends_with("_case")
            || case.content.is_empty() && node.kind() == "switch_case";
        if falls {
            open = Some(case);
        } else {
            cases.push(case);
        }
    }
    cases.extend(open);
    (!cases.is_empty()).then_some(cases)
}

type Parts<'p> = (Vec<Node<'p>>, Vec<Node<'p>>, bool);

fn case(node: Node<'_>) -> Option<Parts<'_>> {
    let (labels, content): (Vec<_>, Vec<_>) =
        node.named().partition(|it| it.field() == Some("value") || it.kind() == "switch_label");
    match node.kind() {
        "switch_block_statement_group" => {
            let is_default = labels.iter().any(|it| it.named().next().is_none());
            let values = labels.iter().flat_map(|it| it.named()).collect();
            Some((values, content, is_default))
        }
        "case_statement" | "switch_case" | "switch_default" => {
            let is_default = labels.is_empty();
            Some((labels, content, is_default))
        }
        "expression_case" | "default_case" => {
            let values: Vec<_> = labels.iter().flat_map(|it| it.named()).collect();
            let content = content
                .into_iter()
                .flat_map(|it| if it.kind() == "statement_list" { it.named().collect() } else { vec![it] });
            let is_default = values.is_empty();
            Some((values, content.collect(), is_default))
        }
        _ => None,
    }
}

fn without_break<'c, 'p>(content: &'c [Node<'p>]) -> &'c [Node<'p>] {
    match content {
        [first @ .., last] if last.kind() == "break_statement" => first,
        all => all,
    }
}

fn check(program: &Program, cases: &[Case<'_>]) -> Result<(), Refusal> {
    let last = cases.len() - 1;
    let is_go = program.language() == Language::Go;
    for (number, case) in cases.iter().enumerate() {
        if case.is_default && (number != last || !case.values.is_empty()) {
            return Err(Refusal("its `default` is not the last case"));
        }
        let ends = case.content.last().is_some_and(|it| {
            matches!(
                it.kind(),
                "break_statement" | "return_statement" | "throw_statement" | "continue_statement"
            ) || grammar::is_block(*it) && code::leaves(*it)
        });
        if !is_go && !ends && number != last {
            return Err(Refusal("a case of it falls through"));
        }
        let body = without_break(&case.content);
        let has_break = body.iter().any(|it| !grammar::jumps(*it, "break_statement").is_empty());
        if has_break || body.iter().any(|it| it.subtree().any(|it| it.kind() == "fallthrough_statement")) {
            return Err(Refusal("a `break` or a `fallthrough` of it stands inside of other code"));
        }
        let declared = program.names().variables().iter().filter(|it| {
            let place = program.node(it.places[0]);
            body.iter().any(|it| it.holds(place))
        });
        let is_shared = declared
            .into_iter()
            .any(|it| it.places.iter().any(|place| !body.iter().any(|it| it.holds(program.node(*place)))));
        if is_shared {
            return Err(Refusal("a case of it uses a name that another one declares"));
        }
        let is_quiet =
            |it: &Node<'_>| effects::is_quiet(program, *it) || program.names().number(*it).is_none();
        if !grammar::is_script(program.language()) && !is_go && !case.values.iter().all(is_quiet) {
            return Err(Refusal("a case of it is no constant"));
        }
        if program.language() == Language::C && !case.values.iter().all(|it| fits_int(program, *it)) {
            return Err(Refusal("a case of it may be shortened"));
        }
        if case.values.iter().any(|it| {
            it.subtree().any(|it| {
                it.kind().contains("call") || it.kind().contains("assignment") || it.kind().contains("update")
            })
        }) {
            return Err(Refusal("a case of it may change something"));
        }
    }
    Ok(())
}

/// Whether the numbers of a case of C are known to fit the type of its value.
fn fits_int(program: &Program, value: Node<'_>) -> bool {
    let mut numbers = value.subtree().filter(|it| it.kind() == "number_literal");
    let is_alone = grammar::bare(value).kind() == "number_literal";
    numbers.all(|it| {
        let text = program.of(it).to_ascii_lowercase().replace('\'', "");
        let digits = text.trim_end_matches(['u', 'l']);
        let number = match digits.split_at(digits.len().min(2)) {
            ("0x", digits) => i64::from_str_radix(digits, 16),
            ("0b", digits) => i64::from_str_radix(digits, 2),
            _ if digits.starts_with('0') => i64::from_str_radix(digits, 8),
            _ => digits.parse(),
        };
        number.is_ok_and(|it| it <= i64::from(i32::MAX)) && (is_alone || !text.ends_with('l'))
    })
}
