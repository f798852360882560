//! `array-pointer`: writes an item of an array through a pointer.
//!
//! # What it does
//!
//! An item of an array is read or written through a pointer.
//!
//! # Why behavior is kept
//!
//! C defines `a[i]` as `*(a + i)`. In C++ the name is declared as an array or a pointer, so that no operator of the
//! program runs.
//!
//! # Example
//!
//! `a[i]` becomes `(*(a + (i)))`.
//!
//! # Where it does not apply
//!
//! In C++, containers and what is not known; items whose address is taken.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::code;
use super::super::types::{self, Type};
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "array-pointer",
    summary: "writes an item of an array through a pointer",
    languages: &[Language::C, Language::Cpp],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, &["subscript_expression"]).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let array = site.child("argument").ok_or(Refusal("it has no array"))?;
    let index = site.child("index").or_else(|| {
        site.child("indices").and_then(|it| {
            let mut all = it.named();
            all.next().filter(|_| all.next().is_none())
        })
    });
    let index = index.ok_or(Refusal("it has no single index"))?;
    let kind = types::of(program, array);
    if program.language() == Language::Cpp && !matches!(kind, Type::Pointer | Type::Array) {
        return Err(Refusal("it is not known to be an array or a pointer"));
    }
    if program.language() == Language::Cpp && !types::of(program, index).is_integer() {
        return Err(Refusal("its index is not known to be a number"));
    }
    let template = format!("(*({} + {}))", code::tight(program, array, 0), code::tight(program, index, 1));
    Ok(vec![expression(site.range(), &template, &[array, index])])
}
