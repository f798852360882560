//! `declaration-split`: writes a declaration with a value as a declaration and an assignment.
//!
//! # What it does
//!
//! A declaration with a value becomes a declaration without one, and an assignment.
//!
//! # Why behavior is kept
//!
//! The assignment follows at once, so nobody sees the variable in between. In C++ the type is built in, so that no
//! constructor and no operator of the program runs.
//!
//! # Example
//!
//! `int a = f();` becomes `int a; a = f();`.
//!
//! # Where it does not apply
//!
//! Constants, structs of C with a constant inside, `static` variables, arrays with their items; declarations of several names; in Java, variables that
//! an inner function uses; in C++, functions that a compiler may run; types that the language infers, where they are
//! not known; values that name an outer variable of the same name.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::code;
use super::super::grammar::{self, Declared, LANGUAGES};
use super::super::native;
use super::super::types::{self, Type};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "declaration-split",
    summary: "writes a declaration with a value as a declaration and an assignment",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let all = program.root().descendants().filter(|it| grammar::is_declaration(*it));
    all.filter(|it| grammar::siblings(*it).is_some()).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let several = Refusal("it declares no name, or more than one");
    let declared = grammar::declared(site).ok_or(several)?;
    let [Declared { name, value: Some(value), end }] = declared[..] else { return Err(several) };
    let variable = program.names().variable(name).ok_or(several)?;
    let head = program.slice(site.start()..name.start());
    let fixed = ["final", "const", "static", "constexpr", "extern", "thread_local", "auto", "var ", "@"];
    let is_script = grammar::is_script(program.language());
    if fixed.iter().any(|it| head.contains(it))
        && !(head.trim() == "var" && program.language() != Language::Java)
    {
        return Err(Refusal("its value is a part of what it is"));
    }
    if matches!(value.kind(), "array_initializer" | "initializer_list" | "argument_list") {
        return Err(Refusal("its value is a list that only a declaration may have"));
    }
    let kind = types::of(program, name);
    let known = match program.language() {
        Language::Java => !variable.is_captured,
        Language::C => kind == Type::Pointer || kind != Type::Array && is_assignable(program, site, value),
        Language::Cpp => kind.is_primitive() && !is_constant_function(program, site),
        // The value may mean an outer variable of the same name.
        Language::Go => !value.subtree().any(|it| program.of(it) == program.of(name)),
        Language::TypeScript => end > name.end(),
        _ => true,
    };
    if !known
        || is_script
            && program.names().mentioned(value).iter().any(|it| Some(*it) == program.names().number(name))
    {
        return Err(Refusal("what it is without its value is not known"));
    }
    let line = format!("\n{}", code::indent(program, site));
    // Go has to be told the type that it inferred.
    if program.language() != Language::Go || end > name.end() && site.kind() == "var_declaration" {
        let text = format!("{}{line}{} = ", code::end(program), program.of(name));
        return Ok(vec![Edit::text(end..value.start(), text)]);
    }
    let kind = match kind {
        Type::Int => "int",
        Type::Double => "float64",
        Type::Text => "string",
        Type::Bool => "bool",
        _ => return Err(Refusal("its type is not known")),
    };
    if variable.places[0] != name.number() {
        return Err(Refusal("the name is declared before"));
    }
    let text = format!("var {0} {kind}{line}{0} = ", program.of(name));
    Ok(vec![Edit::text(site.start()..value.start(), text)])
}

/// Whether nothing that nobody can assign hides behind the type of a declaration of C. What takes a number from the
/// beginning, and is no type that the program shows, is taken for a number.
fn is_assignable(program: &Program, declaration: Node<'_>, value: Node<'_>) -> bool {
    let is_text = matches!(value.kind(), "string_literal" | "concatenated_string");
    let Some(kind) = declaration.child("type").filter(|_| !is_text) else { return false };
    native::is_assignable(program, kind)
        || native::is_unseen(program, kind) && types::of(program, value).is_number()
}

/// Whether a function of C++ may run while the program is compiled, when each variable needs a value, and some
/// compilers take no `try`.
pub(super) fn is_constant_function(program: &Program, statement: Node<'_>) -> bool {
    let words = ["constexpr", "consteval", "static_assert", "constinit"];
    let mut around = statement.ancestors().filter(|it| grammar::is_function(*it));
    around.any(|it| {
        let head = it.start()..it.child("body").map_or(it.end(), Node::start);
        let head = program.slice(head).to_ascii_lowercase();
        let is_lambda = it.kind() == "lambda_expression";
        words[..2].iter().any(|word| head.contains(word))
            || is_lambda && words.iter().any(|word| program.words().contains(*word))
    })
}
