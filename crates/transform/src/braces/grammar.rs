//! What the grammars of Java, C, C++, JavaScript, TypeScript and Go call the parts of a program.
//!
//! The grammars name most parts alike. The functions here hide where they do not.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::text::Text;

/// The languages of this module.
pub(crate) const LANGUAGES: &[Language] =
    &[Language::Java, Language::C, Language::Cpp, Language::JavaScript, Language::TypeScript, Language::Go];

pub(crate) fn is_script(language: Language) -> bool {
    matches!(language, Language::JavaScript | Language::TypeScript)
}

pub(crate) fn is_c(language: Language) -> bool {
    matches!(language, Language::C | Language::Cpp)
}

/// Whether a word is written as people write macros of C.
pub(crate) fn is_loud(word: &str) -> bool {
    word.len() > 1
        && word.contains(|c: char| c.is_ascii_uppercase())
        && !word.contains(|c: char| c.is_ascii_lowercase())
}

/// Whether a declaration of C or C++ says that its variable changes by itself, or in one step.
pub(crate) fn is_volatile(program: &Text, declaration: Node<'_>) -> bool {
    let mut words = declaration.children().filter(|it| it.kind() == "type_qualifier");
    words.any(|it| matches!(program.of(it), "volatile" | "_Atomic"))
}

pub(crate) fn is_comment(node: Node<'_>) -> bool {
    node.is_named() && (node.kind().ends_with("comment") || node.kind() == "html_comment")
}

/// Whether a node is code of its own that runs at another time than the code around it.
pub(crate) fn is_function(node: Node<'_>) -> bool {
    node.is_named()
        && matches!(
            node.kind(),
            "method_declaration"
                | "constructor_declaration"
                | "compact_constructor_declaration"
                | "lambda_expression"
                | "function_definition"
                | "function_declaration"
                | "function_expression"
                | "generator_function"
                | "generator_function_declaration"
                | "arrow_function"
                | "method_definition"
                | "func_literal"
                | "static_initializer"
                | "class_static_block"
        )
}

/// Whether a node is the body of a class, a struct or an interface.
pub(crate) fn is_class_body(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "class_body" | "interface_body" | "enum_body" | "annotation_type_body" | "field_declaration_list"
    )
}

pub(crate) fn is_block(node: Node<'_>) -> bool {
    node.is_named() && matches!(node.kind(), "block" | "compound_statement" | "statement_block")
}

