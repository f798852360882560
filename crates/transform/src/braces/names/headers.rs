//! What the headers of a program of C or C++ may hide: macros that assign to their arguments, classes that keep references.

use familiar_syntax::tree::Node;
use rustc_hash::FxHashSet;

use super::super::grammar;
use crate::text::Text;

/// Headers of the standard library of C, and those of POSIX that hide nothing.
const PLAIN: &[&str] = &[
    "assert.h",
    "bits/stdc++.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "pthread.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "sys/types.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];

/// Classes of the library of C++ that copy what they get.
pub(super) const COPYING: &[&str] = &[
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

/// Functions of the libraries that neither change nor keep a variable that they get by its name.
const HARMLESS: &[&str] = &[
    "abs",
    "assert",
    "exit",
    "fprintf",
    "free",
    "gcd",
    "isalpha",
    "isdigit",
    "isspace",
    "make_pair",
    "malloc",
    "max",
    "memcpy",
    "memset",
    "min",
    "pow",
    "printf",
    "putchar",
    "puts",
    "snprintf",
    "sprintf",
    "sqrt",
    "stoi",
    "strcmp",
    "strlen",
    "to_string",
    "tolower",
    "toupper",
];

/// What the text of a program says of itself.
pub(super) struct Headers<'p> {
    /// Whether all that the program includes is the library of the language. False where it includes nothing.
    pub(super) are_standard: bool,
    /// Whether it includes something else.
    pub(super) has_others: bool,
    /// Names of built-in numbers.
    numbers: FxHashSet<&'p str>,
    /// Names of functions and methods whose code stands in the text, and of classes without a base.
    own: FxHashSet<&'p str>,
    /// Names that the text declares as functions.
    functions: FxHashSet<&'p str>,
    /// Names of types that another thread or the machine may change.
    shared: FxHashSet<&'p str>,
    /// Operators that the program defines for something that they may change.
    operators: FxHashSet<&'p str>,
}

impl<'p> Headers<'p> {
    pub(super) fn of(program: &'p Text) -> Self {
        let mut headers = Self {
            are_standard: false,
            has_others: false,
            numbers: number_words(program),
            own: FxHashSet::default(),
            functions: FxHashSet::default(),
            shared: FxHashSet::default(),
            operators: FxHashSet::default(),
        };
        for node in program.root().descendants() {
            match node.kind() {
                "preproc_include" => {
                    let path = node.child("path").map_or("", |it| program.of(it));
                    headers.has_others |= !is_plain(path);
                    headers.are_standard = true;
                }
                "function_declarator" => {
                    let name = node.child("declarator");
                    let changes = name.and_then(|it| changed_by(program, it, node));
                    headers.operators.extend(changes);
                    let word = name.map(|it| last_word(program.of(it)));
                    headers.functions.extend(word);
                    let has_code = node.ancestors().take_while(|it| it.kind() != "compound_statement");
                    if has_code.into_iter().any(|it| it.kind() == "function_definition") {
                        headers.own.extend(word);
                    }
                }
                "struct_specifier" | "class_specifier" => {
                    let has_base = node.named().any(|it| it.kind() == "base_class_clause");
                    if node.child("body").is_some() && !has_base {
                        headers.own.extend(node.child("name").map(|it| program.of(it)));
                    }
                }
                "type_definition" | "alias_declaration" if is_shared(program, node) => {
                    let names = node.named().filter(|it| it.kind() == "type_identifier");
                    headers.shared.extend(names.map(|it| program.of(it)));
                }
                _ => {}
            }
        }
        headers.are_standard &= !headers.has_others;
        headers
    }

    /// Whether an operator may change what stands beside it, because the program says so.
    pub(super) fn changes(&self, operator: &str) -> bool {
        self.operators.contains(operator)
    }

    /// Whether a word names a function or a class of the text.
    pub(super) fn defines(&self, word: &str) -> bool {
        self.own.contains(word)
    }

    /// Whether a value of this type has nothing of what it was made from but a copy.
    pub(super) fn copies(&self, kind: &str) -> bool {
        let mut words = kind.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|it| !it.is_empty());
        !kind.is_empty()
            && !kind.contains('&')
            && words.all(|it| {
                is_builtin(it)
                    || COPYING.contains(&it)
                    || self.numbers.contains(it)
                    || self.own.contains(it)
                    || matches!(it, "std" | "const" | "size_t")
                    || it.bytes().all(|it| it.is_ascii_digit())
            })
    }

    /// Whether something else may change a variable at any time: `volatile`, or of an atomic type.
    pub(super) fn is_shared(&self, program: &Text, variable: Node<'_>) -> bool {
        let around = variable.ancestors().take_while(|it| !grammar::is_function(*it));
        let declaration = around.into_iter().find(|it| it.child("type").is_some());
        declaration.is_some_and(|it| {
            let kind = it.child("type").map_or("", |it| program.of(it));
            is_shared(program, it) || self.shared.contains(kind)
        })
    }

    /// Whether a call by this name may be a macro that assigns to what it gets.
    pub(super) fn may_assign(&self, function: &str) -> bool {
        if self.functions.contains(function) || HARMLESS.contains(&function) {
            return false;
        }
        grammar::is_loud(function) || function.starts_with("va_") || !self.are_standard
    }

    /// Whether a function that some header has may keep a reference to what it gets.
    pub(super) fn may_keep(&self, function: &str) -> bool {
        let word = last_word(function);
        self.has_others && !self.defines(word) && !HARMLESS.contains(&word)
    }
}

/// Whether a word is a function of the libraries that does nothing to the code around it.
pub(crate) fn is_harmless(word: &str) -> bool {
    HARMLESS.contains(&word)
}

/// `name` of `std::name<int>`.
pub(super) fn last_word(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or_default();
    name.rsplit([':', '.', '>']).next().unwrap_or_default().trim()
}

fn is_plain(path: &str) -> bool {
    let Some(name) = path.strip_prefix('<').and_then(|it| it.strip_suffix('>')) else { return false };
    PLAIN.contains(&name)
        || !name.is_empty()
            && name.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_')
}

fn is_builtin(word: &str) -> bool {
    matches!(
        word,
        "int" | "long" | "short" | "char" | "signed" | "unsigned" | "float" | "double" | "bool" | "_Bool"
    )
}

/// Whether a declaration says that its variable changes by itself.
fn is_shared(program: &Text, declaration: Node<'_>) -> bool {
    let kind = declaration.child("type").map_or("", |it| program.of(it));
    grammar::is_volatile(program, declaration) || kind.contains("atomic")
}

/// The operator that a function is, where it may change one of its parameters.
fn changed_by<'p>(program: &'p Text, name: Node<'p>, function: Node<'p>) -> Option<&'p str> {
    let name = program.of(name);
    let operator = name.rsplit_once("operator").map(|it| it.1.trim()).filter(|it| !it.is_empty())?;
    let parameters = function.child("parameters")?;
    let is_changed = |it: Node<'_>| {
        it.child("declarator").is_some_and(|it| it.kind().contains("reference_declarator"))
            && !it.children().any(|it| program.of(it) == "const")
    };
    // The first parameter of an operator outside of classes is most often a stream.
    let all: Vec<_> = parameters.named().filter(|it| !grammar::is_comment(*it)).collect();
    let asked = if all.len() > 1 && matches!(operator, "<<" | ">>") { &all[1..] } else { &all[..] };
    asked.iter().any(|it| is_changed(*it)).then_some(operator)
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
