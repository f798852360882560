//! Code that is left alone, whatever a transformation may do.

use familiar_source::Language;
use familiar_syntax::tree::Node;
use rustc_hash::FxHashSet;

use super::names::{Kind, is_harmless};
use super::{grammar, native};
use crate::Refusal;
use crate::program::Program;

/// Words that stand for built-in types, which a macro may put together.
const TYPES: &[&str] =
    &["long", "int", "unsigned", "signed", "double", "float", "char", "short", "const", "bool"];

/// Types of Go that a program may give another meaning.
const GO_TYPES: &[&str] = &[
    "bool", "byte", "float32", "float64", "int", "int8", "int16", "int32", "int64", "rune", "string", "uint",
    "uint8", "uint16", "uint32", "uint64", "uintptr",
];

/// Functions of C behind which the code may run again.
const RETURNING_TWICE: &[&str] =
    &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp", "getcontext", "vfork"];

/// Whether a node may be rewritten at all: its function, or the whole program, may hold what hides the meaning of other code.
pub(crate) fn check(program: &Program, site: Node<'_>) -> Result<(), Refusal> {
    let mut outer = grammar::function_of(site);
    while let Some(around) = outer.ancestors().find(|it| grammar::is_function(*it)) {
        outer = around;
    }
    if grammar::is_function(site) && !site.ancestors().any(grammar::is_function) {
        outer = site;
    }
    if grammar::is_c(program.language()) {
        preprocessor(program, outer)?;
    }
    if program.language() == Language::Go && renames_words(program) {
        return Err(Refusal("the program gives another meaning to a word of the language"));
    }
    let is_whole = outer.parent().is_none();
    for node in outer.descendants().filter(|it| it.is_named()) {
        if let Some(reason) = reason(program, node, is_whole) {
            return Err(Refusal(reason));
        }
        if grammar::is_c(program.language())
            && !is_whole
            && let Some(reason) = hides(program, node)
        {
            return Err(Refusal(reason));
        }
    }
    Ok(())
}

/// Whether a program of Go declares a word for a type or a value that the language has: `true := f()`, `type int float64`.
fn renames_words(program: &Program) -> bool {
    let is_type = |it: Node<'_>| GO_TYPES.contains(&program.of(it));
    let is_named = program.names().variables().iter().any(|it| GO_TYPES.contains(&it.name.as_str()));
    is_named
        || program.root().descendants().any(|it| match it.kind() {
            "type_spec" | "type_alias" => it.child("name").is_some_and(is_type),
            "true" | "false" | "nil" | "iota" => {
                it.parent().is_some_and(|it| it.kind() == "expression_list" && it.field() == Some("left"))
            }
            _ => false,
        })
}

/// What hides the meaning of a function of C or C++.
fn hides(program: &Program, node: Node<'_>) -> Option<&'static str> {
    match node.kind() {
        "expression_statement" if is_loud(program, node) => {
            Some("its function uses a macro that may hide anything")
        }
        "expression_statement" if is_declaration(program, node) => {
            Some("its function has a declaration that looks like an expression")
        }
        "declaration" if is_expression(program, node) => {
            Some("its function has an expression that looks like a declaration")
        }
        "compound_statement" if node.parent().is_some_and(|it| it.kind() == "parenthesized_expression") => {
            Some("its function has a block that gives a value")
        }
        "case_statement" => {
            let list = node.parent().filter(|it| grammar::is_block(*it)).and_then(Node::parent);
            let is_inside = !list.is_some_and(grammar::is_switch);
            is_inside.then_some("its function has a `case` inside of another statement")
        }
        "call_expression" => {
            let name = node.child("function").map_or("", |it| program.of(it));
            RETURNING_TWICE
                .contains(&name)
                .then_some("its function calls one that may return twice, such as `setjmp`")
        }
        _ => None,
    }
}

/// Whether a statement is only a word in capitals, or a call by one, that the program does not declare: a macro may
/// declare names, assign to what it gets, or leave the function.
fn is_loud(program: &Program, statement: Node<'_>) -> bool {
    let expression = grammar::expression_of(statement);
    let name = match expression.kind() {
        "call_expression" => expression.child("function"),
        _ => Some(expression),
    };
    let Some(name) = name.filter(|it| it.kind() == "identifier") else { return false };
    let word = program.of(name);
    let is_class = |it: Node<'_>| {
        matches!(it.kind(), "class_specifier" | "struct_specifier")
            && it.child("name").is_some_and(|it| program.of(it) == word)
    };
    grammar::is_loud(word)
        && program.names().number(name).is_none()
        && !program.root().descendants().any(is_class)
}

/// Whether a statement of C or C++ calls something by a name that nothing declares, and that a header of the program may
/// have as a macro: it may declare a name or leave a loop.
pub(crate) fn may_be_macro(program: &Program, statement: Node<'_>) -> bool {
    let call = grammar::expression_of(statement);
    let is_unknown = |it: Node<'_>| it.kind() == "identifier" && program.names().number(it).is_none();
    let is_own = |it: Node<'_>| {
        it.kind() == "preproc_include" && it.child("path").is_some_and(|it| it.kind() == "string_literal")
    };
    grammar::is_c(program.language())
        && call.child("function").is_some_and(|it| is_unknown(it) && !is_harmless(program.of(it)))
        && program.root().descendants().any(is_own)
}

