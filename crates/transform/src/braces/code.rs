//! Statements, blocks and conditions as pieces of new code.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::grammar::{self, is_comment};
use super::names::Kind;
use crate::program::Program;
use crate::template::{Lines, Stretch};

/// All nodes of one kind, in the order of the text.
pub(crate) fn all<'p>(
    program: &'p Program,
    kinds: &'static [&'static str],
) -> impl Iterator<Item = Node<'p>> {
    program.root().subtree().filter(move |node| node.is_named() && kinds.contains(&node.kind()))
}

/// Blocks with braces and what stands in the place of one: bodies of functions, loops and branches, and cases.
pub(crate) fn lists(program: &Program) -> impl Iterator<Item = Node<'_>> {
    program.root().descendants().filter(|it| grammar::is_block(*it))
}

/// The blanks at the beginning of the line on which a node begins.
pub(crate) fn indent<'p>(program: &'p Program, node: Node<'_>) -> &'p str {
    let text = program.text();
    let start = text[..node.start()].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[start..node.start()];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// What one level of blocks adds to the indentation.
pub(crate) fn unit(program: &Program) -> &'static str {
    let starts = program.text().lines().filter(|line| line.starts_with([' ', '\t']));
    let mut least = usize::MAX;
    for line in starts.take(200) {
        if line.starts_with('\t') {
            return "\t";
        }
        let width = line.len() - line.trim_start().len();
        if width > 1 && width < line.len() {
            least = least.min(width);
        }
    }
    if least == 2 { "  " } else { "    " }
}

/// Lines in the place of a statement.
pub(crate) fn lines<'p>(program: &'p Program, statement: Node<'_>) -> Lines<'p> {
    Lines::new(program, indent(program, statement), unit(program))
}

/// Strings and comments of several lines, which nobody may indent.
pub(crate) fn fixed(node: Node<'_>) -> Vec<std::ops::Range<usize>> {
    let literal = |it: &Node<'_>| {
        it.is_named() && (it.kind().contains("string") || it.kind() == "jsx_text" || it.kind() == "regex")
            || is_comment(*it)
    };
    node.subtree().filter(literal).map(Node::range).collect()
}

fn stretch_between(program: &Program, first: Node<'_>, last: Node<'_>, around: Node<'_>) -> Stretch {
    Stretch {
        range: first.start()..last.end(),
        indent: indent(program, first).to_owned(),
        fixed: fixed(around),
    }
}

/// The statements of a body, with the comments between them; `None` where there are none.
pub(crate) fn stretch(program: &Program, body: Node<'_>) -> Option<Stretch> {
    if !grammar::is_block(body) {
        return (!grammar::is_empty(body)).then(|| stretch_between(program, body, body, body));
    }
    let content = grammar::content(body);
    let (first, last) = (*content.first()?, *content.last()?);
    // A semicolon that the grammar does not count to the last statement belongs to it.
    let last = last.next().filter(|it| it.kind() == ";").unwrap_or(last);
    Some(stretch_between(program, first, last, body))
}

/// Some neighbors of a block, with the comments between them.
pub(crate) fn stretch_of(program: &Program, first: Node<'_>, last: Node<'_>) -> Stretch {
    let around = first.parent().unwrap_or(first);
    let last = last.next().filter(|it| it.kind() == ";").unwrap_or(last);
    stretch_between(program, first, last, around)
}

/// Adds the statements of a body, `depth` blocks deep.
pub(crate) fn add_body(program: &Program, lines: &mut Lines<'_>, depth: usize, body: Node<'_>) {
    if let Some(stretch) = stretch(program, body) {
        lines.stretch(depth, &stretch);
    }
}

/// `;` where the language ends a statement with it.
pub(crate) fn end(program: &Program) -> &'static str {
    if program.language() == Language::Go { "" } else { ";" }
}

/// `(` and `)` around the condition of a statement; Go has none.
pub(crate) fn head(program: &Program, word: &str, condition: &str) -> String {
    if program.language() == Language::Go {
        format!("{word} {condition} {{")
    } else {
        format!("{word} ({condition}) {{")
    }
}

/// A statement or an expression as a template, with the end that a statement needs.
pub(crate) fn ended(program: &Program, node: Node<'_>, place: usize) -> String {
    let is_ended = program.language() == Language::Go || program.of(node).ends_with([';', '}']);
    if is_ended { format!("${place}") } else { format!("${place};") }
}

