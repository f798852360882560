//! Which built-in type an expression has.
//!
//! Types come from declarations and literals only. In JavaScript and TypeScript, where annotations prove nothing, a
//! variable has a type if all its values have it.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::grammar::{self, is_script};
use super::names::{Kind, Variable};
use crate::program::Program;

/// How far the values of variables are followed.
const MOST_STEPS: u32 = 6;

/// A built-in type; `Unknown` where it may be any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Bool,
    /// `int`.
    Int,
    /// The longer whole numbers of Java, C and C++.
    Long,
    /// Whole numbers that arithmetic makes an `int`: `char`, `short`, `byte`.
    Narrow,
    /// Whole numbers without a sign, of any width.
    Unsigned,
    /// Whole numbers of Go that are no `int`.
    Sized,
    Float,
    /// `double`, `float64`, and the numbers of JavaScript.
    Double,
    Text,
    Pointer,
    Array,
    Unknown,
}

impl Type {
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Self::Int | Self::Long | Self::Narrow | Self::Unsigned | Self::Sized)
    }

    pub(crate) fn is_number(self) -> bool {
        self.is_integer() || matches!(self, Self::Float | Self::Double)
    }

    /// Whether operators on it run no code of the program, and copying it copies it whole.
    pub(crate) fn is_primitive(self) -> bool {
        self.is_number() || matches!(self, Self::Bool | Self::Pointer)
    }
}

/// The type of an expression.
pub(crate) fn of(program: &Program, expression: Node<'_>) -> Type {
    of_expression(program, expression, 0)
}

fn of_expression(program: &Program, node: Node<'_>, steps: u32) -> Type {
    if steps > MOST_STEPS {
        return Type::Unknown;
    }
    let inner = |node| of_expression(program, node, steps + 1);
    let is_true_number = matches!(program.language(), Language::C);
    match node.kind() {
        "parenthesized_expression" => match grammar::bare(node) {
            bare if bare == node => Type::Unknown,
            bare => inner(bare),
        },
        "true" | "false" if is_true_number => Type::Int,
        "true" | "false" => Type::Bool,
        "string" | "template_string" | "interpreted_string_literal" | "raw_string_literal" => Type::Text,
        "string_literal" if program.language() == Language::Java => Type::Text,
        "character_literal" | "char_literal" => Type::Narrow,
        "rune_literal" => Type::Sized,
        "decimal_integer_literal"
        | "hex_integer_literal"
        | "number_literal"
        | "number"
        | "int_literal"
        | "decimal_floating_point_literal"
        | "float_literal" => of_number(program.of(node), program.language()),
        "identifier" => {
            program.names().variable(node).map_or(Type::Unknown, |it| of_variable(program, it, steps + 1))
        }
        "cast_expression" => node.child("type").map_or(Type::Unknown, |it| of_name(program, it, true)),
        "binary_expression" => of_binary(program, node, steps + 1),
        "ternary_expression" | "conditional_expression" => match grammar::ternary(node) {
            Some([_, left, right]) if inner(left) == inner(right) => inner(left),
            _ => Type::Unknown,
        },
        "unary_expression" => match grammar::unary(node) {
            Some(("!", _)) if is_true_number => Type::Int,
            Some(("!", operand)) if is_script(program.language()) || inner(operand) == Type::Bool => {
                Type::Bool
            }
            Some(("-" | "+" | "~", operand)) => promoted(inner(operand), program.language()),
            _ => Type::Unknown,
        },
        "assignment_expression" => node.child("left").map_or(Type::Unknown, inner),
        "update_expression" => grammar::update(node).map_or(Type::Unknown, |it| inner(it.0)),
        "field_access" => {
            let is_length = node.child("field").is_some_and(|it| program.of(it) == "length");
            let object = node.child("object").filter(|_| is_length);
            if object.is_some_and(|it| inner(it) == Type::Array) { Type::Int } else { Type::Unknown }
        }
        "method_invocation" => of_method(program, node, steps + 1),
        "sizeof_expression" => Type::Unsigned,
        "call_expression" if program.language() == Language::Go => of_builtin(program, node),
        _ => Type::Unknown,
    }
}

