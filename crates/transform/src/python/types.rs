//! Which built-in type an expression has, where the text proves it.
//!
//! A variable has a type if all that binds it has that type. Annotations prove nothing. Parameters, attributes, items
//! and results of other functions have no type here.

use familiar_syntax::tree::Node;
use rustc_hash::FxHashMap;

use super::code;
use crate::program::Program;

/// How many variables one after the other lead to a type.
const MOST_STEPS: usize = 8;

/// The types of variables, by their first binding and how many variables may still be followed.
pub(crate) type Known = FxHashMap<(u32, usize), Type>;

/// A built-in type; `Unknown` may be any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Int,
    Bool,
    Float,
    Str,
    List,
    Tuple,
    Set,
    Dict,
    Range,
    None,
    Unknown,
}

impl Type {
    /// Whether it is a number whose sums, differences and products raise nothing.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Self::Int | Self::Bool)
    }

    /// Whether its length is that of a sequence whose items stand at 0, 1 and so on.
    pub(crate) fn is_sequence(self) -> bool {
        matches!(self, Self::Str | Self::List | Self::Tuple | Self::Range)
    }

    /// Whether nobody can change the value.
    pub(crate) fn is_frozen(self) -> bool {
        matches!(self, Self::Int | Self::Bool | Self::Float | Self::Str | Self::Range | Self::None)
    }

    fn joined(self, other: Self) -> Self {
        match (self, other) {
            (left, right) if left == right => left,
            (Self::Int, Self::Bool) | (Self::Bool, Self::Int) => Self::Int,
            _ => Self::Unknown,
        }
    }
}

/// The type of an expression.
pub(crate) fn of(program: &Program, node: Node<'_>) -> Type {
    typed(program, node, MOST_STEPS)
}

fn typed(program: &Program, node: Node<'_>, steps: usize) -> Type {
    let field = |name| node.child(name).map_or(Type::Unknown, |child| typed(program, child, steps));
    match node.kind() {
        "integer" | "float" if program.of(node).ends_with(['j', 'J']) => Type::Unknown,
        "integer" => Type::Int,
        "float" => Type::Float,
        "true" | "false" | "not_operator" => Type::Bool,
        "none" => Type::None,
        "string" | "concatenated_string" => text_type(program, node),
        "list" | "list_comprehension" => Type::List,
        "tuple" => Type::Tuple,
        "set" | "set_comprehension" => Type::Set,
        "dictionary" | "dictionary_comprehension" => Type::Dict,
        "parenthesized_expression" => match code::bare(node) {
            inner if inner == node => Type::Unknown,
            inner => typed(program, inner, steps),
        },
        "conditional_expression" => {
            let ways: Vec<_> = node.named().collect();
            match ways[..] {
                [then, _, other] => typed(program, then, steps).joined(typed(program, other, steps)),
                _ => Type::Unknown,
            }
        }
        "boolean_operator" => field("left").joined(field("right")),
        "comparison_operator" => comparison(program, node, steps),
        "unary_operator" => unary(program, node, field("argument")),
        "binary_operator" => {
            let operator = node.child("operator").map_or("", |it| program.of(it));
            binary(operator, field("left"), field("right"))
        }
        "call" => call(program, node, steps),
        "identifier" if steps > 0 => variable(program, node, steps - 1),
        _ => Type::Unknown,
    }
}

fn text_type(program: &Program, node: Node<'_>) -> Type {
    let prefix = program.of(node).split(['"', '\'']).next().unwrap_or_default();
    if prefix.contains(['b', 'B']) { Type::Unknown } else { Type::Str }
}

/// Comparisons of unknown values may give any value; those of known ones, `is` and `in` give truth values.
fn comparison(program: &Program, node: Node<'_>, steps: usize) -> Type {
    let known = |child: Node<'_>| typed(program, child, steps) != Type::Unknown;
    let operators = node.children().filter(|it| it.field() == Some("operators"));
    let identity = operators.clone().all(|it| matches!(it.kind(), "is" | "is not" | "in" | "not in"));
    let operands = node.named().filter(|it| it.field() != Some("operators"));
    // Of lists and tuples, `<` gives what the first items that differ give.
    let is_plain = |child: Node<'_>| !matches!(typed(program, child, steps), Type::List | Type::Tuple);
    let ordered = node.children().any(|it| matches!(it.kind(), "<" | ">" | "<=" | ">="));
    if identity || operands.clone().all(known) && (!ordered || operands.clone().all(is_plain)) {
        Type::Bool
    } else {
        Type::Unknown
    }
}

fn unary(program: &Program, node: Node<'_>, argument: Type) -> Type {
    match node.child("operator").map_or("", |it| program.of(it)) {
        "-" | "+" | "~" if argument.is_whole() => Type::Int,
        "-" | "+" if argument == Type::Float => Type::Float,
        _ => Type::Unknown,
    }
}

