//! Which variables of C and C++ other code may change: by references, by macros of headers, or at any time.
//!
//! A function of C++ may change what it gets as an argument. An object that gets a reference may keep it, and change the
//! variable later. What looks like a function of C may be a macro, which can assign to its arguments.

use familiar_source::Language;
use familiar_syntax::tree::Node;
use rustc_hash::FxHashMap;

use super::super::grammar;
use super::headers::{Headers, last_word};
use super::{Names, Variable};
use crate::text::Text;

/// Functions of the library of C++ that give a reference to what they get.
const REFERRING: &[&str] =
    &["ref", "cref", "bind", "bind_front", "bind_back", "tie", "addressof", "forward_as_tuple"];

/// Functions of the library of C++ that give a new value.
const GIVING: &[&str] =
    &["max", "min", "abs", "make_pair", "swap", "gcd", "pow", "sqrt", "stoi", "to_string"];

impl Names {
    /// Notes what other code may do to the variables of a program of C or C++.
    pub(super) fn lend(&mut self, program: &Text, language: Language) {
        let headers = Headers::of(program);
        let is_cpp = language == Language::Cpp;
        let mut lent = Vec::new();
        for (number, variable) in self.variables.iter().enumerate() {
            let places = variable.places.iter().map(|it| program.node(*it));
            let known = |it: &Node<'_>| {
                is_assigned(program, &headers, *it) || is_cpp && self.is_lent(program, &headers, *it)
            };
            let places: Vec<_> = places.filter(known).collect();
            let is_kept = places.iter().any(|it| {
                is_hidden(program, &headers, *it) || is_cpp && self.is_kept(program, &headers, *it)
            });
            let is_shared = headers.is_shared(program, program.node(variable.declaration));
            lent.push((number, places, is_kept, is_shared));
        }
        let is_reference = |variable: &Variable| {
            let parent = program.node(variable.declaration).parent();
            parent.is_some_and(|it| it.kind() == "reference_declarator")
        };
        // What a function got by a reference, it may give to something that lives on.
        let passes_on = |number: usize, is_kept: bool| {
            let variable = &self.variables[number];
            (is_kept || variable.is_captured) && is_reference(variable)
        };
        let keeps = is_cpp && (lent.iter().any(|it| passes_on(it.0, it.2)) || self.keeps_references(program));
        let mut referring: FxHashMap<u32, bool> = FxHashMap::default();
        for (number, places, is_kept, is_shared) in lent {
            let variable = &mut self.variables[number];
            variable.is_addressed |= is_shared;
            if places.is_empty() {
                continue;
            }
            let function = variable.function;
            variable.is_addressed |= is_kept
                || keeps
                || is_cpp
                    && *referring.entry(function).or_insert_with(|| has_references(program.node(function)));
            variable.writes.extend(places.iter().map(|it| it.number()));
            variable.writes.sort_unstable();
            variable.writes.dedup();
        }
    }

    /// Whether the program of C++ has objects that may keep a reference which they got as an argument.
    fn keeps_references(&self, program: &Text) -> bool {
        program.root().descendants().any(|it| match it.kind() {
            "reference_declarator" => {
                it.parent().is_some_and(|it| it.kind() == "field_declaration")
                    && !it.named().any(|it| it.kind() == "function_declarator")
            }
            // The address of what came as a reference.
            "pointer_expression" => {
                let operand = it.child("operator").filter(|it| it.kind() == "&").and(it.child("argument"));
                operand.and_then(|it| self.variable(it)).is_some_and(|variable| {
                    let parent = program.node(variable.declaration).parent();
                    parent.is_some_and(|it| it.kind() == "reference_declarator")
                })
            }
            // `using Kept = int &`, and the member `std::tuple<int &> kept`.
            "abstract_reference_declarator" => {
                let mut around = it.ancestors();
                let outer = around.find(|it| {
                    matches!(it.kind(), "parameter_declaration" | "field_declaration" | "alias_declaration")
                });
                outer.is_some_and(|it| it.kind() != "parameter_declaration")
            }
            "type_identifier" => program.of(it) == "reference_wrapper",
            _ => false,
        })
    }

    /// Whether what gets a reference in C++ may live on and know it: an object that is declared or made with it, what
    /// a function gives that refers to it, or what a function that is not seen does with it.
    fn is_kept(&self, program: &Text, headers: &Headers<'_>, name: Node<'_>) -> bool {
        let mut function = "";
        for around in name.ancestors() {
            match around.kind() {
                "new_expression" => return true,
                "pointer_expression" if around.child("operator").is_some_and(|it| it.kind() == "&") => {
                    return true;
                }
                "init_declarator"
                    if around.child("declarator").is_some_and(|it| it.kind() == "pointer_declarator") =>
                {
                    return true;
                }
                "call_expression" => {
                    let Some(called) = around.child("function").filter(|it| !it.holds(name)) else {
                        continue;
                    };
                    if REFERRING.contains(&last_word(program.of(called)))
                        || self.keeps_at_call(program, headers, called)
                    {
                        return true;
                    }
                    if function.is_empty() {
                        function = program.of(called);
                    }
                }
                "declaration" => {
                    let kind = around.child("type").map_or("", |it| program.of(it));
                    let gives_value = GIVING.contains(&last_word(function));
                    return !(headers.copies(kind) || kind == "auto" && gives_value);
                }
                "assignment_expression" => {
                    let known = function.is_empty()
                        || headers.are_standard
                        || headers.defines(last_word(function))
                        || GIVING.contains(&last_word(function));
                    let left = around.child("left").map(|it| self.kind_of(program, it));
                    return !known && !left.is_some_and(|it| headers.copies(it));
                }
                kind if kind.ends_with("_statement") || grammar::is_function(around) => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether a function or a method that the program does not show may keep a reference.
    fn keeps_at_call(&self, program: &Text, headers: &Headers<'_>, called: Node<'_>) -> bool {
        if called.kind() != "field_expression" {
            return headers.may_keep(program.of(called));
        }
        let kind = called.child("argument").map_or("", |it| self.kind_of(program, it));
        headers.has_others && !headers.copies(kind)
    }

    /// The words of the type with which the variable of an expression is declared; empty where it is not known.
    fn kind_of<'p>(&self, program: &'p Text, expression: Node<'p>) -> &'p str {
        let mut base = grammar::bare(expression);
        while base.kind() == "subscript_expression" {
            let Some(inner) = base.child("argument") else { return "" };
            base = grammar::bare(inner);
        }
        let Some(variable) = self.variable(base) else { return "" };
        let name = program.node(variable.declaration);
        let around = name.ancestors().take_while(|it| !grammar::is_function(*it));
        let kind = around.into_iter().find_map(|it| it.child("type"));
        kind.map_or("", |it| program.of(it))
    }

    /// Whether an operator on what this is runs no code of a program.
    fn is_plain(&self, program: &Text, headers: &Headers<'_>, operand: Node<'_>) -> bool {
        let plain = |it: Node<'_>| self.is_plain(program, headers, it);
        match operand.kind() {
            "parenthesized_expression" => {
                let bare = grammar::bare(operand);
                bare != operand && plain(bare)
            }
            "binary_expression" => {
                grammar::binary(operand).is_some_and(|(left, _, right)| plain(left) && plain(right))
            }
            "unary_expression" => grammar::unary(operand).is_some_and(|it| plain(it.1)),
            "update_expression" => grammar::update(operand).is_some_and(|it| plain(it.0)),
            "identifier" | "subscript_expression" => {
                let kind = self.kind_of(program, operand);
                headers.copies(kind)
                    && (operand.kind() == "subscript_expression" || !kind.contains(['<', ':']))
                    && !headers.defines(kind)
            }
            "cast_expression" => operand.child("type").is_some_and(|it| headers.copies(program.of(it))),
            "call_expression" => {
                let called = operand.child("function").map_or("", |it| program.of(it));
                let word = last_word(called);
                GIVING.contains(&word) || matches!(word, "size" | "length")
            }
            "sizeof_expression" | "true" | "false" => true,
            kind => kind.ends_with("_literal") && kind != "user_defined_literal",
        }
    }

    /// Whether a function, an operator or a constructor of C++ may get a reference to what the name means.
    fn is_lent(&self, program: &Text, headers: &Headers<'_>, name: Node<'_>) -> bool {
        let name = outermost(name);
        let Some(parent) = name.parent() else { return false };
        let operator = parent.child("operator").map_or("", Node::kind);
        let other = |field: &str| {
            parent.child(field).is_some_and(|it| it != name && !self.is_plain(program, headers, it))
        };
        match parent.kind() {
            "argument_list" | "initializer_list" => true,
            "subscript_argument_list" => headers.changes("[]"),
            "binary_expression" => {
                let is_dropped =
                    outermost(parent).parent().is_some_and(|it| it.kind() == "expression_statement");
                let may_change = match operator {
                    "<<" => headers.changes(operator) || !writes_to_stream(program, parent),
                    ">>" | "&" | "|" | "^" | "%" => true,
                    _ => headers.changes(operator) || is_dropped,
                };
                may_change && (other("left") || other("right"))
            }
            "assignment_expression" if operator != "=" && name.field() == Some("right") => {
                let is_known = matches!(operator, "+=" | "-=" | "*=" | "/=");
                (!is_known || headers.changes(operator)) && other("left")
            }
            "init_declarator" => {
                parent.child("declarator").is_some_and(|it| it.kind() == "reference_declarator")
                    && name.field() == Some("value")
            }
            _ => false,
        }
    }
}

fn has_references(function: Node<'_>) -> bool {
    grammar::own(function).any(|it| {
        it.kind() == "init_declarator"
            && it.child("declarator").is_some_and(|it| it.kind() == "reference_declarator")
    })
}

/// The expression that has the same value, and is the same variable, as a name inside of it.
fn outermost(name: Node<'_>) -> Node<'_> {
    let passes = |it: &Node<'_>| {
        matches!(it.kind(), "parenthesized_expression" | "conditional_expression" | "comma_expression")
    };
    let mut name = name;
    while let Some(around) = name.parent().filter(passes) {
        name = around;
    }
    name
}

/// Whether the first operand of `a << b << c` is a stream of the library, which only reads what it gets.
fn writes_to_stream(program: &Text, shift: Node<'_>) -> bool {
    let mut first = shift;
    while let Some(left) = first.child("left").filter(|_| first.kind() == "binary_expression") {
        first = left;
    }
    matches!(last_word(program.of(first)), "cout" | "cerr" | "clog" | "os" | "oss" | "ss" | "out")
}

/// The call among whose arguments a name stands by itself.
fn call_of(name: Node<'_>) -> Option<Node<'_>> {
    let list = outermost(name).parent().filter(|it| it.kind() == "argument_list")?;
    let called = list.parent().filter(|it| it.kind() == "call_expression")?.child("function")?;
    (called.kind() == "identifier").then_some(called)
}

/// Whether what may be a macro gets a name, and may assign to it.
fn is_assigned(program: &Text, headers: &Headers<'_>, name: Node<'_>) -> bool {
    call_of(name).is_some_and(|it| headers.may_assign(program.of(it)))
}

/// Whether what certainly is a macro, or may be one of a header of the program, gets a name, and may take its address.
fn is_hidden(program: &Text, headers: &Headers<'_>, name: Node<'_>) -> bool {
    call_of(name).is_some_and(|it| {
        let word = program.of(it);
        headers.may_assign(word) && (grammar::is_loud(word) || headers.has_others)
    })
}
