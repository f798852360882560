//! What is known of the types of C and C++ that are not built in.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{grammar, types};
use crate::program::Program;

/// Types of the libraries that are no templates and may be assigned to.
const PLAIN: &[&str] =
    &["FILE", "istringstream", "ostringstream", "string", "string_view", "stringstream", "thread", "wstring"];

/// Templates of types in the library of C++.
const CONTAINERS: &[&str] = &[
    "array",
    "deque",
    "list",
    "map",
    "multimap",
    "multiset",
    "optional",
    "pair",
    "queue",
    "set",
    "shared_ptr",
    "stack",
    "tuple",
    "unique_ptr",
    "unordered_map",
    "unordered_set",
    "vector",
];

/// Whether a name is a type of the libraries that is known, or one of the many names of numbers.
fn is_of_library(word: &str) -> bool {
    PLAIN.contains(&word) || word.ends_with("_t")
}

/// How many times an expression of C or C++ can be followed as an array or a pointer of the language, by its declaration.
pub(crate) fn levels(program: &Program, expression: Node<'_>) -> usize {
    let expression = grammar::bare(expression);
    match expression.kind() {
        "identifier" => program.names().variable(expression).map_or(0, |variable| {
            if variable.is_unclear {
                return 0;
            }
            levels_of_declarator(program.node(variable.declaration))
        }),
        "subscript_expression" => {
            expression.child("argument").map_or(0, |it| levels(program, it).saturating_sub(1))
        }
        "field_expression" if program.language() == Language::C => {
            let Some(field) = expression.child("field").map(|it| program.of(it)) else { return 0 };
            let all = program.root().descendants();
            let fields = all.filter(|it| it.kind() == "field_identifier" && program.of(*it) == field);
            let declared = fields.filter(|it| it.parent().is_some_and(|it| it.kind() != "field_expression"));
            declared.map(levels_of_declarator).min().unwrap_or(0)
        }
        _ => 0,
    }
}

/// The arrays and pointers that stand around a name in its declaration.
fn levels_of_declarator(name: Node<'_>) -> usize {
    let mut count = 0;
    for around in name.ancestors() {
        match around.kind() {
            "pointer_declarator" | "array_declarator" => count += 1,
            "init_declarator" => {}
            "declaration" | "parameter_declaration" | "field_declaration" => {
                let kept = around.children().any(|it| it.kind() == "attribute_specifier");
                return if kept { 0 } else { count };
            }
            // A pointer to an array has its parts in another order.
            _ => return 0,
        }
    }
    0
}

/// Whether the declaration of a name asks for a register, which has no address.
pub(crate) fn is_register(program: &Program, name: Node<'_>) -> bool {
    let declaration = types::declaration_of(name);
    declaration.is_some_and(|it| {
        it.children().any(|it| it.kind() == "storage_class_specifier" && program.of(it) == "register")
    })
}

/// Whether a word is the name of a type: the program gives it to one, or a library of C++ has it.
pub(crate) fn is_type(program: &Program, word: &str) -> bool {
    is_of_library(word) || CONTAINERS.contains(&word) || program.names().is_type(word)
}

/// Whether a variable of C that is declared with this type may get a value later: neither an array nor anything
/// constant hides behind its name.
pub(crate) fn is_assignable(program: &Program, kind: Node<'_>) -> bool {
    may_assign(program, kind, 0)
}

/// Whether a type is a name that the program does not give to anything.
pub(crate) fn is_unseen(program: &Program, kind: Node<'_>) -> bool {
    let gives_name = |it: Node<'_>| matches!(it.kind(), "type_definition" | "preproc_def");
    let word = program.of(kind);
    let mut given = program.root().descendants().filter(|it| gives_name(*it)).flat_map(Node::children);
    kind.kind() == "type_identifier"
        && !given.any(|it| it.subtree().any(|it| it.kind().ends_with("identifier") && program.of(it) == word))
}