/// The function whose code a node is; the root of the tree outside of functions.
pub(crate) fn function_of(node: Node<'_>) -> Node<'_> {
    let mut last = node;
    for around in node.ancestors() {
        if is_function(around) || is_class_body(around) {
            return around;
        }
        last = around;
    }
    last
}

/// Nodes below `root` that run with it: not those of functions and classes inside.
pub(crate) fn own(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut skip_until = root.number();
    root.descendants().filter(move |node| {
        if node.number() < skip_until {
            return false;
        }
        if is_function(*node) || is_class_body(*node) {
            skip_until = node.descendants().next_back().map_or(node.number(), Node::number) + 1;
        }
        true
    })
}

/// The statements and comments of a block.
pub(crate) fn content(block: Node<'_>) -> Vec<Node<'_>> {
    let mut content: Vec<_> = block.named().filter(|it| it.kind() != "statement_list").collect();
    if let Some(list) = block.child_of_kind("statement_list") {
        content.extend(list.named());
    }
    content.sort_by_key(|it| it.number());
    content
}

/// The statements of a block, or the only one that stands where a block may stand.
pub(crate) fn statements(body: Node<'_>) -> Vec<Node<'_>> {
    if !is_block(body) && body.kind() != "statement_list" {
        return if is_empty(body) { Vec::new() } else { vec![body] };
    }
    content(body).into_iter().filter(|it| !is_comment(*it) && !is_empty(*it)).collect()
}

/// Whether a statement is only a semicolon.
pub(crate) fn is_empty(statement: Node<'_>) -> bool {
    statement.kind() == ";"
        || statement.kind() == "empty_statement"
        || statement.kind() == "expression_statement" && statement.named().next().is_none()
}

/// The statements beside which a statement stands: those of its block, of its function or of a case.
pub(crate) fn siblings(statement: Node<'_>) -> Option<Node<'_>> {
    let parent = statement.parent()?;
    let is_list = is_block(parent) || parent.kind() == "statement_list";
    is_list.then_some(parent)
}

/// The only expression inside parentheses or inside a C++ condition.
pub(crate) fn bare(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while matches!(node.kind(), "parenthesized_expression" | "condition_clause") {
        let mut inner = node.named().filter(|it| !is_comment(*it));
        match (inner.next(), inner.next()) {
            (Some(only), None) if only.kind() != "declaration" => node = only,
            _ => break,
        }
    }
    node
}

/// The condition of a statement, without the parentheses around it; `None` where it declares something.
fn condition(statement: Node<'_>) -> Option<Node<'_>> {
    let node = statement.children().find(|it| it.field() == Some("condition") && it.is_named())?;
    if node.kind() == "empty_statement" {
        return None;
    }
    if node.kind() == "expression_statement" {
        return node.named().find(|it| !is_comment(*it));
    }
    let inner = match node.kind() {
        // In the head of a `for`, the parentheses are the program's own.
        "parenthesized_expression" | "condition_clause" if !statement.kind().starts_with("for_") => {
            let mut inner = node.named().filter(|it| !is_comment(*it));
            match (inner.next(), inner.next()) {
                (Some(only), None) => only,
                _ => return None,
            }
        }
        _ => node,
    };
    (inner.kind() != "declaration").then_some(inner)
}

/// An `if` statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct If<'p> {
    /// What Go runs before the condition.
    pub(crate) initializer: Option<Node<'p>>,
    pub(crate) condition: Node<'p>,
    pub(crate) then: Node<'p>,
    pub(crate) otherwise: Option<Node<'p>>,
}

/// The parts of an `if` statement; `None` where it is none, or declares something in its condition.
pub(crate) fn branches(statement: Node<'_>) -> Option<If<'_>> {
    if statement.kind() != "if_statement" || statement.children().any(|it| it.kind() == "constexpr") {
        return None;
    }
    let otherwise = statement.child("alternative");
    let otherwise = match otherwise {
        Some(clause) if clause.kind() == "else_clause" => Some(clause.named().find(|it| !is_comment(*it))?),
        other => other,
    };
    Some(If {
        initializer: statement.child("initializer"),
        condition: condition(statement)?,
        then: statement.child("consequence")?,
        otherwise,
    })
}

/// How a loop decides whether there is one more round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopKind {
    While,
    For,
    Do,
    /// Over the items of a collection.
    Each,
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop<'p> {
    pub(crate) kind: LoopKind,
    pub(crate) initializers: Vec<Node<'p>>,
    pub(crate) condition: Option<Node<'p>>,
    pub(crate) updates: Vec<Node<'p>>,
    pub(crate) body: Node<'p>,
}

fn in_field<'p>(node: Node<'p>, fields: &[&str]) -> Vec<Node<'p>> {
    let fits = |it: &Node<'p>| it.is_named() && it.field().is_some_and(|field| fields.contains(&field));
    node.children().filter(fits).filter(|it| it.kind() != "empty_statement").collect()
}

/// The parts of a loop; `None` where the statement is none, or declares something in its condition.
pub(crate) fn parts(statement: Node<'_>) -> Option<Loop<'_>> {
    let body = statement.child("body")?;
    let plain =
        |kind, condition| Loop { kind, initializers: Vec::new(), condition, updates: Vec::new(), body };
    match statement.kind() {
        "while_statement" => Some(plain(LoopKind::While, Some(condition(statement)?))),
        "do_statement" => Some(plain(LoopKind::Do, Some(condition(statement)?))),
        "enhanced_for_statement" | "for_range_loop" | "for_in_statement" => Some(plain(LoopKind::Each, None)),
        "for_statement" => {
            if statement.child_of_kind("range_clause").is_some() {
                return Some(plain(LoopKind::Each, None));
            }
            // Go has one word for all loops.
            let head = statement.child_of_kind("for_clause").unwrap_or(statement);
            let is_go = body.kind() == "block"
                && head == statement
                && !statement.children().any(|it| it.kind() == ";");
            if is_go {
                let condition = statement.named().find(|it| it.field() != Some("body") && !is_comment(*it));
                let kind = if condition.is_some() { LoopKind::While } else { LoopKind::For };
                return Some(plain(kind, condition));
            }
            let has_condition = head
                .children()
                .any(|it| it.field() == Some("condition") && it.is_named() && it.kind() != "empty_statement");
            let condition = condition(head);
            (condition.is_some() || !has_condition).then(|| Loop {
                kind: LoopKind::For,
                initializers: in_field(head, &["init", "initializer"]),
                condition,
                updates: in_field(head, &["update", "increment"]),
                body,
            })
        }
        _ => None,
    }
}

pub(crate) fn is_loop(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "while_statement"
            | "do_statement"
            | "for_statement"
            | "enhanced_for_statement"
            | "for_range_loop"
            | "for_in_statement"
    )
}

pub(crate) fn is_switch(node: Node<'_>) -> bool {
    node.is_named()
        && matches!(
            node.kind(),
            "switch_expression"
                | "switch_statement"
                | "expression_switch_statement"
                | "type_switch_statement"
                | "select_statement"
        )
}

/// `break` or `continue` statements that belong to the loop or switch with this body.
pub(crate) fn jumps<'p>(body: Node<'p>, kind: &'static str) -> Vec<Node<'p>> {
    let belongs = |jump: &Node<'p>| {
        let inside = jump.ancestors().take_while(|it| body.holds(*it));
        !inside.into_iter().any(|it| is_loop(it) || kind == "break_statement" && is_switch(it))
    };
    let all = std::iter::once(body).chain(own(body));
    all.filter(|it| it.kind() == kind && it.is_named()).filter(belongs).collect()
}

/// Left side, operator and right side.
pub(crate) fn binary(node: Node<'_>) -> Option<(Node<'_>, &str, Node<'_>)> {
    if node.kind() != "binary_expression" {
        return None;
    }
    Some((node.child("left")?, node.child("operator")?.kind(), node.child("right")?))
}

/// Operator and operand of an expression with an operator before its operand; not `++` and `--`.
pub(crate) fn unary(node: Node<'_>) -> Option<(&str, Node<'_>)> {
    if !matches!(node.kind(), "unary_expression" | "pointer_expression") {
        return None;
    }
    Some((node.child("operator")?.kind(), node.child("operand").or_else(|| node.child("argument"))?))
}

/// An assignment to one target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assignment<'p> {
    pub(crate) left: Node<'p>,
    /// `=`, `+=` and so on.
    pub(crate) operator: &'p str,
    pub(crate) right: Node<'p>,
}

