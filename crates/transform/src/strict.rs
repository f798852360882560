//! What a grammar of tree-sitter reads as a program and no compiler takes. A text of this kind is refused like one that the
//! grammar refuses: what a transformation makes of it would be no program either.

use familiar_source::Language;
use familiar_syntax::tree::{Node, Nodes};

/// Where the first thing stands that the language does not allow, though its grammar does.
pub(crate) fn first_error(language: Language, nodes: &Nodes, text: &str) -> Option<usize> {
    let python = language == Language::Python;
    let (mut number, mut brackets, mut before) = (None, 0_usize, 0);
    for node in nodes.root().subtree() {
        let refused = match node.kind() {
            "block" | "module" if python => on_one_line(node, text),
            "augmented_assignment" if python => augments_an_assignment(node),
            _ if python => None,
            _ => steps_what_is_no_place(language, node),
        };
        if refused.is_some() {
            return refused;
        }
        if node.children().next().is_some() || node.range().is_empty() {
            continue;
        }
        let gap = &text[before.min(node.start())..node.start()];
        if python && !is_in_string(node) {
            let goes_on = brackets == 0 && gap.contains('\n') && goes_on(node, gap);
            if goes_on || gap.contains('\u{b}') {
                return Some(node.start());
            }
        }
        match node.kind() {
            "(" | "[" | "{" => brackets += 1,
            ")" | "]" | "}" => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        before = node.end();
        if number == Some(node.start()) && runs_on(node, text) {
            return number;
        }
        number = is_number(node, text).then(|| node.end());
    }
    None
}

fn is_number(leaf: Node<'_>, text: &str) -> bool {
    const KINDS: [&str; 5] = ["float", "imaginary", "int_literal", "integer", "number"];
    let digits = text[leaf.range()].starts_with(|c: char| c.is_ascii_digit() || c == '.');
    // C++ has literals with a suffix of the program's own.
    let suffixed = leaf.parent().is_some_and(|it| it.kind() == "user_defined_literal");
    digits && !suffixed && KINDS.iter().any(|kind| leaf.kind().contains(kind))
}

/// Whether a leaf that follows a number without a blank is a word or a string, as in `8rig`. A keyword may follow: `1if`.
fn runs_on(leaf: Node<'_>, text: &str) -> bool {
    let text = &text[leaf.range()];
    let keyword = !leaf.is_named() && text.starts_with(|c: char| c.is_ascii_alphabetic());
    !keyword && text.starts_with(|c: char| c.is_alphanumeric() || "_'\"`".contains(c))
}

/// Whether text of a string may stand before a leaf, which is no leaf itself where it has escapes.
fn is_in_string(leaf: Node<'_>) -> bool {
    leaf.kind() == "string_end"
        || leaf.parent().is_some_and(|it| ["interpolation", "string", "string_content"].contains(&it.kind()))
}

/// Whether a leaf at the start of a line of Python belongs to the operator of the line before, and no backslash says so.
fn goes_on(leaf: Node<'_>, gap: &str) -> bool {
    let first = leaf.ancestors().take_while(|it| it.start() == leaf.start()).last().unwrap_or(leaf);
    let joined = first
        .parent()
        .is_some_and(|it| it.kind().ends_with("_operator") || it.kind().ends_with("assignment"));
    joined && leaf.kind() != "comment" && !gap.trim_end_matches([' ', '\t', '\n', '\r']).ends_with('\\')
}

/// `a += b += 1`.
fn augments_an_assignment(node: Node<'_>) -> Option<usize> {
    let right = node.child("right").filter(|it| it.kind().ends_with("assignment"))?;
    Some(right.start())
}

/// Where a statement of a block of Python stands on the line of the one before it, and no semicolon between them.
fn on_one_line(block: Node<'_>, text: &str) -> Option<usize> {
    let mut before: Option<Node<'_>> = None;
    for node in block.children() {
        let ends_line = |it: &Node<'_>| text[it.range()].ends_with(['\n', '\r', ';']);
        let statement = node.is_named() && !["comment", "line_continuation"].contains(&node.kind());
        if let Some(before) = before.filter(|it| statement && !ends_line(it))
            && !text[before.end().min(node.start())..node.start()].contains(['\n', '\r', ';'])
        {
            return Some(node.start());
        }
        before = Some(node).filter(|it| it.is_named() && it.kind() != "comment");
    }
    None
}

/// `++2` and `++-a`: what is counted up has to be a place that can be assigned to. In C++, `++a` is one. The grammars of C and Go
/// read `!a++` and `*a++` as `(!a)++` and `(*a)++`.
fn steps_what_is_no_place(language: Language, node: Node<'_>) -> Option<usize> {
    const STEPS: [&str; 4] = ["dec_statement", "inc_statement", "postfix_expression", "update_expression"];
    let no_place = |it: &Node<'_>| match it.kind() {
        "binary_expression" | "number" | "string" => true,
        "unary_expression" => matches!(language, Language::JavaScript | Language::TypeScript),
        "update_expression" => language != Language::Cpp,
        // `++Type{1}` in C++.
        "compound_literal_expression" => false,
        kind => kind.contains("literal"),
    };
    STEPS.contains(&node.kind()).then(|| node.named().find(no_place)).flatten().map(Node::start)
}
