//! A parse tree to a simplified one, without recursion: trees may be as deep as their text is long.

use familiar_source::Language;
use familiar_syntax::tree::{self, Nodes, Part};

use super::node::Node;
use crate::tokens::{Reserved, Token};

/// What becomes of a node of the parse tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It has no text, or stands in a token or a comment.
    Gone,
    Token,
    Inner,
}

/// The nodes of the simplified tree, in breadth-first order. `tokens` are those of the text.
pub(super) fn nodes(language: Language, text: &str, parsed: &Nodes, tokens: &[Token]) -> Vec<Node> {
    let (fates, counts) = fates(text, parsed);
    let kept = in_depth_first_order(language, text, parsed, tokens, &fates, &counts);
    in_breadth_first_order(&kept)
}

/// What becomes of each node of the parse tree, and how many children it has that are not gone.
fn fates(text: &str, parsed: &Nodes) -> (Vec<Fate>, Vec<u32>) {
    let mut fates = vec![Fate::Gone; parsed.len()];
    let mut at = 0;
    while at < parsed.len() as u32 {
        let node = parsed.node(at);
        let next = at + 1;
        let is_leaf = node.after() == next || is_one_token(node);
        at = if is_leaf { node.after() } else { next };
        let is_empty = text[node.range()].trim().is_empty();
        fates[next as usize - 1] = match node.part() {
            Part::Comment => {
                at = node.after();
                Fate::Gone
            }
            _ if is_empty => Fate::Gone,
            _ if is_leaf => Fate::Token,
            _ => Fate::Inner,
        };
    }
    let mut counts = vec![0; parsed.len()];
    // Children come behind their parents, so each is counted before it counts.
    for at in (1..parsed.len()).rev() {
        if fates[at] == Fate::Inner && counts[at] == 0 {
            fates[at] = Fate::Gone;
        }
        if fates[at] != Fate::Gone
            && let Some(parent) = parsed.node(at as u32).parent()
        {
            counts[parent.number() as usize] += 1;
        }
    }
    (fates, counts)
}

fn is_one_token(node: tree::Node<'_>) -> bool {
    matches!(node.part(), Part::Name | Part::Number | Part::String | Part::Character)
}

/// The nodes that stay, parents before children, with `<EOF>` at the end. Parents are places in the list.
fn in_depth_first_order(
    language: Language,
    text: &str,
    parsed: &Nodes,
    tokens: &[Token],
    fates: &[Fate],
    counts: &[u32],
) -> Vec<Node> {
    let reserved = Reserved::of(language);
    let mut kept = Vec::new();
    // The nodes around the next one that stay: where they end in the parse tree, and their place in the list.
    let mut open: Vec<(u32, u32)> = Vec::new();
    let mut token = 0;
    let root = |is_inner| if is_inner { Fate::Inner } else { Fate::Gone };
    // A text that is nothing to the grammar is a token of its own below the root.
    let has_text = fates[0] == Fate::Token;
    let again = has_text.then_some((0, Fate::Token));
    let below = (1..parsed.len() as u32).map(|at| (at, fates[at as usize]));
    for (at, fate) in [(0, root(has_text || counts[0] > 0))].into_iter().chain(again).chain(below) {
        let stays = match fate {
            // `<EOF>` stands there besides.
            Fate::Inner if at == 0 => true,
            Fate::Token => true,
            Fate::Inner => counts[at as usize] > 1,
            Fate::Gone => false,
        };
        if !stays {
            continue;
        }
        while open.last().is_some_and(|&(end, _)| end <= at) {
            open.pop();
        }
        let (place, node) = (kept.len() as u32, parsed.node(at));
        let is_token = fate == Fate::Token;
        let (mut start, mut end, mut is_keyword) = (0, 0, false);
        if is_token {
            let word = text[node.range()].trim_start();
            start = (node.end() - word.len()) as u32;
            end = start + word.trim_end().len() as u32;
            token += tokens[token..].iter().take_while(|token| token.end <= start).count();
            is_keyword = is_reserved(reserved, node, &text[start as usize..end as usize]);
        }
        kept.push(Node {
            at,
            start,
            end,
            is_reserved: is_keyword,
            dfs: place,
            depth: open.len() as u32,
            parent: open.last().map_or(0, |&(_, parent)| parent),
            first: 0,
            children: 0,
            token: token as u32,
        });
        if !is_token {
            open.push((node.after(), place));
        }
    }
    let depth = u32::from(!kept.is_empty());
    kept.push(Node {
        at: parsed.len() as u32,
        start: 0,
        end: 0,
        is_reserved: false,
        dfs: kept.len() as u32,
        depth,
        parent: 0,
        first: 0,
        children: 0,
        token: tokens.len() as u32,
    });
    kept
}

fn is_reserved(reserved: Reserved, node: tree::Node<'_>, text: &str) -> bool {
    match node.part() {
        Part::Number | Part::String | Part::Character => false,
        // What the grammar knows by its text alone is a keyword where it stands, but for a macro that it knows.
        _ if !node.is_named() && node.kind() == text => text != "NULL",
        part => reserved.has(text.as_bytes(), part == Part::Word),
    }
}

/// Puts nodes by their depth; those of one depth keep their order, which is that of their parents.
fn in_breadth_first_order(kept: &[Node]) -> Vec<Node> {
    let deepest = kept.iter().map(|node| node.depth).max().unwrap_or(0) as usize;
    let mut starts = vec![0_u32; deepest + 2];
    for node in kept {
        starts[node.depth as usize + 1] += 1;
    }
    for depth in 1..starts.len() {
        starts[depth] += starts[depth - 1];
    }
    let number = |node: &Node, starts: &mut [u32]| {
        let next = &mut starts[node.depth as usize];
        *next += 1;
        *next - 1
    };
    let numbers: Vec<u32> = kept.iter().map(|node| number(node, &mut starts)).collect();
    let mut ordered = kept.to_vec();
    for (node, &number) in kept.iter().zip(&numbers) {
        let parent = numbers[node.parent as usize];
        ordered[number as usize] = Node { parent, ..*node };
    }
    for number in 1..ordered.len() {
        let parent = ordered[number].parent as usize;
        let parent = &mut ordered[parent];
        if parent.children == 0 {
            parent.first = number as u32;
        }
        parent.children += 1;
    }
    ordered
}
