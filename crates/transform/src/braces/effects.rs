//! What an expression or a statement reads, writes and may raise.
//!
//! Conservative: a call does anything, and so does an operator on what is not known to be built in.

use familiar_source::Language;
use familiar_syntax::tree::Node;
use rustc_hash::FxHashSet;

use super::grammar::{self, is_script};
use super::names::Kind;
use super::types::{self, Type};
use crate::program::Program;

/// Whether an expression always gives a value, changes nothing, and reads only literals and variables that no other code can change.
pub(crate) fn is_quiet(program: &Program, node: Node<'_>) -> bool {
    let language = program.language();
    let number = |it: Node<'_>| types::of(program, it).is_number();
    match node.kind() {
        "parenthesized_expression" => grammar::bare(node) != node && is_quiet(program, grammar::bare(node)),
        "identifier" => is_readable(program, node),
        "cast_expression" => {
            let value = node.child("value");
            types::of(program, node).is_number()
                && value.is_some_and(|it| number(it) && is_quiet(program, it))
        }
        "unary_expression" => match grammar::unary(node) {
            Some(("!", operand)) => {
                is_quiet(program, operand)
                    && (is_script(language) || types::of(program, operand).is_primitive())
            }
            Some(("-" | "+" | "~", operand)) => number(operand) && is_quiet(program, operand),
            Some(("typeof", operand)) => is_quiet(program, operand),
            _ => false,
        },
        "binary_expression" => is_quiet_binary(program, node),
        "ternary_expression" | "conditional_expression" => grammar::ternary(node).is_some_and(|all| {
            let known =
                language != Language::Cpp || all.iter().all(|it| types::of(program, *it).is_primitive());
            known && is_plain_truth(program, all[0]) && all.iter().all(|it| is_quiet(program, *it))
        }),
        _ => is_literal(node),
    }
}

/// Whether a node is a literal of a built-in type.
fn is_literal(node: Node<'_>) -> bool {
    match node.kind() {
        "decimal_integer_literal"
        | "hex_integer_literal"
        | "decimal_floating_point_literal"
        | "number_literal"
        | "number"
        | "int_literal"
        | "float_literal"
        | "true"
        | "false"
        | "null"
        | "null_literal"
        | "nil"
        | "character_literal"
        | "char_literal"
        | "rune_literal"
        | "string_literal"
        | "interpreted_string_literal"
        | "raw_string_literal"
        | "string" => true,
        // An array that nobody else knows yet.
        "array" | "object" => node.named().next().is_none(),
        _ => false,
    }
}

fn is_quiet_binary(program: &Program, node: Node<'_>) -> bool {
    let Some((left, operator, right)) = grammar::binary(node) else { return false };
    if !is_quiet(program, left) || !is_quiet(program, right) {
        return false;
    }
    let both = [left, right].map(|it| types::of(program, it));
    match operator {
        "===" | "!==" => true,
        "&&" | "||" => is_script(program.language()) || both.iter().all(|it| it.is_primitive()),
        "/" | "%" if both.iter().all(|it| *it == Type::Double) => {
            operator == "/" || is_script(program.language())
        }
        "/" | "%" => {
            both.iter().all(|it| it.is_number()) && program.of(right).parse().is_ok_and(|it: i64| it > 0)
        }
        "<<" | ">>" if program.language() == Language::Go => {
            both.iter().all(|it| it.is_number()) && is_literal(right)
        }
        "+" | "-" | "*" | "&" | "|" | "^" | "<" | "<=" | ">" | ">=" | "<<" | ">>" | ">>>" => {
            both.iter().all(|it| it.is_number())
        }
        "==" | "!=" => both.iter().all(|it| it.is_number()) || both.iter().all(|it| *it == Type::Bool),
        _ => false,
    }
}

/// Whether asking for the truth of an expression runs no code.
fn is_plain_truth(program: &Program, condition: Node<'_>) -> bool {
    is_script(program.language()) || types::of(program, condition).is_primitive()
}

/// Whether reading a name gives a value, and nothing but code of this function changes what it gives.
fn is_readable(program: &Program, name: Node<'_>) -> bool {
    let Some(variable) = program.names().variable(name).filter(|it| it.is_private()) else { return false };
    if program.language() == Language::Cpp && !types::of(program, name).is_primitive() {
        return false;
    }
    let first = program.node(variable.places[0]);
    if variable.kind == Kind::Parameter {
        return !is_script(program.language()) || !has_arguments(program, variable.function);
    }
    if variable.places[0] == name.number() || !is_script(program.language()) {
        return true;
    }
    // `let` has no value before its declaration ran.
    let list = first.ancestors().find(|it| grammar::is_block(*it) || grammar::is_loop(*it));
    first.start() < name.start() && list.is_none_or(|it| it.holds(name))
}

/// Whether a function sees its parameters as `arguments`.
fn has_arguments(program: &Program, function: u32) -> bool {
    program.node(function).descendants().any(|it| it.kind() == "identifier" && program.of(it) == "arguments")
}

/// A statement that does one thing, and what other statements must know of it.
#[derive(Debug)]
pub(crate) struct Deed {
    pub(crate) reads: FxHashSet<usize>,
    pub(crate) writes: FxHashSet<usize>,
    /// Whether it only gives values to private variables.
    pub(crate) is_quiet: bool,
}

