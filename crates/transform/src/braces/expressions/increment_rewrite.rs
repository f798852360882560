//! `increment-rewrite`: writes `++` and `--` as an addition or a subtraction.
//!
//! # What it does
//!
//! `x++` and `x--` as statements, or in the head of a loop, become an addition or a subtraction.
//!
//! # Why behavior is kept
//!
//! Nobody uses the value of the statement. In JavaScript and C++ the type is known to be a number; in the other
//! languages `x += 1` means the same as `x++` for all types but `Byte`, `Short` and `Character` of Java.
//!
//! # Example
//!
//! `i++;` becomes `i += 1;`.
//!
//! # Where it does not apply
//!
//! `x++` inside of expressions; in JavaScript and C++, types that are not known; in Java, what may be a `Byte`, a `Short`
//! or a `Character`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::code;
use super::super::grammar::{self, LANGUAGES};
use super::super::types::{self, Type};
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "increment-rewrite",
    summary: "writes `++` and `--` as an addition or a subtraction",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, &["update_expression", "inc_statement", "dec_statement"]).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (operand, operator) = grammar::update(site).ok_or(Refusal("it has no operand"))?;
    let is_head = matches!(site.field(), Some("update" | "increment"));
    let is_alone = site.parent().is_some_and(|it| it.kind() == "expression_statement");
    if site.kind() == "update_expression" && !is_head && !is_alone {
        return Err(Refusal("its value may be used"));
    }
    let kind = types::of(program, operand);
    let known = match program.language() {
        Language::JavaScript | Language::TypeScript => kind.is_number(),
        Language::Cpp => kind.is_number() || kind == Type::Pointer,
        Language::Java => {
            kind.is_number() || kind == Type::Unknown && !may_be_narrow_object(program, operand)
        }
        _ => kind != Type::Bool,
    };
    if !known {
        return Err(Refusal("its operand is not known to be a number"));
    }
    let turned = kind == Type::Int && choices.below(2) == 0;
    let template = match (operator, turned) {
        ("++", false) => "$0 += 1",
        ("++", true) => "$0 -= -1",
        (_, false) => "$0 -= 1",
        _ => "$0 += -1",
    };
    Ok(vec![expression(site.range(), template, &[operand])])
}

/// Whether an operand of Java may be an object that takes no `int`: the program names such a type for it, or for what is no variable.
fn may_be_narrow_object(program: &Program, operand: Node<'_>) -> bool {
    let is_narrow = |it: Node<'_>| {
        it.kind() == "type_identifier" && matches!(program.of(it), "Byte" | "Short" | "Character")
    };
    let Some(variable) = program.names().variable(operand) else {
        let outside = |it: &Node<'_>| !it.ancestors().any(|it| it.kind() == "type_arguments");
        return program.root().descendants().filter(|it| is_narrow(*it)).any(|it| outside(&it));
    };
    let declaration = types::declaration_of(program.node(variable.declaration));
    let kind = declaration.and_then(|it| it.child("type"));
    kind.is_none_or(|it| is_narrow(it) || program.of(it) == "var")
}