/// The type of a call of a function that Go has built in.
fn of_builtin(program: &Program, call: Node<'_>) -> Type {
    let name = call.child("function").filter(|it| program.names().number(*it).is_none());
    match name.map(|it| program.of(it)) {
        Some("len" | "cap" | "int") => Type::Int,
        Some("float64") => Type::Double,
        _ => Type::Unknown,
    }
}

fn of_number(text: &str, language: Language) -> Type {
    let text = text.to_ascii_lowercase();
    let is_hex = text.starts_with("0x");
    if is_script(language) {
        return if text.ends_with('n') { Type::Unknown } else { Type::Double };
    }
    if !is_hex && text.ends_with('f') && language != Language::Go {
        return Type::Float;
    }
    if !is_hex && text.contains(['.', 'e', 'd']) || is_hex && text.contains(['.', 'p']) {
        return Type::Double;
    }
    if language != Language::Go && text.contains('u') {
        return Type::Unsigned;
    }
    let digits: String = text.chars().filter(|it| *it != '_' && *it != '\'').collect();
    let digits = digits.trim_end_matches('l');
    let value = digits
        .strip_prefix("0x")
        .map_or_else(|| digits.trim_start_matches('-').parse(), |hex| i64::from_str_radix(hex, 16));
    match value {
        _ if text.ends_with('l') => Type::Long,
        Ok(value) if value < 1 << 31 => Type::Int,
        _ if language == Language::Go => Type::Int,
        _ => Type::Unknown,
    }
}

fn of_binary(program: &Program, node: Node<'_>, steps: u32) -> Type {
    let Some((left, operator, right)) = grammar::binary(node) else { return Type::Unknown };
    let language = program.language();
    let types = || [left, right].map(|it| of_expression(program, it, steps));
    match operator {
        "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" if language == Language::C => Type::Int,
        "===" | "!==" => Type::Bool,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => {
            // An operator of C++ may be the program's own, and a bool of Go may have a name.
            let known = language != Language::Cpp || types().iter().all(|it| it.is_primitive());
            if known { Type::Bool } else { Type::Unknown }
        }
        "&&" | "||" => match types() {
            [Type::Bool, Type::Bool] => Type::Bool,
            _ => Type::Unknown,
        },
        "+" if types().contains(&Type::Text) && language != Language::Cpp => match (language, types()) {
            (Language::Go, [left, right]) if left != right => Type::Unknown,
            _ => Type::Text,
        },
        "+" | "-" | "*" | "/" | "%" | "**" => arithmetic(types(), language),
        "&" | "|" | "^" => match types() {
            [Type::Bool, Type::Bool] if language == Language::Java => Type::Bool,
            types => arithmetic(types, language),
        },
        "<<" | ">>" | ">>>" => match types() {
            // A constant of Go that is shifted is a whole number, whatever it looks like.
            [left, _] if language == Language::Go && !left.is_integer() => Type::Unknown,
            [left, right] if left.is_number() && right.is_number() => promoted(left, language),
            _ => Type::Unknown,
        },
        _ => Type::Unknown,
    }
}

fn promoted(of: Type, language: Language) -> Type {
    match of {
        Type::Bool if grammar::is_c(language) => Type::Int,
        Type::Narrow if language != Language::Go => Type::Int,
        of if of.is_number() => of,
        _ => Type::Unknown,
    }
}

fn arithmetic(types: [Type; 2], language: Language) -> Type {
    if language == Language::Go {
        // A constant takes the type of the other side, so both must be the same kind.
        return if types[0] == types[1] && types[0].is_number() { types[0] } else { Type::Unknown };
    }
    let [left, right] = types.map(|it| promoted(it, language));
    let order = [Type::Double, Type::Float, Type::Unsigned, Type::Long, Type::Int];
    if left == Type::Unknown || right == Type::Unknown || is_script(language) && left != right {
        return Type::Unknown;
    }
    order.into_iter().find(|it| *it == left || *it == right).unwrap_or(Type::Unknown)
}

fn of_method(program: &Program, call: Node<'_>, steps: u32) -> Type {
    let (Some(object), Some(name)) = (call.child("object"), call.child("name")) else { return Type::Unknown };
    match program.of(name) {
        "length" | "indexOf" | "compareTo" if of_expression(program, object, steps) == Type::Text => {
            Type::Int
        }
        "charAt" if of_expression(program, object, steps) == Type::Text => Type::Narrow,
        _ => Type::Unknown,
    }
}

