//! Statements, blocks and conditions of Python, as the grammar names them.

use familiar_syntax::tree::Node;

use crate::Edit;
use crate::program::Program;
use crate::refusal::Refusal;
use crate::template::{Lines, Stretch};

const MIXED: Refusal = Refusal("its indentation mixes tabs and spaces");
const SHARED_LINE: Refusal = Refusal("it shares its line with other code");

/// All nodes of one kind, in the order of the text.
pub(crate) fn all<'p>(program: &'p Program, kind: &'static str) -> impl DoubleEndedIterator<Item = Node<'p>> {
    program.root().subtree().filter(move |node| node.kind() == kind && node.is_named())
}

pub(crate) fn is_statement(node: Node<'_>) -> bool {
    node.is_named() && (node.kind().ends_with("_statement") || node.kind().ends_with("_definition"))
}

/// The statements of a block or of a module.
pub(crate) fn statements(block: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    block.named().filter(|node| is_statement(*node))
}

/// Nodes below `root` that belong to the same function or class body: not those of definitions and lambdas inside.
pub(crate) fn own(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut skip_until = root.number();
    root.descendants().filter(move |node| {
        if node.number() < skip_until {
            return false;
        }
        if matches!(node.kind(), "function_definition" | "lambda" | "class_definition") && node.is_named() {
            skip_until = node.descendants().next_back().map_or(node.number(), |last| last.number() + 1);
        }
        true
    })
}

/// `break` and `continue` statements that belong to the loop with this body.
pub(crate) fn jumps<'p>(body: Node<'p>, kind: &'static str) -> impl Iterator<Item = Node<'p>> {
    own(body).filter(move |node| node.kind() == kind && node.is_named()).filter(move |node| {
        let mut child = *node;
        for around in node.ancestors().take_while(|it| body.holds(*it)) {
            let is_loop = matches!(around.kind(), "for_statement" | "while_statement");
            // What stands behind `else` of a loop belongs to the loop around it.
            if is_loop && child.field() == Some("body") {
                return false;
            }
            child = around;
        }
        true
    })
}

/// Whether a statement may end the round of a loop around it.
pub(crate) fn leaves_round(statement: Node<'_>) -> bool {
    const WORDS: [&str; 2] = ["break_statement", "continue_statement"];
    WORDS.contains(&statement.kind()) || WORDS.iter().any(|word| jumps(statement, word).next().is_some())
}

/// Whether a statement is a text alone, which at the beginning of a body is a docstring.
pub(crate) fn is_text(statement: Node<'_>) -> bool {
    statement.kind() == "expression_statement"
        && statement.named().all(|it| it.kind().ends_with("string"))
        && !statement.subtree().any(|it| it.kind() == "interpolation")
}

/// Whether a binding of a name comes with a type, so that no `global` or `nonlocal` may name it.
pub(crate) fn has_type(binding: Node<'_>) -> bool {
    let assignment = binding.parent().filter(|it| it.kind() == "assignment");
    binding.field() == Some("left") && assignment.is_some_and(|it| it.child("type").is_some())
}

/// Whether control never reaches the end of a block.
pub(crate) fn ends_elsewhere(block: Node<'_>) -> bool {
    let Some(last) = statements(block).last() else { return false };
    match last.kind() {
        "return_statement" | "raise_statement" | "break_statement" | "continue_statement" => true,
        "if_statement" => {
            let branches: Vec<_> = branches(last);
            branches.last().is_some_and(|branch| branch.condition.is_none())
                && branches.iter().all(|branch| ends_elsewhere(branch.body))
        }
        _ => false,
    }
}

/// One way through an `if` statement; `else` has no condition.
#[derive(Clone, Copy)]
pub(crate) struct Branch<'p> {
    pub(crate) condition: Option<Node<'p>>,
    pub(crate) body: Node<'p>,
}

/// The ways through an `if` statement in their order.
pub(crate) fn branches(statement: Node<'_>) -> Vec<Branch<'_>> {
    let mut branches = Vec::new();
    let first = (statement.child("condition"), statement.child("consequence"));
    if let (condition @ Some(_), Some(body)) = first {
        branches.push(Branch { condition, body });
    }
    for clause in statement.named() {
        let body = clause.child("consequence").or_else(|| clause.child("body"));
        if let (Some(body), "elif_clause" | "else_clause") = (body, clause.kind()) {
            branches.push(Branch { condition: clause.child("condition"), body });
        }
    }
    branches
}

/// The blanks before the statement, where nothing else stands on its first and its last line.
pub(crate) fn indent<'p>(program: &'p Program, statement: Node<'_>) -> Result<&'p str, Refusal> {
    let text = program.text();
    let line_start = text[..statement.start()].rfind('\n').map_or(0, |at| at + 1);
    let indent = &text[line_start..statement.start()];
    let rest = text[statement.end()..].split('\n').next().unwrap_or_default().trim();
    if !indent.chars().all(|it| it == ' ' || it == '\t') || !(rest.is_empty() || rest.starts_with('#')) {
        return Err(SHARED_LINE);
    }
    Ok(indent)
}

/// What one level of blocks adds to the indentation, where all lines of the program agree on tabs or spaces.
pub(crate) fn unit(program: &Program) -> Result<&'static str, Refusal> {
    program.unit(find_unit)
}

