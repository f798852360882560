//! The ends of a rule that a match lacks. What stands beside the match may be the same words with one of them changed: a title that
//! names another license, the version after a name.

use super::edit::Edit;
use super::query::Query;
use super::realign;
use crate::rules::Word;

/// Longest end of a rule that is looked for, in words.
const MOST: u32 = 40;
/// Up to so many words, beside as few common ones, are no title.
const FEW: u32 = 2;
/// Words of the text beyond as many as the end of the rule has.
const MORE: u32 = 4;

/// Where the text beside the first and last edits has the ends of the rule in other words.
pub(super) fn edits(query: &Query, rule: &[Word], edits: &[Edit]) -> Vec<Edit> {
    let mut all = Vec::new();
    if let [first, rest @ ..] = edits
        && first.is_outer
        && first.rule.0 == 0
    {
        let (length, start) = (first.rule.1, first.text.0);
        let text = (start.saturating_sub(length + MORE), start);
        let common = rest.first().map_or(MOST, |next| next.rule.0 - length);
        all.extend(match length {
            ..=FEW if common <= FEW => Vec::new(),
            ..=MOST => word_by_word(query, rule, Edit { text, ..*first }),
            _ => of_title(query, rule, text),
        });
    }
    if let [rest @ .., last] = edits
        && last.is_outer
        && last.rule.1 == rule.len() as u32
    {
        let length = last.rule.1 - last.rule.0;
        let text = (last.text.1, (last.text.1 + length + MORE).min(query.len()));
        let common = rest.last().map_or(MOST, |previous| last.rule.0 - previous.rule.1);
        if length > FEW || common > FEW {
            all.extend(word_by_word(query, rule, Edit { text, ..*last }));
        }
    }
    all
}

/// The first words of a rule beside those of the text, where a longer start of the rule was not found: of a title in other words and
/// what follows it.
fn of_title(query: &Query, rule: &[Word], (start, end): (u32, u32)) -> Vec<Edit> {
    let text = (start, (start + MOST + 2 * MORE).min(end));
    let mut edits = word_by_word(query, rule, Edit { text, rule: (0, MOST), is_outer: true });
    // Where it is cut off, the words are others only there.
    edits.retain(|edit| edit.rule.1 < MOST && edit.text.1 < text.1);
    edits
}

/// An end of the rule beside as much of the text; none where most of its words are not there.
fn word_by_word(query: &Query, rule: &[Word], end: Edit) -> Vec<Edit> {
    let length = end.rule.1 - end.rule.0;
    if length > MOST || end.text.0 == end.text.1 || (length <= FEW && !is_on_one_line(query, end)) {
        return Vec::new();
    }
    let edits = realign::word_by_word(&query.tokens, rule, end);
    let missing: u32 = edits.iter().map(|edit| edit.rule.1 - edit.rule.0).sum();
    let edits: Vec<Edit> = edits.into_iter().filter_map(|edit| trimmed(query, rule, end, edit)).collect();
    // Of a single word nothing can be left.
    let is_there = (length == 1 || 2 * (length - missing) >= length)
        && edits.iter().all(|edit| edit.is_of_words() || edit.text.1 == end.text.1);
    if is_there { edits } else { Vec::new() }
}

/// Whether the words beside a match stand on its line.
fn is_on_one_line(query: &Query, Edit { text, rule, .. }: Edit) -> bool {
    let between = if rule.0 == 0 { text.1 } else { text.0 };
    between > 0 && between < query.len() && query.line(between - 1) == query.line(between)
}

/// An edit without what does not stand in place of words of the rule: beyond its first and last word only as many words on the same
/// line do.
fn trimmed(query: &Query, rule: &[Word], end: Edit, mut edit: Edit) -> Option<Edit> {
    let most = edit.rule.1 - edit.rule.0;
    if edit.rule.0 == 0 && edit.text.0 == end.text.0 {
        let line = query.line(edit.text.1);
        let same = (edit.text.0..edit.text.1).rev().take_while(|&at| query.line(at) == line).count() as u32;
        edit.text.0 = edit.text.1 - same.min(most);
        edit.is_outer = edit.text.0 == edit.text.1;
    } else if edit.rule.1 == rule.len() as u32 && edit.text.1 == end.text.1 {
        let line = query.line(edit.text.0 - 1);
        let same = (edit.text.0..edit.text.1).take_while(|&at| query.line(at) == line).count() as u32;
        edit.text.1 = edit.text.0 + same.min(most);
        edit.is_outer = edit.text.0 == edit.text.1;
    }
    (edit.rule.0 < edit.rule.1 || edit.text.0 < edit.text.1).then_some(edit)
}