/// The type of a variable.
pub(crate) fn of_variable(program: &Program, variable: &Variable, steps: u32) -> Type {
    if variable.is_unclear {
        return Type::Unknown;
    }
    if is_script(program.language()) {
        return of_values(program, variable, steps);
    }
    if matches!(variable.kind, Kind::Function | Kind::Other) {
        return Type::Unknown;
    }
    let name = program.node(variable.declaration);
    let Some(declaration) = declaration_of(name) else { return Type::Unknown };
    match declaration.kind() {
        "short_var_declaration" => {
            let declared = grammar::declared(declaration).unwrap_or_default();
            let value = declared.iter().find(|it| it.name == name).and_then(|it| it.value);
            value.map_or(Type::Unknown, |it| of_expression(program, it, steps))
        }
        "range_clause" => {
            let names = declaration.child("left").into_iter().flat_map(Node::named);
            let is_first = names.into_iter().next() == Some(name);
            let over =
                declaration.child("right").map_or(Type::Unknown, |it| of_expression(program, it, steps));
            if is_first && matches!(over, Type::Text | Type::Array) { Type::Int } else { Type::Unknown }
        }
        "var_spec" if declaration.child("type").is_none() => {
            let value = declaration.child("value").and_then(grammar::only);
            value.map_or(Type::Unknown, |it| of_expression(program, it, steps))
        }
        "spread_parameter" | "variadic_parameter_declaration" => Type::Array,
        _ => {
            declaration.child("type").map_or(Type::Unknown, |kind| declared(program, declaration, name, kind))
        }
    }
}

/// The declaration that says which type a name has. What stands around it says nothing: `d` of `int r = f(d -> d + 1)` is
/// no `int`, and neither is it in a function that gives one.
pub(crate) fn declaration_of(name: Node<'_>) -> Option<Node<'_>> {
    let mut part = name;
    for around in name.ancestors() {
        let is_inside = matches!(part.field(), Some("value" | "right" | "body" | "arguments"));
        if is_inside || grammar::is_function(around) || grammar::is_block(around) {
            return None;
        }
        if around.child("type").is_some()
            || matches!(around.kind(), "short_var_declaration" | "var_spec" | "range_clause")
        {
            return Some(around);
        }
        part = around;
    }
    None
}

/// The type of a name that is declared with a type.
fn declared(program: &Program, declaration: Node<'_>, name: Node<'_>, kind: Node<'_>) -> Type {
    let inside = name.ancestors().take_while(|it| *it != declaration);
    let mut is_plain = true;
    for around in inside {
        match around.kind() {
            "reference_declarator" | "parenthesized_declarator" | "function_declarator" => {
                return Type::Unknown;
            }
            "pointer_declarator" => return Type::Pointer,
            "array_declarator" => return Type::Array,
            _ => is_plain &= around.child("dimensions").is_none(),
        }
    }
    if declaration.child("dimensions").is_some() || !is_plain {
        return Type::Array;
    }
    // Another thread may change it between two steps.
    if grammar::is_c(program.language()) && grammar::is_volatile(program, declaration) {
        return Type::Unknown;
    }
    of_name(program, kind, false)
}

/// The type that these words name. A cast may hold a pointer.
fn of_name(program: &Program, kind: Node<'_>, is_cast: bool) -> Type {
    let text = program.of(kind);
    let words: Vec<&str> = text.split_whitespace().collect();
    let language = program.language();
    match language {
        Language::Java => match text {
            "int" => Type::Int,
            "long" => Type::Long,
            "byte" | "short" | "char" => Type::Narrow,
            "float" => Type::Float,
            "double" => Type::Double,
            "boolean" => Type::Bool,
            "String" => Type::Text,
            _ if kind.kind() == "array_type" => Type::Array,
            _ => Type::Unknown,
        },
        Language::Go => match text {
            "int" => Type::Int,
            "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16" | "uint32" | "uint64"
            | "byte" | "rune" | "uintptr" => Type::Sized,
            "float32" => Type::Float,
            "float64" => Type::Double,
            "bool" => Type::Bool,
            "string" => Type::Text,
            _ if matches!(kind.kind(), "slice_type" | "array_type") => Type::Array,
            _ => Type::Unknown,
        },
        _ if is_cast && text.contains(['*', '&', '(', '[']) => Type::Unknown,
        Language::C if text == "bool" && names_bool(program) => Type::Unknown,
        _ => of_c(&words),
    }
}

/// Whether a program of C gives the name `bool` to a type that holds any number, or a header of its own may.
fn names_bool(program: &Program) -> bool {
    let has = |path: &str| program.text().contains(path);
    let is_given = |it: Node<'_>| {
        it.kind() == "type_definition"
            && it.children().any(|it| it.field() == Some("declarator") && program.of(it) == "bool")
    };
    !has("<stdbool.h>") && has("#include \"")
        || program.words().contains("typedef") && program.root().descendants().any(is_given)
}