fn find_unit(program: &Program) -> Result<&'static str, Refusal> {
    let (mut tabs, mut spaces) = (false, false);
    let mut least = usize::MAX;
    for statement in program.root().descendants().filter(|it| is_statement(*it)) {
        let Ok(indent) = indent_before(program, statement) else { continue };
        tabs |= indent.contains('\t');
        spaces |= indent.contains(' ');
        if !indent.is_empty() {
            least = least.min(indent.len());
        }
    }
    match (tabs, spaces, least) {
        (true, true, _) => Err(MIXED),
        (true, ..) => Ok("\t"),
        (_, _, 2) => Ok("  "),
        _ => Ok("    "),
    }
}

fn indent_before<'p>(program: &'p Program, statement: Node<'_>) -> Result<&'p str, Refusal> {
    let text = program.text();
    let line_start = text[..statement.start()].rfind('\n').map_or(0, |at| at + 1);
    let indent = &text[line_start..statement.start()];
    indent.chars().all(|it| it == ' ' || it == '\t').then_some(indent).ok_or(SHARED_LINE)
}

/// Lines in the place of `statement`, which must have its lines for itself.
pub(crate) fn lines<'p>(program: &'p Program, statement: Node<'_>) -> Result<Lines<'p>, Refusal> {
    Ok(Lines::new(program, indent(program, statement)?, unit(program)?))
}

/// The statements of a block, with the comments between them.
pub(crate) fn stretch(program: &Program, block: Node<'_>) -> Result<Stretch, Refusal> {
    let nodes: Vec<_> = block.named().collect();
    let (Some(mut first), Some(last)) = (nodes.first().copied(), nodes.last()) else {
        return Err(Refusal("a block of it is empty"));
    };
    unit(program)?;
    // The grammar puts comments at the beginning of a block before it.
    let before =
        std::iter::successors(block.previous(), |it| it.previous()).take_while(|it| it.kind() == "comment");
    first = before.filter(|it| indent_before(program, *it).is_ok()).last().unwrap_or(first);
    let fixed =
        block.subtree().filter(|it| it.kind() == "string").map(familiar_syntax::tree::Node::range).collect();
    // A block on the line of its header has no indentation of its own.
    let statement = statements(block).next().unwrap_or(first);
    let indent = indent_before(program, statement).unwrap_or_default().to_owned();
    Ok(Stretch { range: first.start()..last.end(), indent, fixed })
}

/// Some statements that stand one behind the other, with the comments between them.
pub(crate) fn stretch_of(program: &Program, first: Node<'_>, last: Node<'_>) -> Result<Stretch, Refusal> {
    let indent = indent_before(program, first)?.to_owned();
    let within = |it: &Node<'_>| it.start() >= first.start() && it.end() <= last.end();
    let strings = first.parent().into_iter().flat_map(|it| it.descendants().collect::<Vec<_>>());
    let fixed = strings
        .filter(|it| it.kind() == "string" && within(it))
        .map(familiar_syntax::tree::Node::range)
        .collect();
    Ok(Stretch { range: first.start()..last.end(), indent, fixed })
}

/// `$0` in the form that an operator of comparison or `not` may stand before.
pub(crate) fn operand(node: Node<'_>) -> &'static str {
    if is_tight(node) { "$0" } else { "($0)" }
}

/// Whether an expression needs no parentheses before or behind any operator.
pub(crate) fn is_tight(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "identifier"
            | "integer"
            | "float"
            | "string"
            | "call"
            | "attribute"
            | "subscript"
            | "parenthesized_expression"
            | "list"
            | "dictionary"
            | "set"
            | "tuple"
            | "true"
            | "false"
            | "none"
            | "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
    )
}

/// An expression without the parentheses around it.
pub(crate) fn bare(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while node.kind() == "parenthesized_expression" {
        let mut inner = node.named().filter(|it| it.kind() != "comment");
        match (inner.next(), inner.next()) {
            (Some(only), None) => node = only,
            _ => break,
        }
    }
    node
}

