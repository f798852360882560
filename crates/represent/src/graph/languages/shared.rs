//! What the languages share in reading their trees.

use familiar_syntax::tree::Node;

use super::super::form::{Circuit, Role, Step};

/// The named children without comments.
pub(super) fn named(node: Node<'_>) -> impl Iterator<Item = Node<'_>> + Clone {
    node.named().filter(|it| !it.kind().ends_with("comment") && it.kind() != "line_continuation")
}

/// The only named child, if there is one only.
pub(super) fn only(node: Node<'_>) -> Option<Node<'_>> {
    let mut all = named(node);
    all.next().filter(|_| all.next().is_none())
}

/// What only groups an expression, in most languages.
pub(super) const BARE: &[&str] = &["parenthesized_expression", "expression_statement"];

/// The expression inside nodes of these kinds that have one child.
pub(super) fn bare<'t>(node: Node<'t>, kinds: &[&str]) -> Node<'t> {
    let mut node = node;
    while kinds.contains(&node.kind()) {
        let Some(inner) = only(node) else { break };
        node = inner;
    }
    node
}

/// The named children in this field.
pub(super) fn in_field<'t>(node: Node<'t>, field: &str) -> Vec<Node<'t>> {
    node.named().filter(|it| it.field() == Some(field)).collect()
}

/// Whether the parser did not understand it.
pub(super) fn is_broken(node: Node<'_>) -> bool {
    node.is_named() && node.kind().is_empty()
}

/// The operands of a chain of one operator that groups to the left, such as `a && b && c`.
pub(super) fn spine<'t>(
    node: Node<'t>,
    operator: &str,
    bare: impl Fn(Node<'t>) -> Node<'t>,
) -> Vec<Node<'t>> {
    let mut parts = Vec::new();
    let mut at = node;
    while at.kind() == node.kind() && at.child("operator").is_some_and(|it| it.kind() == operator) {
        let (Some(left), Some(right)) = (at.child("left"), at.child("right")) else { break };
        parts.push(right);
        at = left;
        let inner = bare(at);
        if inner.kind() == node.kind() {
            at = inner;
        }
    }
    parts.push(at);
    parts.reverse();
    parts
}

/// The circuit of a binary expression of the languages with braces.
pub(super) fn binary<'t>(node: Node<'t>, bare: impl Fn(Node<'t>) -> Node<'t>) -> Circuit<'t> {
    match node.child("operator").map_or("", Node::kind) {
        operator @ ("&&" | "and") => Circuit::And(spine(node, operator, bare)),
        operator @ ("||" | "or" | "??") => Circuit::Or(spine(node, operator, bare)),
        _ => Circuit::None,
    }
}

/// The three parts of a conditional expression.
pub(super) fn choice(node: Node<'_>) -> Circuit<'_> {
    match (node.child("condition"), node.child("consequence"), node.child("alternative")) {
        (Some(condition), Some(one), Some(other)) => Circuit::Choice([condition, one, other]),
        _ => Circuit::None,
    }
}

/// Looks into all named children in one role.
pub(super) fn all<'t>(node: Node<'t>, role: Role, steps: &mut Vec<Step<'t>>) {
    steps.extend(named(node).map(|child| Step::Visit(child, role)));
}

/// Looks into the child in a field.
pub(super) fn field<'t>(node: Node<'t>, field: &str, role: Role, steps: &mut Vec<Step<'t>>) {
    steps.extend(node.child(field).map(|child| Step::Visit(child, role)));
}

/// The `if` statements that stand one in the `else` of the other, as one list of arms, and the last `else`.
pub(super) fn else_ifs<'t>(
    node: Node<'t>,
    condition: impl Fn(Node<'t>) -> Option<Node<'t>>,
    simple: impl Fn(Node<'t>) -> bool,
) -> (Vec<(Node<'t>, Option<Node<'t>>)>, Option<Node<'t>>) {
    let mut arms = Vec::new();
    let mut at = node;
    loop {
        if let Some(condition) = condition(at) {
            arms.push((condition, at.child("consequence")));
        }
        let mut otherwise = at.child("alternative");
        if let Some(clause) = otherwise.filter(|it| it.kind() == "else_clause") {
            otherwise = named(clause).next();
        }
        match otherwise {
            Some(next) if next.kind() == "if_statement" && simple(next) => at = next,
            otherwise => return (arms, otherwise),
        }
    }
}