fn of_c(words: &[&str]) -> Type {
    let known = |it: &&str| {
        matches!(
            *it,
            "int"
                | "long"
                | "short"
                | "char"
                | "signed"
                | "unsigned"
                | "float"
                | "double"
                | "bool"
                | "_Bool"
                | "size_t"
        )
    };
    match words {
        [] => Type::Unknown,
        _ if !words.iter().all(known) => Type::Unknown,
        _ if words.contains(&"unsigned") || words.contains(&"size_t") => Type::Unsigned,
        ["long", "double"] => Type::Unknown,
        ["double"] => Type::Double,
        ["float"] => Type::Float,
        ["bool" | "_Bool"] => Type::Bool,
        _ if words.contains(&"char") || words.contains(&"short") => Type::Narrow,
        _ if words.contains(&"long") => Type::Long,
        _ => Type::Int,
    }
}

/// The type that all values of a variable of JavaScript have.
fn of_values(program: &Program, variable: &Variable, steps: u32) -> Type {
    if variable.kind != Kind::Local && variable.kind != Kind::Global {
        return Type::Unknown;
    }
    let first = program.node(variable.places[0]);
    let Some(declarator) = first.parent().filter(|it| it.kind() == "variable_declarator") else {
        return Type::Unknown;
    };
    let is_let = declarator.parent().is_some_and(|it| it.kind() == "lexical_declaration");
    if !is_let && (variable.kind == Kind::Global || !is_like_let(program, variable, declarator)) {
        return Type::Unknown;
    }
    let mut all = None;
    for &place in &variable.writes {
        let node = program.node(place);
        let Some(parent) = node.parent() else { return Type::Unknown };
        let value = match parent.kind() {
            "variable_declarator" => parent.child("value").map(|it| of_expression(program, it, steps)),
            "assignment_expression" if node.field() == Some("left") => {
                parent.child("right").map(|it| of_expression(program, it, steps))
            }
            "augmented_assignment_expression" => of_augmented(program, parent, all, steps),
            // It makes a number of anything.
            "update_expression" => all.filter(|it| it.is_number()),
            _ => None,
        };
        match (value, all) {
            (Some(value), None) => all = Some(value),
            (Some(value), Some(known)) if value == known => {}
            _ => return Type::Unknown,
        }
    }
    // Without a value at the beginning it is `undefined` for a while.
    if variable.writes.first() == Some(&first.number()) {
        all.unwrap_or(Type::Unknown)
    } else {
        Type::Unknown
    }
}

/// The type after `x += y`, where `x` has type `before`.
fn of_augmented(program: &Program, node: Node<'_>, before: Option<Type>, steps: u32) -> Option<Type> {
    let added = of_expression(program, node.child("right")?, steps);
    match (node.child("operator")?.kind(), before?) {
        ("+=", Type::Text) => Some(Type::Text),
        ("+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | ">>>=", before)
            if added == before && before.is_number() =>
        {
            Some(before)
        }
        _ => None,
    }
}

/// Whether a `var` is used only behind its declaration, in the block in which that stands.
fn is_like_let(program: &Program, variable: &Variable, declarator: Node<'_>) -> bool {
    let Some(around) = declarator.parent().and_then(Node::parent) else { return false };
    !variable.is_captured
        && variable.places.iter().all(|&place| {
            let node = program.node(place);
            around.holds(node) && (node.start() > declarator.end() || declarator.holds(node))
        })
}