/// Whether what the grammar takes for a declaration is an expression: `archive & value;` and `a * b;`.
fn is_expression(program: &Program, declaration: Node<'_>) -> bool {
    let Some(kind) = declaration.child("type").filter(|it| it.kind() == "type_identifier") else {
        return false;
    };
    let is_block = |it: &Node<'_>| grammar::is_block(*it) || grammar::is_function(*it);
    // A value of this name that is seen where the declaration stands.
    let is_value = |word: &str| {
        let variables = program.names().variables().iter();
        let same = variables.filter(|it| it.name == word && !matches!(it.kind, Kind::Function | Kind::Other));
        let places = same.map(|it| program.node(it.declaration)).filter(|it| !declaration.holds(*it));
        let mut scopes = places.map(|it| it.ancestors().find(is_block));
        scopes.any(|it| it.is_none_or(|it| it.holds(declaration)))
    };
    let mut declarators = declaration.children().filter(|it| it.field() == Some("declarator"));
    declarators.next().is_some_and(|it| match it.kind() {
        "reference_declarator" => !declaration.children().any(|it| program.of(it) == "extern"),
        "pointer_declarator" => {
            let name = grammar::declarator_name(it).map_or("", |it| program.of(it));
            is_value(program.of(kind)) || program.language() == Language::Cpp && is_value(name)
        }
        _ => false,
    })
}

/// Whether what the grammar takes for an expression is a declaration: `int (&all)[3] = items;` and `Box (b);`.
fn is_declaration(program: &Program, statement: Node<'_>) -> bool {
    let (mut node, mut is_target) = (grammar::expression_of(statement), false);
    let (kind, arguments) = loop {
        let inner = match node.kind() {
            "assignment_expression" | "comma_expression" => node.child("left"),
            "subscript_expression" => node.child("argument"),
            "call_expression" => match (node.child("function"), node.child("arguments")) {
                (Some(kind), Some(arguments)) if kind.kind() != "call_expression" => break (kind, arguments),
                (inner, _) => inner,
            },
            _ => None,
        };
        let Some(inner) = inner else { return false };
        is_target |= node.kind() != "comma_expression";
        node = inner;
    };
    let mut names = arguments.named().filter(|it| !grammar::is_comment(*it));
    let (Some(name), None) = (names.next(), names.next()) else { return false };
    let is_part = |it: Node<'_>| {
        matches!(it.kind(), "pointer_expression" | "parenthesized_expression" | "subscript_expression")
    };
    let inside = std::iter::successors(Some(name), |it| {
        is_part(*it).then(|| it.child("argument").or_else(|| it.named().next())).flatten()
    });
    let Some(name) = inside.last().filter(|it| it.kind() == "identifier") else { return false };
    let word = program.of(kind).split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default();
    kind.kind() == "primitive_type"
        || native::is_type(program, word)
        || is_target && program.names().number(name).is_none() && program.names().number(kind).is_none()
}

fn reason(program: &Program, node: Node<'_>, is_whole: bool) -> Option<&'static str> {
    match node.kind() {
        "labeled_statement" if !is_whole || grammar::function_of(node).parent().is_none() => {
            Some("its function has a label")
        }
        "goto_statement" => Some("its function has a `goto`"),
        "gnu_asm_expression" | "ms_asm_statement" => Some("its function has assembly"),
        "with_statement" => Some("a `with` hides what names mean"),
        "co_await_expression" | "co_yield_statement" | "co_return_statement" | "seh_try_statement" => {
            Some("its function is a coroutine or handles errors of the system")
        }
        "call_expression" if grammar::is_script(program.language()) => {
            let name = node.child("function").map(|it| program.of(it));
            (name == Some("eval")).then_some("an `eval` sees names as text")
        }
        _ => None,
    }
}

fn preprocessor(program: &Program, function: Node<'_>) -> Result<(), Refusal> {
    let hiding = hiding_macros(program)?;
    let is_whole = function.parent().is_none();
    for node in function.descendants() {
        if node.is_named() && node.kind().starts_with("preproc_") && !is_whole {
            return Err(Refusal("its function has lines of the preprocessor"));
        }
        let is_word =
            node.is_named() && node.kind().ends_with("identifier") && node.children().next().is_none();
        if is_word && !is_whole && hiding.contains(program.of(node)) {
            return Err(Refusal("its function uses a macro that may hide anything"));
        }
    }
    Ok(())
}

/// Names of macros that are more than a number, a name or a type.
fn hiding_macros(program: &Program) -> Result<FxHashSet<&str>, Refusal> {
    let mut hiding = FxHashSet::default();
    for node in program.root().descendants() {
        let Some(name) = node.child("name").map(|it| program.of(it)) else { continue };
        match node.kind() {
            "preproc_function_def" => {
                hiding.insert(name);
            }
            "preproc_def" => {
                if TYPES.contains(&name) || is_keyword(name) {
                    return Err(Refusal("a macro gives another meaning to a word of the language"));
                }
                let value = node.child("value").map_or("", |it| program.of(it)).trim();
                if !is_plain(value) {
                    hiding.insert(name);
                }
            }
            _ => {}
        }
    }
    Ok(hiding)
}

fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "for"
            | "while"
            | "do"
            | "if"
            | "else"
            | "switch"
            | "case"
            | "return"
            | "break"
            | "continue"
            | "void"
            | "goto"
            | "true"
            | "false"
            | "auto"
            | "struct"
            | "static"
            | "class"
            | "private"
            | "public"
            | "main"
    )
}

/// Whether a macro stands for a number, a character, a text, one name, or a built-in type.
fn is_plain(value: &str) -> bool {
    let is_word = |text: &str| text.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '.');
    let words: Vec<&str> = value.split_whitespace().collect();
    let is_literal = |quote: char| {
        value.len() > 1
            && value.starts_with(quote)
            && value.ends_with(quote)
            && value.matches(quote).count() == 2
    };
    !value.is_empty() && is_word(value) && !is_keyword(value)
        || !words.is_empty() && words.iter().all(|it| TYPES.contains(it))
        || is_literal('"')
        || is_literal('\'')
}
