//! What a statement or an expression reads, writes and may do.
//!
//! All of it is conservative: what is not known may do anything.

use std::collections::BTreeSet;

use familiar_syntax::tree::Node;

use super::code;
use super::types::{self, Type};
use crate::program::Program;

/// What code may do, besides giving a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    /// Numbers of the variables that it reads.
    pub(crate) reads: BTreeSet<usize>,
    pub(crate) writes: BTreeSet<usize>,
    /// Whether it looks into objects that may change.
    pub(crate) reads_objects: bool,
    /// Whether it changes objects, or runs code that is not known.
    pub(crate) acts: bool,
    /// Whether it binds variables that other code can see.
    pub(crate) exposes: bool,
    pub(crate) may_raise: bool,
    /// Whether it returns, breaks, continues, raises, yields or awaits.
    pub(crate) leaves: bool,
}

impl Effects {
    /// What runs when the code does, without the bodies of functions that it only defines.
    pub(crate) fn of(program: &Program, node: Node<'_>) -> Self {
        let mut effects = Self::default();
        effects.add(program, node);
        effects
    }

    /// Whether two pieces of code may run in either order, where no `try` around them sees what was done before an exception.
    pub(crate) fn is_independent_of(&self, other: &Self) -> bool {
        let apart = |writes: &BTreeSet<usize>, other: &Self| {
            writes.is_disjoint(&other.reads) && writes.is_disjoint(&other.writes)
        };
        let stops = |it: &Self| it.acts || it.may_raise || it.leaves;
        apart(&self.writes, other)
            && apart(&other.writes, self)
            && !(stops(self) && stops(other))
            && !(self.exposes && stops(other) || other.exposes && stops(self))
            && !(self.leaves || other.leaves)
            && !(self.acts && other.reads_objects || other.acts && self.reads_objects)
    }

    fn add(&mut self, program: &Program, node: Node<'_>) {
        match node.kind() {
            "comment" | "pass_statement" => {}
            "type" => self.annotation(program, node),
            "identifier" => self.name(program, node),
            "function_definition" | "lambda" => self.definition(program, node),
            "return_statement" | "break_statement" | "continue_statement" | "raise_statement" | "yield"
            | "await" | "assert_statement" => {
                self.leaves = true;
                self.may_raise = true;
                self.acts |= matches!(node.kind(), "yield" | "await");
                self.all(program, node);
            }
            "call" => self.call(program, node),
            "attribute" => {
                self.reads_objects = true;
                self.may_raise = true;
                // A property may run code.
                self.acts = true;
                node.child("object").into_iter().for_each(|it| self.add(program, it));
            }
            "subscript" => self.subscript(program, node),
            "binary_operator" | "unary_operator" => self.operator(program, node),
            "comparison_operator" => {
                let names_only = node.named().filter(|it| it.field() != Some("operators"));
                let known = names_only.clone().all(|it| types::of(program, it).is_frozen());
                let identity = node
                    .children()
                    .filter(|it| it.field() == Some("operators"))
                    .all(|it| it.kind().starts_with("is"));
                if !known && !identity {
                    self.any_code();
                }
                // Numbers and texts cannot be ordered with each other.
                let ordered =
                    node.children().any(|it| matches!(it.kind(), "<" | ">" | "<=" | ">=" | "in" | "not in"));
                let kinds: Vec<_> = names_only.map(|it| types::of(program, it)).collect();
                let one_kind = kinds.iter().all(|it| it.is_whole() || *it == Type::Float)
                    || kinds.iter().all(|it| *it == Type::Str);
                self.may_raise |= ordered && !one_kind;
                self.all(program, node);
            }
            "boolean_operator"
            | "not_operator"
            | "conditional_expression"
            | "if_statement"
            | "while_statement" => {
                self.truth(program, node);
                self.all(program, node);
            }
            "augmented_assignment" => self.augmented(program, node),
            "assignment"
            | "expression_statement"
            | "block"
            | "module"
            | "parenthesized_expression"
            | "tuple"
            | "list"
            | "expression_list"
            | "argument_list"
            | "elif_clause"
            | "else_clause"
            | "integer"
            | "float"
            | "true"
            | "false"
            | "none"
            | "ellipsis"
            | "string_start"
            | "string_content"
            | "string_end"
            | "escape_sequence" => self.all(program, node),
            "string" | "concatenated_string" => {
                if node.subtree().any(|it| it.kind() == "interpolation") {
                    self.any_code();
                }
                self.all(program, node);
            }
            "pattern_list" | "tuple_pattern" | "list_pattern" => {
                self.any_code();
                self.all(program, node);
            }
            kind if !node.is_named() || kind.is_empty() => {}
            // Loops, comprehensions, displays of sets and dictionaries, `with`, `try`, imports, classes and all that is not named here.
            _ => {
                self.any_code();
                self.leaves |= matches!(
                    node.kind(),
                    "with_statement" | "try_statement" | "for_statement" | "match_statement"
                );
                self.all(program, node);
            }
        }
    }