fn may_assign(program: &Program, kind: Node<'_>, steps: u32) -> bool {
    if steps > 6 {
        return false;
    }
    let word = match kind.kind() {
        "primitive_type" | "sized_type_specifier" | "enum_specifier" => return true,
        "struct_specifier" | "union_specifier" if kind.child("body").is_some() => {
            return has_assignable_fields(program, kind, steps);
        }
        "struct_specifier" | "union_specifier" => kind.child("name").map_or("", |it| program.of(it)),
        _ => program.of(kind),
    };
    let mut known = false;
    for node in program.root().descendants() {
        let is_it = match node.kind() {
            "struct_specifier" | "union_specifier" => {
                node.child("body").is_some() && node.child("name").is_some_and(|it| program.of(it) == word)
            }
            "type_definition" => node.child("declarator").is_some_and(|it| {
                let mut names = it.subtree().filter(|it| it.kind() == "type_identifier");
                names.any(|it| program.of(it) == word)
            }),
            "preproc_def" => node.child("name").is_some_and(|it| program.of(it) == word),
            _ => false,
        };
        if !is_it {
            continue;
        }
        known = true;
        let fits = match node.kind() {
            // Macros of more than a type are refused elsewhere.
            "preproc_def" => !node.child("value").is_some_and(|it| program.of(it).contains("const")),
            "type_definition" => {
                let declarator = node.child("declarator");
                let is_pointer = declarator.is_some_and(|it| it.kind() == "pointer_declarator");
                let is_plain = declarator.is_some_and(|it| it.kind() == "type_identifier");
                let inner = node.child("type");
                !has_const(program, node)
                    && (is_pointer || is_plain && inner.is_some_and(|it| may_assign(program, it, steps + 1)))
            }
            _ => has_assignable_fields(program, node, steps),
        };
        if !fits {
            return false;
        }
    }
    known || is_of_library(word)
}

fn has_const(program: &Program, declaration: Node<'_>) -> bool {
    declaration.children().any(|it| it.kind() == "type_qualifier" && program.of(it) == "const")
}

fn has_assignable_fields(program: &Program, structure: Node<'_>, steps: u32) -> bool {
    let Some(body) = structure.child("body") else { return false };
    body.named().filter(|it| !grammar::is_comment(*it)).all(|field| {
        if field.kind() != "field_declaration" {
            return false;
        }
        let mut declarators = field.children().filter(|it| it.field() == Some("declarator")).peekable();
        let is_pointer = declarators.peek().is_some()
            && declarators.all(|it| it.kind() == "pointer_declarator" && !has_const(program, it));
        let kind = field.child("type");
        is_pointer || !has_const(program, field) && kind.is_some_and(|it| may_assign(program, it, steps + 1))
    })
}

/// Whether a type of C++ that two declarations name is the same in both, whatever their values are: no compiler finds
/// the arguments of a template for it.
pub(crate) fn is_one_type(program: &Program, kind: Node<'_>) -> bool {
    match kind.kind() {
        "primitive_type" | "sized_type_specifier" | "template_type" => return true,
        "struct_specifier" | "enum_specifier" | "union_specifier" | "class_specifier" => {
            return kind.child("body").is_none();
        }
        "qualified_identifier" => {
            let is_template = kind.child("name").is_some_and(|it| it.kind() == "template_type");
            let word = program.of(kind).strip_prefix("std::");
            return is_template || word.is_some_and(is_of_library);
        }
        "type_identifier" => {}
        _ => return false,
    }
    let word = program.of(kind);
    let mut is_own = false;
    for node in program.root().descendants() {
        let named = match node.kind() {
            "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
                node.child("name").filter(|_| node.child("body").is_some())
            }
            "alias_declaration" | "preproc_def" => node.child("name"),
            "type_definition" => node.child("declarator"),
            "type_parameter_declaration" => node.child_of_kind("type_identifier"),
            _ => None,
        };
        if named.is_none_or(|it| program.of(it) != word) {
            continue;
        }
        let around = node.parent().map_or("", Node::kind);
        if matches!(around, "template_declaration" | "template_template_parameter_declaration") {
            return false;
        }
        // Another name may stand for a template.
        let value = node.child("type").or_else(|| node.child("value"));
        if value.is_some_and(|it| !is_whole(program, it)) {
            return false;
        }
        is_own = true;
    }
    is_own || is_of_library(word)
}

/// Whether words certainly name a type and no template.
fn is_whole(program: &Program, kind: Node<'_>) -> bool {
    let kind = kind.child("type").filter(|_| kind.kind() == "type_descriptor").unwrap_or(kind);
    let mut words = program.of(kind).split_whitespace();
    match kind.kind() {
        "primitive_type"
        | "sized_type_specifier"
        | "template_type"
        | "struct_specifier"
        | "class_specifier"
        | "union_specifier"
        | "enum_specifier" => true,
        "qualified_identifier" => kind.child("name").is_some_and(|it| it.kind() == "template_type"),
        "preproc_arg" => words.all(|it| {
            matches!(it, "int" | "long" | "unsigned" | "double" | "float" | "short" | "char" | "bool")
        }),
        _ => false,
    }
}