/// Whether new names may stand beside a statement: in the body of a class they would be attributes.
pub(crate) fn may_add_names(statement: Node<'_>) -> Result<(), Refusal> {
    let around =
        statement.ancestors().find(|it| matches!(it.kind(), "function_definition" | "class_definition"));
    match around.map(Node::kind) {
        Some("class_definition") => Err(Refusal("new names in the body of a class are attributes")),
        _ => Ok(()),
    }
}

/// Whether a statement stands in the body of a class itself, where names and their order have a meaning.
pub(crate) fn in_class_body(statement: Node<'_>) -> bool {
    may_add_names(statement).is_err()
}

/// Whether the code of a statement may be written twice or in another order: a `global` or `nonlocal` must stand before the
/// names that it declares.
pub(crate) fn declares_nothing(statement: Node<'_>) -> Result<(), Refusal> {
    let declares = |it: Node<'_>| matches!(it.kind(), "global_statement" | "nonlocal_statement");
    if own(statement).any(declares) {
        return Err(Refusal("a `global` or `nonlocal` inside it must stand before its names"));
    }
    Ok(())
}

/// Whether these builtins mean in the program what Python means by them.
pub(crate) fn needs_builtins(program: &Program, names: &[&str]) -> Result<(), Refusal> {
    let known = names.iter().all(|name| program.scopes().has_builtin(name));
    known.then_some(()).ok_or(Refusal("the program may give a builtin another meaning"))
}

/// Whether a `try` or a `with` of the same function stands around a statement.
pub(crate) fn inside_try(statement: Node<'_>) -> bool {
    let inside = |it: &Node<'_>| !matches!(it.kind(), "function_definition" | "class_definition" | "lambda");
    statement.ancestors().take_while(inside).any(|it| matches!(it.kind(), "try_statement" | "with_statement"))
}

/// Adds the `else` of a loop, where it has one.
pub(crate) fn add_else(program: &Program, lines: &mut Lines<'_>, statement: Node<'_>) -> Result<(), Refusal> {
    if let Some(other) = statement.child("alternative").and_then(|it| it.child("body")) {
        lines.line(0, "else:", &[]).stretch(1, &stretch(program, other)?);
    }
    Ok(())
}

/// Whether the program is a script: code outside of functions reads or writes standard streams, and it does not ask whether
/// others import it.
pub(crate) fn is_script(program: &Program) -> bool {
    !statements(program.root()).any(|it| asks_for_name(program, it))
        && own(program.root()).any(|node| {
            let name = node.child("function").filter(|_| node.kind() == "call");
            name.is_some_and(|name| {
                matches!(program.of(name), "print" | "input" | "sys.stdin.read" | "sys.stdin.readline")
            })
        })
}

fn asks_for_name(program: &Program, statement: Node<'_>) -> bool {
    let condition = statement.child("condition").filter(|_| statement.kind() == "if_statement");
    condition.is_some_and(|it| it.subtree().any(|it| program.of(it) == "__name__"))
}

/// The block of a module that runs where nobody imports it: that behind `if __name__ == "__main__":`.
pub(crate) fn main_block(program: &Program) -> Option<Node<'_>> {
    let mut asking = statements(program.root()).filter(|it| asks_for_name(program, *it));
    let (only, None) = (asking.next()?, asking.next()) else { return None };
    let text = program.of(only.child("condition")?).replace('\'', "\"");
    let is_plain = text == "__name__ == \"__main__\"" && only.child("alternative").is_none();
    only.child("consequence").filter(|_| is_plain)
}

/// Whether a statement may leave its place without turning a text behind it into a docstring.
pub(crate) fn keeps_docstring(statement: Node<'_>) -> Result<(), Refusal> {
    let mut block = statement.parent().into_iter().flat_map(statements);
    if block.next() == Some(statement) && block.next().is_some_and(is_text) {
        return Err(Refusal("the text behind it would become a docstring"));
    }
    Ok(())
}

/// The edit that takes a statement away, where it is not the only one of its block. Comments around it stay.
pub(crate) fn deleted(program: &Program, statement: Node<'_>) -> Result<Edit, Refusal> {
    indent(program, statement)?;
    keeps_docstring(statement)?;
    let block = statement.parent().ok_or(SHARED_LINE)?;
    let others: Vec<_> = statements(block).filter(|it| *it != statement).collect();
    if let Some(next) = others.iter().find(|it| it.number() > statement.number()) {
        let kept = program.slice(statement.end()..next.start()).trim_start();
        return Ok(Edit::text(statement.start()..next.start(), kept));
    }
    let last = others.last().ok_or(Refusal("it is the only one of its block"))?;
    let kept = program.slice(last.end()..statement.start()).trim_end();
    Ok(Edit::text(last.end()..statement.end(), kept))
}