    /// The annotation of a name runs at the level of a module or a class; in a function it does not.
    fn annotation(&mut self, program: &Program, node: Node<'_>) {
        let is_local = node.ancestors().any(|it| matches!(it.kind(), "function_definition" | "lambda"));
        if !is_local && !is_plain_type(program, node) {
            self.all(program, node);
        }
    }

    fn all(&mut self, program: &Program, node: Node<'_>) {
        node.children().for_each(|child| self.add(program, child));
    }

    fn any_code(&mut self) {
        self.reads_objects = true;
        self.acts = true;
        self.may_raise = true;
    }

    fn name(&mut self, program: &Program, name: Node<'_>) {
        let scopes = program.scopes();
        let (Some(number), Some(variable)) = (scopes.number(name), scopes.variable(name)) else { return };
        if variable.bindings.contains(&name.number()) {
            self.writes.insert(number);
            let parent = name.parent().map_or("", Node::kind);
            if parent == "augmented_assignment" || variable.is_deleted {
                self.reads.insert(number);
                self.may_raise = true;
            }
            self.exposes |= variable.is_shared || variable.is_captured || !variable.is_local();
        } else {
            self.reads.insert(number);
            // A parameter always has a value. Of others nobody knows here whether they are bound yet.
            let is_bound = variable.is_parameter || is_bound_before(name, &variable.bindings);
            self.may_raise |= !is_bound || variable.is_deleted;
            self.reads_objects |= variable.is_shared || !variable.is_local() && !variable.bindings.is_empty();
        }
    }

    /// A definition runs its defaults and decorators; its body runs later, and may read its variables then.
    fn definition(&mut self, program: &Program, node: Node<'_>) {
        self.any_code();
        self.all(program, node);
    }

    fn truth(&mut self, program: &Program, node: Node<'_>) {
        let operands: Vec<_> = match node.kind() {
            "conditional_expression" => node.named().nth(1).into_iter().collect(),
            "if_statement" | "while_statement" => {
                node.subtree().filter_map(|it| it.child("condition")).collect()
            }
            _ => node.named().collect(),
        };
        // The truth of an object that is not built in may run code.
        if operands.iter().any(|it| types::of(program, *it) == Type::Unknown) {
            self.any_code();
        }
        self.leaves |= node.kind() == "while_statement";
    }

    fn call(&mut self, program: &Program, node: Node<'_>) {
        let function = node.child("function");
        let arguments: Vec<_> =
            node.child("arguments").into_iter().flat_map(|it| it.named().collect::<Vec<_>>()).collect();
        let known = function.is_some_and(|name| {
            let is = |builtin| program.scopes().is_builtin(program, name, builtin);
            let types: Vec<_> = arguments.iter().map(|it| types::of(program, *it)).collect();
            let sized = |it: &Type| it.is_sequence() || matches!(it, Type::Dict | Type::Set);
            match types[..] {
                [one] if is("len") => sized(&one),
                [one] if is("str") || is("repr") => one.is_frozen(),
                [one] if is("abs") || is("bool") => one.is_whole() || one == Type::Float,
                [one] if is("int") || is("float") => one.is_whole(),
                [] => is("list") || is("dict") || is("set") || is("tuple") || is("str"),
                [_] | [_, _] if is("range") => types.iter().all(|it| it.is_whole()),
                _ => (is("min") || is("max")) && types.len() > 1 && types.iter().all(|it| it.is_whole()),
            }
        });
        if known {
            self.reads_objects = true;
            for argument in arguments {
                self.add(program, argument);
            }
        } else {
            self.any_code();
            self.all(program, node);
        }
    }

