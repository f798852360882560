//! What makes two fragments alike, in a few lines.

use crate::Explanation;
use crate::explanation::{AlikeWords, MatchedLines};
use crate::plain::printable;

/// Most words, and most stretches of lines, of one line.
const WORDS: usize = 8;
const STRETCHES: usize = 8;

/// The lines that say it. `-` is the left side, `+` the right.
pub(crate) fn lines(explanation: &Explanation) -> Vec<String> {
    let mut lines = vec![parts(explanation)];
    if !explanation.words.is_empty() {
        lines.push(format!("words: {}", shortened(explanation.words.iter().map(word), WORDS)));
    }
    lines.push(statements(explanation));
    let sides = [("-", &explanation.only_left), ("+", &explanation.only_right)];
    let alone: Vec<String> = sides
        .iter()
        .filter(|(_, side)| !side.statements.is_empty())
        .map(|(mark, side)| {
            let stretches = joined(side.statements.iter().map(|&lines| [lines, lines]));
            let noun = if matches!(stretches[..], [[[a, b], _]] if a == b) { "line" } else { "lines" };
            let shown = stretches.iter().map(|[lines, _]| range(*lines));
            format!("only {mark}: {noun} {}", shortened(shown, STRETCHES))
        })
        .collect();
    if !alone.is_empty() {
        lines.push(alone.join(" \u{b7} "));
    }
    lines
}

/// What adds up to the similarity, what adds most first.
fn parts(explanation: &Explanation) -> String {
    let mut parts = explanation.parts.named();
    parts.sort_by(|a, b| b.1.adds.total_cmp(&a.1.adds));
    // What rounds to nothing has no sign.
    let rounded = |number: f64| (number * 100.0).round() / 100.0 + 0.0;
    let parts: Vec<String> =
        parts.iter().map(|(name, part)| format!("{name} {:.2}", rounded(part.adds))).collect();
    format!("similarity {:.2} = {}", explanation.similarity, parts.join(" + "))
}

fn word(words: &AlikeWords) -> String {
    let shown = |word: &str| printable(word).into_owned();
    if words.left == words.right {
        shown(&words.left)
    } else {
        format!("{} ~ {}", shown(&words.left), shown(&words.right))
    }
}

fn statements(explanation: &Explanation) -> String {
    let matched = explanation.statements.len();
    let all = |alone: usize| matched + alone;
    let (left, right) =
        (all(explanation.only_left.statements.len()), all(explanation.only_right.statements.len()));
    let stretches =
        joined(explanation.statements.iter().map(|&MatchedLines { left, right, .. }| [left, right]));
    let of = if left == right { format!("{left}") } else { format!("{left} (-) and {right} (+)") };
    let shown = stretches.iter().map(|[left, right]| format!("{} = {}", range(*left), range(*right)));
    match matched {
        0 => format!("none of {of} statements match"),
        _ => format!("{matched} of {of} statements match: lines {}", shortened(shown, STRETCHES)),
    }
}

/// Stretches of lines on both sides, of statements that follow each other on both.
fn joined(statements: impl Iterator<Item = [[u32; 2]; 2]>) -> Vec<[[u32; 2]; 2]> {
    let mut stretches: Vec<[[u32; 2]; 2]> = Vec::new();
    for statement in statements {
        if let Some(last) = stretches.last_mut() {
            let follows = |side: usize| (last[side][1]..=last[side][1] + 1).contains(&statement[side][0]);
            if follows(0) && follows(1) {
                for side in [0, 1] {
                    last[side][1] = last[side][1].max(statement[side][1]);
                }
                continue;
            }
        }
        stretches.push(statement);
    }
    stretches
}

fn range([first, last]: [u32; 2]) -> String {
    if first == last { first.to_string() } else { format!("{first}\u{2013}{last}") }
}

/// The first of `items`, and that there are more.
fn shortened(items: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let more = items.len() > most;
    let mut shown = items.take(most).collect::<Vec<_>>().join(", ");
    if more {
        shown.push_str(", \u{2026}");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::OneSided;

    #[test]
    fn statements_that_follow_each_other_are_one_stretch() {
        let matched = |left, right| MatchedLines { left: [left; 2], right: [right; 2], similarity: 0.9 };
        let explanation = Explanation {
            statements: vec![matched(3, 5), matched(4, 6), matched(7, 8), matched(8, 7)],
            only_left: OneSided { statements: vec![[5, 5]], ..OneSided::default() },
            only_right: OneSided { statements: vec![[9, 9], [10, 12], [20, 20]], ..OneSided::default() },
            ..Explanation::default()
        };
        let lines = lines(&explanation);
        assert_eq!(
            lines[1],
            "4 of 5 (-) and 7 (+) statements match: lines 3\u{2013}4 = 5\u{2013}6, 7 = 8, 8 = 7"
        );
        assert_eq!(lines[2], "only -: line 5 \u{b7} only +: lines 9\u{2013}12, 20");
    }

    #[test]
    fn what_has_nothing_alike_says_so() {
        let expected = [
            "similarity 0.00 = flow 0.00 + words 0.00 + spelling 0.00 + forms 0.00",
            "none of 0 statements match",
        ];
        assert_eq!(lines(&Explanation::default()), expected);
    }
}