/// The assignment that an expression or a statement is; Go's `:=` is none.
pub(crate) fn assignment(node: Node<'_>) -> Option<Assignment<'_>> {
    let node = expression_of(node);
    match node.kind() {
        "assignment_expression" | "augmented_assignment_expression" | "assignment_statement" => {
            let operator = node.child("operator").map_or("=", Node::kind);
            let (left, right) = (node.child("left")?, node.child("right")?);
            Some(Assignment { left: only(left)?, operator, right: only(right)? })
        }
        _ => None,
    }
}

/// The only item of Go's list of expressions; another node is its own only item.
pub(crate) fn only(node: Node<'_>) -> Option<Node<'_>> {
    if node.kind() != "expression_list" {
        return Some(node);
    }
    let mut items = node.named().filter(|it| !is_comment(*it));
    items.next().filter(|_| items.next().is_none())
}

/// The expression that a statement is made of.
pub(crate) fn expression_of(statement: Node<'_>) -> Node<'_> {
    match statement.kind() {
        "expression_statement" => statement.named().find(|it| !is_comment(*it)).unwrap_or(statement),
        _ => statement,
    }
}

/// Operand and operator of `x++` and the like, as an expression or a statement.
pub(crate) fn update(node: Node<'_>) -> Option<(Node<'_>, &str)> {
    let node = expression_of(node);
    let operator = match node.kind() {
        "inc_statement" => "++",
        "dec_statement" => "--",
        "update_expression" => node.children().find(|it| matches!(it.kind(), "++" | "--"))?.kind(),
        _ => return None,
    };
    Some((node.named().find(|it| !is_comment(*it))?, operator))
}

/// Condition and values of a conditional expression.
pub(crate) fn ternary(node: Node<'_>) -> Option<[Node<'_>; 3]> {
    if !matches!(node.kind(), "ternary_expression" | "conditional_expression") {
        return None;
    }
    Some([node.child("condition")?, node.child("consequence")?, node.child("alternative")?])
}

/// One name of a declaration of local variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared<'p> {
    pub(crate) name: Node<'p>,
    pub(crate) value: Option<Node<'p>>,
    /// Where the value begins to be given: behind the name, and behind a type that follows it.
    pub(crate) end: usize,
}

pub(crate) fn is_declaration(statement: Node<'_>) -> bool {
    matches!(
        statement.kind(),
        "local_variable_declaration"
            | "declaration"
            | "lexical_declaration"
            | "variable_declaration"
            | "var_declaration"
            | "short_var_declaration"
    )
}

/// The variables that a statement declares; `None` where one of them is no plain name.
pub(crate) fn declared(statement: Node<'_>) -> Option<Vec<Declared<'_>>> {
    match statement.kind() {
        "local_variable_declaration" | "lexical_declaration" | "variable_declaration" => {
            let names = statement.named().filter(|it| it.kind() == "variable_declarator");
            names
                .map(|it| {
                    let name = it.child("name").filter(|it| it.kind() == "identifier")?;
                    let end =
                        it.child("type").or_else(|| it.child("dimensions")).map_or(name.end(), Node::end);
                    Some(Declared { name, value: it.child("value"), end })
                })
                .collect()
        }
        "declaration" => {
            let declarators = statement.children().filter(|it| it.field() == Some("declarator"));
            declarators
                .map(|it| {
                    let (inner, value) = match it.kind() {
                        "init_declarator" => (it.child("declarator")?, it.child("value")),
                        _ => (it, None),
                    };
                    let name = declarator_name(inner)?;
                    let is_function = inner.kind() == "function_declarator";
                    (!is_function).then_some(Declared { name, value, end: inner.end() })
                })
                .collect()
        }
        "var_declaration" => {
            let mut specs = statement.named().filter(|it| it.kind() == "var_spec");
            let (spec, None) = (specs.next()?, specs.next()) else { return None };
            let mut names = spec.children().filter(|it| it.field() == Some("name"));
            let (name, None) = (names.next()?, names.next()) else { return None };
            let value = match spec.child("value") {
                Some(value) => Some(only(value)?),
                None => None,
            };
            Some(vec![Declared { name, value, end: spec.child("type").map_or(name.end(), Node::end) }])
        }
        "short_var_declaration" => {
            let (left, right) = (statement.child("left")?, statement.child("right")?);
            let names: Vec<_> = left.named().collect();
            let values: Vec<_> = right.named().collect();
            let fits = names.len() == values.len() && names.iter().all(|it| it.kind() == "identifier");
            let pairs = names.into_iter().zip(values);
            fits.then(|| {
                pairs.map(|(name, value)| Declared { name, value: Some(value), end: left.end() }).collect()
            })
        }
        _ => None,
    }
}

/// The identifier inside a declarator of C or C++.
pub(crate) fn declarator_name(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut node = declarator;
    loop {
        match node.kind() {
            "identifier" => return Some(node),
            "pointer_declarator"
            | "array_declarator"
            | "function_declarator"
            | "init_declarator"
            | "attributed_declarator" => {
                node = node.child("declarator")?;
            }
            "reference_declarator" | "parenthesized_declarator" | "variadic_declarator" => {
                node = node.named().last()?;
            }
            _ => return None,
        }
    }
}