    fn subscript(&mut self, program: &Program, node: Node<'_>) {
        self.reads_objects = true;
        self.may_raise = true;
        let written = matches!(node.field(), Some("left"))
            || node.parent().is_some_and(|it| it.kind().ends_with("pattern"));
        let value = node.child("value").map_or(Type::Unknown, |it| types::of(program, it));
        self.acts |= written
            || value == Type::Unknown
            || node.parent().is_some_and(|it| it.kind() == "delete_statement");
        self.all(program, node);
    }

    fn operator(&mut self, program: &Program, node: Node<'_>) {
        let operands = node.named().filter(|it| it.field() != Some("operator"));
        let kinds: Vec<_> = operands.map(|it| types::of(program, it)).collect();
        let operator = node.child("operator").map_or("", |it| program.of(it));
        let numbers = kinds.iter().all(|it| it.is_whole() || *it == Type::Float);
        let whole = kinds.iter().all(|it| it.is_whole());
        let texts = kinds.iter().all(|it| *it == Type::Str);
        let quiet = match operator {
            "-" if kinds.len() == 1 => numbers,
            "+" => whole || texts,
            "-" | "*" | "&" | "|" | "^" => whole,
            _ => false,
        };
        self.may_raise |= !quiet;
        self.acts |= !(numbers || texts);
        self.reads_objects |= !(numbers || texts);
        self.all(program, node);
    }

    fn augmented(&mut self, program: &Program, node: Node<'_>) {
        let kind = |field| node.child(field).map_or(Type::Unknown, |it| types::of(program, it));
        let (left, right) = (kind("left"), kind("right"));
        let quiet = left.is_whole() && right.is_whole() || left == Type::Str && right == Type::Str;
        if !quiet {
            self.any_code();
        }
        self.may_raise = true;
        self.all(program, node);
    }
}

/// Whether a type is made of builtins and of what `typing` and `collections` give, so that it does nothing.
fn is_plain_type(program: &Program, node: Node<'_>) -> bool {
    let is_typing = |binding: Node<'_>| {
        let import = binding.ancestors().find(|it| it.kind().starts_with("import_"));
        let module = import.and_then(|it| it.child("module_name").or_else(|| it.child("name")));
        module.is_some_and(|it| {
            matches!(program.of(it), "typing" | "collections" | "collections.abc" | "typing_extensions")
        })
    };
    node.descendants().filter(|it| it.is_named()).all(|it| match it.kind() {
        "identifier" if it.field() == Some("attribute") => true,
        "identifier" => program.scopes().variable(it).is_none_or(|variable| {
            let mut bindings = variable.bindings.iter().map(|&it| program.node(it));
            if variable.bindings.is_empty() {
                TYPES.contains(&variable.name.as_str())
            } else {
                bindings.all(is_typing)
            }
        }),
        "type" | "generic_type" | "type_parameter" | "subscript" | "attribute" | "string"
        | "string_start" | "string_content" | "string_end" | "none" | "member_type" | "union_type"
        | "ellipsis" | "list" | "tuple" => true,
        _ => false,
    })
}

/// Builtins that stand in annotations.
const TYPES: &[&str] = &[
    "int",
    "str",
    "float",
    "bool",
    "list",
    "dict",
    "set",
    "tuple",
    "bytes",
    "object",
    "complex",
    "frozenset",
    "type",
    "bytearray",
];

/// Whether an assignment among the statements before this one, in its block or in one around it, binds the variable.
pub(crate) fn is_bound_before(name: Node<'_>, bindings: &[u32]) -> bool {
    let mut at = name;
    for around in name.ancestors() {
        if matches!(around.kind(), "block" | "module") {
            let mut before = around.named().take_while(|it| it.number() < at.number());
            if before.any(|statement| binds(statement, bindings)) {
                return true;
            }
        }
        let in_body = around.kind() == "for_statement" && at.field() == Some("body");
        if in_body
            && around
                .child("left")
                .is_some_and(|left| left.subtree().any(|it| bindings.contains(&it.number())))
        {
            return true;
        }
        if matches!(around.kind(), "function_definition" | "lambda" | "class_definition") {
            return false;
        }
        at = around;
    }
    false
}

