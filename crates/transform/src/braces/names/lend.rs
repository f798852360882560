//! Which variables of C++ are known by references.
//!
//! A function may change what it gets as an argument. An object that gets a reference may keep it, and change the
//! variable later.

use familiar_syntax::tree::Node;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::grammar;
use super::Names;
use crate::text::Text;

impl Names {
    /// In C++, an argument may be passed by reference, and a reference that is declared may refer to it.
    pub(super) fn lend(&mut self, program: &Text) {
        let has_references = |function: Node<'_>| {
            grammar::own(function).any(|it| {
                it.kind() == "init_declarator"
                    && it.child("declarator").is_some_and(|it| it.kind() == "reference_declarator")
            })
        };
        let keeps = self.keeps_references(program);
        let numbers = number_words(program);
        let mut referring: FxHashMap<u32, bool> = FxHashMap::default();
        for variable in &mut self.variables {
            let lent: Vec<u32> =
                variable.places.iter().copied().filter(|it| is_lent(program.node(*it))).collect();
            if lent.is_empty() {
                continue;
            }
            let function = variable.function;
            variable.is_addressed |= keeps
                || lent.iter().any(|it| is_kept(program, &numbers, program.node(*it)))
                || *referring.entry(function).or_insert_with(|| has_references(program.node(function)));
            variable.writes.extend(lent);
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
            "type_identifier" => program.of(it) == "reference_wrapper",
            _ => false,
        })
    }
}

/// Types of the library of C++ that copy what they get.
const COPYING: &[&str] = &[
    "vector",
    "string",
    "map",
    "set",
    "unordered_map",
    "unordered_set",
    "deque",
    "queue",
    "stack",
    "priority_queue",
    "pair",
    "array",
    "list",
    "bitset",
];

/// Whether what gets a reference in C++ may live on and know it: an object that is declared or made with it.
fn is_kept(program: &Text, numbers: &FxHashSet<&str>, name: Node<'_>) -> bool {
    let mut function = "";
    for around in name.ancestors() {
        match around.kind() {
            "new_expression" => return true,
            "init_declarator"
                if around.child("declarator").is_some_and(|it| it.kind() == "pointer_declarator") =>
            {
                return true;
            }
            "call_expression" if function.is_empty() => {
                function = around.child("function").map_or("", |it| program.of(it));
            }
            "declaration" => {
                let Some(kind) = around.child("type") else { return true };
                let text = program.of(kind).trim_start_matches("std::");
                let word = text.split('<').next().unwrap_or_default();
                let is_value = matches!(kind.kind(), "primitive_type" | "sized_type_specifier")
                    || COPYING.contains(&word) && !text.contains("reference_wrapper")
                    || word == "size_t";
                let gives_value =
                    ["max", "min", "abs", "make_pair", "swap", "gcd", "pow", "sqrt", "stoi", "to_string"]
                        .contains(&function.trim_start_matches("std::"));
                let copies = is_value || text == "auto" && gives_value || numbers.contains(text);
                return !copies;
            }
            "assignment_expression" => {
                return ["ref", "cref", "bind", "tie", "addressof"]
                    .contains(&function.trim_start_matches("std::"));
            }
            kind if kind.ends_with("_statement") || grammar::is_function(around) => return false,
            _ => {}
        }
    }
    false
}

/// The names that the program gives to built-in numbers.
fn number_words(program: &Text) -> FxHashSet<&str> {
    let is_number = |kind: Node<'_>| matches!(kind.kind(), "primitive_type" | "sized_type_specifier");
    let mut words = FxHashSet::default();
    for node in program.root().descendants() {
        match node.kind() {
            "type_definition" | "alias_declaration" => {
                let kind = node.child("type").map(|kind| kind.child("type").unwrap_or(kind));
                if kind.is_some_and(is_number) {
                    let names = node.named().filter(|it| it.kind() == "type_identifier");
                    words.extend(names.map(|it| program.of(it)));
                }
            }
            "preproc_def" => {
                let value = node.child("value").map_or("", |it| program.of(it).trim());
                if matches!(value, "long long" | "long" | "int" | "double" | "unsigned") {
                    words.extend(node.child("name").map(|it| program.of(it)));
                }
            }
            _ => {}
        }
    }
    words
}

/// Whether a function, an operator or a constructor of C++ may get a reference to what the name means.
fn is_lent(name: Node<'_>) -> bool {
    let mut name = name;
    let passes = |it: &Node<'_>| {
        matches!(it.kind(), "parenthesized_expression" | "conditional_expression" | "comma_expression")
    };
    while let Some(around) = name.parent().filter(passes) {
        name = around;
    }
    let Some(parent) = name.parent() else { return false };
    match parent.kind() {
        "argument_list" | "initializer_list" => true,
        "binary_expression" => {
            name.field() == Some("right") && parent.child("operator").is_some_and(|it| it.kind() == ">>")
        }
        "init_declarator" => {
            parent.child("declarator").is_some_and(|it| it.kind() == "reference_declarator")
                && name.field() == Some("value")
        }
        _ => false,
    }
}