fn binary(operator: &str, left: Type, right: Type) -> Type {
    let whole = left.is_whole() && right.is_whole();
    match operator {
        "+" | "-" | "*" | "//" | "%" | "<<" | ">>" if whole => Type::Int,
        "&" | "|" | "^" if whole => {
            if left == right {
                left
            } else {
                Type::Int
            }
        }
        "/" if whole => Type::Float,
        "+" | "-" | "*" | "/"
            if (left.is_whole() || left == Type::Float) && (right.is_whole() || right == Type::Float) =>
        {
            Type::Float
        }
        "+" if left == right && left.is_sequence() && left != Type::Range => left,
        "*" if matches!(left, Type::Str | Type::List | Type::Tuple) && right.is_whole() => left,
        "*" if matches!(right, Type::Str | Type::List | Type::Tuple) && left.is_whole() => right,
        "%" if left == Type::Str => Type::Str,
        _ => Type::Unknown,
    }
}

/// Results of builtins that have one type whatever they are given, where they return at all.
fn call(program: &Program, node: Node<'_>, steps: usize) -> Type {
    let Some(function) = node.child("function") else { return Type::Unknown };
    let name = program.of(function);
    if function.kind() != "identifier" || !program.scopes().is_builtin(program, function, name) {
        return Type::Unknown;
    }
    let arguments = || {
        let list = node.child("arguments").filter(|it| it.kind() == "argument_list");
        list.into_iter().flat_map(|it| it.named().collect::<Vec<_>>()).map(|it| typed(program, it, steps))
    };
    match name {
        "len" | "ord" | "int" | "hash" | "id" => Type::Int,
        "bool" | "isinstance" | "callable" | "any" | "all" => Type::Bool,
        "float" => Type::Float,
        // A class of the program may give a text of a class of its own.
        "str" | "repr" | "ascii" | "format"
            if has_own_texts(program) && !arguments().all(Type::is_frozen) =>
        {
            Type::Unknown
        }
        "str" | "chr" | "repr" | "bin" | "hex" | "oct" | "input" | "ascii" | "format" => Type::Str,
        "list" | "sorted" => Type::List,
        "tuple" => Type::Tuple,
        "set" => Type::Set,
        "dict" => Type::Dict,
        "range" => Type::Range,
        "abs" | "min" | "max" if arguments().count() > 0 && arguments().all(Type::is_whole) => Type::Int,
        _ => Type::Unknown,
    }
}

/// Whether `str` and the like may give a text of a class that the program makes of `str`.
pub(crate) fn has_own_texts(program: &Program) -> bool {
    let is_text = |class: Node<'_>| {
        class.child("superclasses").is_some_and(|it| it.subtree().any(|it| program.of(it) == "str"))
    };
    ["__str__", "__repr__", "__format__"].iter().any(|it| program.words().contains(*it))
        && code::all(program, "class_definition").any(is_text)
}

fn variable(program: &Program, name: Node<'_>, steps: usize) -> Type {
    let scopes = program.scopes();
    let Some(variable) = scopes.variable(name) else { return Type::Unknown };
    if !variable.is_local() || variable.is_parameter || variable.bindings.is_empty() || variable.is_deleted {
        return Type::Unknown;
    }
    // Without this, each use of a variable would look through all that leads to it, again and again.
    let key = (variable.bindings[0], steps);
    if let Some(&known) = program.types().get(&key) {
        return known;
    }
    let types = variable.bindings.iter().map(|&binding| bound(program, program.node(binding), steps));
    let found = types.reduce(Type::joined).unwrap_or(Type::Unknown);
    program.types().insert(key, found);
    found
}

/// The type that one binding gives its variable.
fn bound(program: &Program, name: Node<'_>, steps: usize) -> Type {
    let Some(parent) = name.parent() else { return Type::Unknown };
    let right = || parent.child("right").map_or(Type::Unknown, |it| typed(program, it, steps));
    let change = change(program, parent);
    match (parent.kind(), name.field()) {
        ("assignment", Some("left")) if change.is_none() => right(),
        ("assignment" | "augmented_assignment", Some("left")) => {
            let Some((operator, right)) = change else { return Type::Unknown };
            // The type before is that of the other bindings, so only what keeps every type counts.
            let right = typed(program, right, steps);
            match program.of(operator).trim_end_matches('=') {
                "+" | "-" | "*" | "//" | "%" if right.is_whole() && others_whole(program, name, steps) => {
                    Type::Int
                }
                "+" if right == Type::Str && others_are(program, name, steps, Type::Str) => Type::Str,
                "+" if right == Type::List && others_are(program, name, steps, Type::List) => Type::List,
                _ => Type::Unknown,
            }
        }
        ("for_statement" | "for_in_clause", Some("left")) if right() == Type::Range => Type::Int,
        ("for_statement" | "for_in_clause", Some("left")) if right() == Type::Str => Type::Str,
        _ => Type::Unknown,
    }
}

