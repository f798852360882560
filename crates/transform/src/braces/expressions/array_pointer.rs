//! `array-pointer`: writes an item of an array through a pointer.
//!
//! # What it does
//!
//! An item of an array is read or written through a pointer.
//!
//! # Why behavior is kept
//!
//! C defines `a[i]` as `*(a + i)`. The name is declared as an array or a pointer, so that it is no vector of a compiler,
//! and in C++ no operator of the program runs.
//!
//! # Example
//!
//! `a[i]` becomes `(*(a + (i)))`.
//!
//! # Where it does not apply
//!
//! Containers of C++, arrays in registers, and what is not known to be an array or a pointer.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::types::{self, Type};
use super::super::{code, native};
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
    let known = matches!(types::of(program, array), Type::Pointer | Type::Array);
    if !known && native::levels(program, array) == 0 {
        return Err(Refusal("it is not known to be an array or a pointer"));
    }
    if array.subtree().any(|it| {
        let variable = program.names().variable(it);
        variable.is_some_and(|it| native::is_register(program, program.node(it.declaration)))
    }) {
        return Err(Refusal("its array has no address"));
    }
    if program.language() == Language::Cpp && !types::of(program, index).is_integer() {
        return Err(Refusal("its index is not known to be a number"));
    }
    let template = format!("(*({} + {}))", code::tight(program, array, 0), code::tight(program, index, 1));
    Ok(vec![expression(site.range(), &template, &[array, index])])
}
