//! What a grammar of tree-sitter reads as a program and no compiler takes. A text of this kind is refused like one that the
//! grammar refuses: what a transformation makes of it would be no program either.

use familiar_source::Language;
use familiar_syntax::tree::{Node, Nodes};

/// Where the first thing stands that the language does not allow, though its grammar does.
pub(crate) fn first_error(language: Language, nodes: &Nodes, text: &str) -> Option<usize> {
    let python = language == Language::Python;
    let mut number = None;
    let mut brackets = 0_usize;
    let mut before = 0;
    for node in nodes.root().subtree() {
        let refused = if python {
            augments_an_assignment(node) || follows_on_its_line(node, text)
        } else {
            steps_what_is_no_place(language, node)
        };
        if refused {
            return Some(node.start());
        }
        if node.children().next().is_none() && !node.range().is_empty() {
            let gap = &text[before.min(node.start())..node.start()];
            if python && (gap.contains('\u{b}') || brackets == 0 && gap.contains('\n') && goes_on(node, gap))
            {
                return Some(node.start());
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

/// Whether a leaf at the begin of a line of Python belongs to the operator of the line before, and no backslash says so.
fn goes_on(leaf: Node<'_>, gap: &str) -> bool {
    let first = leaf.ancestors().take_while(|it| it.start() == leaf.start()).last().unwrap_or(leaf);
    let joined = first
        .parent()
        .is_some_and(|it| it.kind().ends_with("_operator") || it.kind().ends_with("assignment"));
    joined && leaf.kind() != "comment" && !gap.trim_end_matches([' ', '\t', '\n', '\r']).ends_with('\\')
}

/// `a += b += 1`.
fn augments_an_assignment(node: Node<'_>) -> bool {
    const ASSIGNMENTS: [&str; 2] = ["assignment", "augmented_assignment"];
    node.kind() == "augmented_assignment"
        && node.child("right").is_some_and(|it| ASSIGNMENTS.contains(&it.kind()))
}

/// Whether a statement of Python stands on the line of the one before it, and no semicolon does.
fn follows_on_its_line(node: Node<'_>, text: &str) -> bool {
    let in_block = node.parent().is_some_and(|it| ["block", "module"].contains(&it.kind()));
    if !in_block || !node.is_named() || ["comment", "line_continuation"].contains(&node.kind()) {
        return false;
    }
    node.previous().is_some_and(|before| {
        let between = &text[before.end().min(node.start())..node.start()];
        before.kind() != "comment"
            && before.is_named()
            && !between.contains(['\n', '\r', ';'])
            && !text[before.range()].ends_with(['\n', '\r', ';'])
    })
}

/// `++2` and `++-a`: what is counted up has to be a place that can be assigned to. In C++, `++a`
/// is one. The grammars of C and Go read `*a++` as `(*a)++`.
fn steps_what_is_no_place(language: Language, node: Node<'_>) -> bool {
    const STEPS: [&str; 4] = ["dec_statement", "inc_statement", "postfix_expression", "update_expression"];
    const NO_PLACES: [&str; 3] = ["binary_expression", "number", "string"];
    STEPS.contains(&node.kind())
        && node.named().map(Node::kind).any(|kind| {
            NO_PLACES.contains(&kind)
                || (kind == "unary_expression"
                    && matches!(language, Language::JavaScript | Language::TypeScript))
                || kind.contains("literal")
                || (kind == "update_expression" && language != Language::Cpp)
        })
}