/// Whether a statement binds one of the names whenever it is done.
fn binds(statement: Node<'_>, bindings: &[u32]) -> bool {
    let is_bound = |it: Node<'_>| bindings.contains(&it.number());
    let in_block = |block: Node<'_>| {
        code::ends_elsewhere(block) || block.named().any(|statement| binds(statement, bindings))
    };
    match statement.kind() {
        "expression_statement" => statement.descendants().any(|it| {
            let is_target = it.kind() == "assignment" && it.child("right").is_some();
            is_target && it.child("left").is_some_and(|left| left.subtree().any(is_bound))
        }),
        "import_statement" | "import_from_statement" => statement.descendants().any(is_bound),
        "function_definition" | "class_definition" => statement.child("name").is_some_and(is_bound),
        "decorated_definition" => statement.child("definition").is_some_and(|it| binds(it, bindings)),
        "with_statement" => {
            let targets = statement.child_of_kind("with_clause").into_iter().flat_map(Node::descendants);
            targets.filter(|it| it.kind() == "as_pattern_target").any(|it| it.subtree().any(is_bound))
        }
        "if_statement" => {
            let branches = code::branches(statement);
            branches.last().is_some_and(|it| it.condition.is_none())
                && branches.iter().all(|it| in_block(it.body))
        }
        "try_statement" => {
            let blocks = statement.named().filter_map(|it| {
                let block = if it.kind() == "block" { Some(it) } else { it.child_of_kind("block") };
                block.map(|block| (it.kind(), block))
            });
            let blocks: Vec<_> = blocks.collect();
            let of = |kinds: &'static [&str]| blocks.iter().filter(move |it| kinds.contains(&it.0));
            of(&["finally_clause"]).any(|it| in_block(it.1))
                || of(&["block", "else_clause"]).any(|it| in_block(it.1))
                    && of(&["except_clause", "except_group_clause"]).all(|it| in_block(it.1))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;

    fn effects(code: &str) -> Vec<Effects> {
        let program =
            Program::parse(Language::Python, code.as_bytes(), usize::MAX).expect("a test's own code");
        let body = code::all(&program, "function_definition")
            .next()
            .expect("a test's own code")
            .child("body")
            .expect("a test's own code");
        code::statements(body).map(|it| Effects::of(&program, it)).collect()
    }

    #[test]
    fn effects_by_hand() {
        let pure = |code: &str| effects(&format!("def f(a, b):\n    x = 1\n    y = {code}\n"))[1].clone();
        let calm = |code: &str| {
            let effects = pure(code);
            !effects.acts && !effects.may_raise && !effects.leaves
        };
        for code in [
            "2",
            "x",
            "x + 1",
            "(a, b)",
            "[a, x]",
            "not x",
            "x < 3",
            "a is None",
            "len([a])",
            "str(x)",
            "-x",
            "'s' + 't'",
        ] {
            assert!(calm(code), "{code}");
        }
        for code in [
            "a + 1",
            "x / 1",
            "a < 3",
            "not a",
            "f(x)",
            "a.b",
            "a[0]",
            "zz",
            "f'{a}'",
            "len(a)",
            "{a: 1}",
            "lambda: x",
            "x // x",
        ] {
            assert!(!calm(code), "{code}");
        }
    }

    #[test]
    fn independence_by_hand() {
        let independent = |first: &str, second: &str| {
            let both = effects(&format!("def f(a, b):\n    x = 1\n    {first}\n    {second}\n"));
            both[1].is_independent_of(&both[2])
        };
        assert!(independent("y = 1", "z = 2"));
        assert!(independent("y = a", "z = b[0]"));
        assert!(independent("y = f(a)", "z = x"));
        assert!(!independent("y = 1", "z = y"));
        assert!(!independent("y = z", "z = 1"));
        assert!(!independent("y = 1", "y = 2"));
        assert!(!independent("y = f(a)", "z = b[0]"));
        assert!(!independent("print(a)", "print(b)"));
        assert!(!independent("y = 1", "return 2"));
        assert!(!independent("y = a / b", "z = b.c"));
    }
}