/// What a declaration, an assignment or a call does; `None` for other statements, and where it leaves the order of statements.
pub(crate) fn deed(program: &Program, statement: Node<'_>) -> Option<Deed> {
    let is_known = statement.kind() == "expression_statement"
        || grammar::is_declaration(statement)
        || matches!(statement.kind(), "assignment_statement" | "inc_statement" | "dec_statement");
    let is_directive = matches!(grammar::expression_of(statement).kind(), "string" | "string_literal");
    if !is_known
        || is_directive
        || is_bound_to_place(program, statement)
        || statement.subtree().any(leaves_order)
    {
        return None;
    }
    let names = program.names();
    let (reads, writes) = (names.mentioned(statement), names.written(statement));
    let is_private = writes.iter().all(|it| names.variables()[*it].is_private());
    let is_quiet = is_private && gives_values(program, statement) && !asks_for_rounding(program, statement);
    Some(Deed { reads, writes, is_quiet })
}

/// Whether a compiler asks where a call stands: `panic(…)` of Go ends a function, and TypeScript adds code behind `super(…)`.
fn is_bound_to_place(program: &Program, statement: Node<'_>) -> bool {
    let call = grammar::expression_of(statement);
    let function = call.child("function").filter(|_| call.kind() == "call_expression").map(grammar::bare);
    function.is_some_and(|it| {
        it.kind() == "super" || program.language() == Language::Go && program.of(it) == "panic"
    })
}

/// What says that a declaration does more than to give a value.
const OWN: &[&str] =
    &["storage_class_specifier", "annotation", "attribute_specifier", "attribute_declaration"];

/// Whether a statement computes with numbers that have a fraction, and the program of C or C++ says how these are rounded
/// or asks what happened to them.
fn asks_for_rounding(program: &Program, statement: Node<'_>) -> bool {
    const WORDS: &[&str] =
        &["fesetround", "feclearexcept", "fetestexcept", "feraiseexcept", "fesetenv", "feholdexcept"];
    let has_fraction = |it: Node<'_>| matches!(types::of(program, it), Type::Float | Type::Double);
    grammar::is_c(program.language())
        && WORDS.iter().any(|it| program.words().contains(*it))
        && statement.subtree().any(has_fraction)
}

fn leaves_order(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "await_expression"
            | "yield_expression"
            | "yield_statement"
            | "switch_expression"
            | "statement_expression"
    )
}

/// Whether a statement only computes values without effects, and puts them into plain variables.
fn gives_values(program: &Program, statement: Node<'_>) -> bool {
    if grammar::is_declaration(statement) {
        let is_own = statement.subtree().any(|it| OWN.contains(&it.kind()));
        return !is_own
            && grammar::declared(statement).is_some_and(|all| {
                !all.is_empty()
                    && all.iter().all(|it| {
                        it.value
                            .is_none_or(|value| is_quiet(program, value) && converts(program, it.name, value))
                            && is_plain_target(program, it.name)
                    })
            });
    }
    if let Some((operand, _)) = grammar::update(statement) {
        return types::of(program, operand).is_number() && is_plain_target(program, operand);
    }
    grammar::assignment(statement).is_some_and(|it| {
        let is_same = match it.operator {
            "=" => true,
            "+=" | "-=" | "*=" | "&=" | "|=" | "^=" => {
                types::of(program, it.left).is_number() && types::of(program, it.right).is_number()
            }
            _ => false,
        };
        is_same
            && is_plain_target(program, it.left)
            && is_quiet(program, it.right)
            && converts(program, it.left, it.right)
    })
}

/// Whether giving a value to a variable runs no code: Java may unbox `null`, C++ may call an operator.
fn converts(program: &Program, target: Node<'_>, value: Node<'_>) -> bool {
    let types = [target, value].map(|it| types::of(program, it));
    match program.language() {
        Language::Java => types[0] == Type::Text || !types[0].is_primitive() || types[1].is_primitive(),
        Language::Cpp => types.iter().all(|it| it.is_primitive()),
        _ => true,
    }
}

fn is_plain_target(program: &Program, name: Node<'_>) -> bool {
    let known = program.names().variable(name).is_some_and(|it| {
        let is_shared = it.kind == Kind::Parameter
            && is_script(program.language())
            && has_arguments(program, it.function);
        it.is_private() && !is_shared
    });
    known && (program.language() != Language::Cpp || types::of(program, name).is_primitive())
}

/// Whether a `try` or what runs at the end of a block stands around a statement in its function.
pub(crate) fn inside_try(statement: Node<'_>) -> bool {
    let around = statement.ancestors().take_while(|it| !grammar::is_function(*it));
    around.into_iter().any(|it| it.kind().starts_with("try_"))
}

/// Whether two expressions may be evaluated in the other order: one is quiet, and the other does not write what it reads.
pub(crate) fn may_turn(program: &Program, left: Node<'_>, right: Node<'_>) -> bool {
    let apart = |quiet: Node<'_>, other: Node<'_>| {
        is_quiet(program, quiet)
            && !other.subtree().any(leaves_order)
            && program.names().mentioned(quiet).is_disjoint(&program.names().written(other))
    };
    apart(left, right) || apart(right, left)
}