/// Whether an expression needs no parentheses before or behind any operator.
pub(crate) fn is_tight(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "identifier"
            | "this"
            | "parenthesized_expression"
            | "method_invocation"
            | "call_expression"
            | "field_access"
            | "field_expression"
            | "member_expression"
            | "selector_expression"
            | "array_access"
            | "subscript_expression"
            | "index_expression"
            | "string_literal"
            | "character_literal"
            | "char_literal"
            | "rune_literal"
            | "interpreted_string_literal"
            | "raw_string_literal"
            | "string"
            | "template_string"
            | "true"
            | "false"
            | "decimal_integer_literal"
            | "hex_integer_literal"
            | "decimal_floating_point_literal"
            | "number_literal"
            | "number"
            | "int_literal"
            | "float_literal"
            | "null"
            | "null_literal"
            | "nil"
    )
}

/// `$place`, in parentheses where operators around it could take a part of it.
pub(crate) fn tight(program: &Program, node: Node<'_>, place: usize) -> String {
    // The grammar of C counts a sign to a number.
    if is_tight(node) && !program.of(node).starts_with(['-', '+']) {
        format!("${place}")
    } else {
        format!("(${place})")
    }
}

/// Whether control certainly never reaches the end of a body.
pub(crate) fn leaves(body: Node<'_>) -> bool {
    let Some(last) = grammar::statements(body).last().copied() else { return false };
    match last.kind() {
        "return_statement" | "throw_statement" | "break_statement" | "continue_statement" => true,
        "if_statement" => {
            grammar::branches(last).is_some_and(|it| leaves(it.then) && it.otherwise.is_some_and(leaves))
        }
        _ => grammar::is_block(last) && leaves(last),
    }
}

/// Whether control may reach the end of a body, by Java's rules of what can complete; false where that is not known.
pub(crate) fn completes(program: &Program, body: Node<'_>) -> bool {
    let Some(last) = grammar::statements(body).last().copied() else { return true };
    match last.kind() {
        "expression_statement"
        | "local_variable_declaration"
        | "enhanced_for_statement"
        | "assert_statement" => true,
        "if_statement" => grammar::branches(last).is_some_and(|it| {
            it.otherwise.is_none_or(|other| completes(program, it.then) || completes(program, other))
        }),
        "while_statement" | "for_statement" => {
            let condition = grammar::parts(last).and_then(|it| it.condition);
            condition.is_some_and(|it| varies(program, it))
        }
        _ if grammar::is_block(last) => completes(program, last),
        _ => false,
    }
}

/// Whether a condition certainly is no constant for a compiler.
pub(crate) fn varies(program: &Program, condition: Node<'_>) -> bool {
    condition.subtree().any(|it| match it.kind() {
        "method_invocation"
        | "call_expression"
        | "array_access"
        | "subscript_expression"
        | "index_expression"
        | "update_expression"
        | "assignment_expression"
        | "instanceof_expression" => true,
        "identifier" => program.names().variable(it).is_some_and(|variable| match variable.kind {
            Kind::Parameter => true,
            Kind::Local => {
                let declaration =
                    program.node(variable.places[0]).ancestors().find(|it| grammar::is_declaration(*it));
                !declaration.is_some_and(|it| {
                    let head = it.children().take_while(|it| it.field() != Some("declarator"));
                    head.into_iter()
                        .any(|it| program.of(it).contains("final") || program.of(it).contains("const"))
                })
            }
            _ => false,
        }),
        _ => false,
    })
}

/// Whether a body declares a name that also stands in `other`, and so could hide what it means there.
pub(crate) fn declares_word_of(program: &Program, body: Node<'_>, other: Node<'_>) -> bool {
    let words: Vec<&str> =
        other.subtree().filter(|it| it.kind() == "identifier").map(|it| program.of(it)).collect();
    let declared = program.names().variables().iter().filter(|it| body.holds(program.node(it.places[0])));
    declared.into_iter().any(|it| words.contains(&it.name.as_str()))
}

/// Whether code outside of some neighbors knows a name of JavaScript that they declare, as a function before them may.
pub(crate) fn are_known_outside(program: &Program, neighbors: &[Node<'_>]) -> bool {
    let (Some(first), Some(last)) = (neighbors.first(), neighbors.last()) else { return false };
    let within = first.start()..last.end();
    let declaring =
        neighbors.iter().filter(|it| it.kind() == "lexical_declaration" || it.kind() == "class_declaration");
    let names = declaring.flat_map(|it| it.subtree()).filter_map(|it| program.names().variable(it));
    let mut declared = names.filter(|it| within.contains(&program.node(it.declaration).start()));
    grammar::is_script(program.language())
        && declared.any(|it| !it.places.iter().all(|place| within.contains(&program.node(*place).start())))
}

/// Where the head of a statement ends, without the comments before its body.
pub(crate) fn head_end(body: Node<'_>) -> usize {
    let before = std::iter::successors(body.previous(), |it| it.previous());
    before.into_iter().find(|it| !is_comment(*it)).map_or(body.start(), Node::end)
}