/// The operator and the second operand of `x += y` and of `x = x + y`.
fn change<'p>(program: &Program, statement: Node<'p>) -> Option<(Node<'p>, Node<'p>)> {
    let target = statement.child("left").filter(|it| it.kind() == "identifier")?;
    let value = match statement.kind() {
        "augmented_assignment" => statement,
        "assignment" => statement.child("right").filter(|it| it.kind() == "binary_operator")?,
        _ => return None,
    };
    let same = program.of(value.child("left")?) == program.of(target);
    same.then_some((value.child("operator")?, value.child("right")?))
}

fn others_whole(program: &Program, name: Node<'_>, steps: usize) -> bool {
    others(program, name, steps).all(Type::is_whole)
}

fn others_are(program: &Program, name: Node<'_>, steps: usize, wanted: Type) -> bool {
    others(program, name, steps).all(|it| it == wanted)
}

/// The types of the bindings that are no augmented assignments.
fn others<'p>(program: &'p Program, name: Node<'_>, steps: usize) -> impl Iterator<Item = Type> + use<'p> {
    let variable = program.scopes().variable(name);
    let bindings = variable.map(|it| it.bindings.clone()).unwrap_or_default();
    let plain =
        move |number: &u32| program.node(*number).parent().is_none_or(|it| change(program, it).is_none());
    bindings.into_iter().filter(plain).map(move |number| {
        if steps == 0 { Type::Unknown } else { bound(program, program.node(number), steps - 1) }
    })
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;

    /// The type of what `here = …` is given in `code`.
    fn of_here(code: &str) -> Type {
        let program =
            Program::parse(Language::Python, code.as_bytes(), usize::MAX).expect("a test's own code");
        let assignments: Vec<_> = code::all(&program, "assignment").collect();
        let here = assignments
            .iter()
            .find(|it| program.of(it.child("left").expect("a test's own code")) == "here")
            .expect("a test's own code");
        of(&program, here.child("right").expect("a test's own code"))
    }

    #[test]
    fn types_by_hand() {
        let cases = [
            ("here = 3 - len(x)", Type::Int),
            ("here = 7 / 2", Type::Float),
            ("here = 'a' * 3 + str(q)", Type::Str),
            ("here = a < b", Type::Unknown),
            ("here = 3 < len(b)", Type::Bool),
            ("here = a is None", Type::Bool),
            ("here = (a,) < (b,)", Type::Unknown),
            ("here = [a] == [b]", Type::Bool),
            ("class A(str):\n    def __str__(self): pass\nhere = str(a)", Type::Unknown),
            ("class A(str):\n    def __str__(self): pass\nhere = str(3)", Type::Str),
            ("here = [] if q else list(z)", Type::List),
            ("here = b'x'", Type::Unknown),
            ("here = 2j", Type::Unknown),
            ("here = 2.5J + 1", Type::Unknown),
            ("here = foo(3)", Type::Unknown),
            ("len = foo\nhere = len(3)", Type::Unknown),
            ("from x import *\nhere = len(3)", Type::Unknown),
            ("def f(a):\n    here = a", Type::Unknown),
            ("def f(a):\n    b = 0\n    for i in range(a):\n        b += i\n    here = b", Type::Int),
            (
                "def f(a):\n    b = 0\n    for i in range(a):\n        b += i\n    b = a\n    here = b",
                Type::Unknown,
            ),
            ("def f(a):\n    b = 0\n    b /= 2\n    here = b", Type::Unknown),
            ("def f(a):\n    b = 0\n    while a:\n        b = b + len(a)\n    here = b", Type::Int),
            ("def f(a):\n    b = a\n    while a:\n        b = b + 1\n    here = b", Type::Unknown),
            ("def f(a):\n    b = 0\n    while a:\n        b = b + a\n    here = b", Type::Unknown),
            ("def f(a):\n    b = 0\n    b = b / 2\n    here = b", Type::Unknown),
            ("def f(a):\n    b = 'x'\n    for c in b:\n        b += c\n    here = c", Type::Unknown),
            (
                "def f():\n    b = 0\n    def g():\n        nonlocal b\n        b = 'x'\n    here = b",
                Type::Unknown,
            ),
        ];
        for (code, expected) in cases {
            assert_eq!(of_here(&format!("{code}\n")), expected, "{code}");
        }
    }
}
