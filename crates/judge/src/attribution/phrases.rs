//! Words that lead to where code is from: `adapted from`, `based on`, `Source:`.

use super::tokens::Token;

/// Words of credit, behind which a name or an address stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phrase {
    /// The position of the word behind it.
    pub(super) end: usize,
    /// Whether it is `from` alone, so that the name has to follow at once.
    pub(super) is_bare: bool,
    /// The line that it stands on.
    pub(super) line: u32,
}

/// What is done to code that comes from elsewhere, before `from`.
const TAKEN: &str = "\
    adapted adopted backported borrowed cloned copied cribbed derived duplicated excerpted forked \
    inlined lifted modified nicked originated originates originally pasted ported reimplemented \
    reproduced reused rewritten ripped simplified snatched stolen taken transcribed \
    transliterated translated vendored";

/// The same where a sentence begins with it; elsewhere it is data that comes from somewhere.
const FETCHED: &str = "\
    comes converted derives downloaded extracted factored grabbed imported mirrored obtained picked \
    pulled retrieved sourced stripped";

/// The same before other words: `based on`, `inspired by`.
const AFTER: &[(&str, &str)] = &[
    ("inspired", "by from"),
    ("fashioned modeled modelled patterned", "after on"),
    ("courtesy", "of"),
    ("credit credits kudos props", "to"),
    (
        "adaptation backport conversion derivative excerpt fork port reimplementation rewrite ripoff transcription translation",
        "of from",
    ),
];

/// The same where what stands before speaks of code: programs are based on what they use, too.
const OF_CODE: &[(&str, &str)] =
    &[("based", "on upon off"), ("clone copy", "of"), ("came come comes stem stems", "from")];

/// What speaks of code, beside its names.
const ITSELF: &str =
    "directly heavily is it largely loosely modified mostly partially partly slightly this was";

/// Kinds of copies: `a simplified version of NAME`.
const CHANGED: &str = "\
    adapted cut custom customized down edited fixed forked inlined lightweight minimal modified \
    patched ported reduced rewritten simplified slimmed stripped trimmed tweaked vendored";

/// What stands before a colon: `Source: NAME`.
const LABELS: &str = "\
    adapted attribution copied credit credits from kudos origin original originally source sources \
    stolen taken upstream vendored via";

/// Code in words: `function from NAME`, `the implementation in NAME`.
pub(super) const CODE: &str = "\
    algorithm approach bits class classes code codes copy example excerpt file files fragment \
    function functions header helper helpers hack idea implementation implementations logic method \
    methods module part parts piece pieces polyfill portions recipe regex regexp routine routines \
    script snippet snippets solution source sources stuff technique test tests trick utilities \
    utility";

/// Most words between a verb and its preposition: `ported to Python from`.
const APART: usize = 5;

/// All phrases of credit in some comments.
pub(super) fn phrases(tokens: &[Token]) -> Vec<Phrase> {
    let phrase = |at: usize| {
        let stated = phrase_end(tokens, at).map(|end| (end, false));
        let (end, is_bare) = stated.or_else(|| bare(tokens, at).map(|end| (end, true)))?;
        Some(Phrase { end, is_bare, line: tokens[end - 1].line })
    };
    (0..tokens.len()).filter_map(phrase).collect()
}

/// Where a phrase ends that begins at `at` and says that code was taken.
fn phrase_end(tokens: &[Token], at: usize) -> Option<usize> {
    taken_from(tokens, at)
        .or_else(|| with_preposition(tokens, at))
        .or_else(|| version_of(tokens, at))
        .or_else(|| label(tokens, at))
}

/// The positions behind `at` in its sentence, `most` of them.
fn sentence(tokens: &[Token], at: usize, most: usize) -> impl Iterator<Item = usize> {
    (at + 1..tokens.len().min(at + 1 + most)).take_while(|&at| !tokens[at].begins)
}

fn taken_from(tokens: &[Token], at: usize) -> Option<usize> {
    let token = &tokens[at];
    let is_fetched = token.is_one_of(FETCHED) && (token.begins || token.is_first);
    if !token.is_one_of(TAKEN) && !is_fetched || token.glue == Some('.') {
        return None;
    }
    let mut behind =
        sentence(tokens, at, APART + 1).take_while(|&at| !tokens[at].is_one_of("which that is when"));
    behind.find(|&at| tokens[at].text == "from").map(|from| from + 1)
}

fn with_preposition(tokens: &[Token], at: usize) -> Option<usize> {
    let of = |(words, prepositions): &(&str, &str)| {
        if !tokens[at].is_one_of(words) {
            return None;
        }
        sentence(tokens, at, 3).find(|&at| tokens[at].is_one_of(prepositions)).map(|at| at + 1)
    };
    let speaks_of_code = || {
        let before = tokens[..=at].iter().rev().take(APART);
        let mut of_sentence = before.take_while(|token| !token.begins && !token.is_first).skip(1);
        let opens = tokens[at].begins || tokens[at].is_first;
        opens
            || of_sentence
                .any(|token| token.is_one_of(CODE) || token.is_one_of(ITSELF) || token.is_one_of(CHANGED))
            || tokens[..at].iter().rev().take(2).any(|token| token.is_one_of(CODE) || token.is_one_of(ITSELF))
    };
    AFTER.iter().find_map(of).or_else(|| OF_CODE.iter().find_map(of).filter(|_| speaks_of_code()))
}

/// `a modified version of`, `this file is part of`, `originally part of`
fn version_of(tokens: &[Token], at: usize) -> Option<usize> {
    let before = |count: usize| at.checked_sub(count).map(|at| &tokens[at]);
    let is_of = tokens[at].text == "of" && !tokens[at].begins;
    let is_version = before(1)?.text == "version" && before(2)?.is_one_of(CHANGED);
    let is_part = before(1)?.text == "part" && before(2)?.is_one_of("is once originally was");
    (is_of && (is_version || is_part)).then_some(at + 1)
}

/// `Source:`, `Original source:` at the head of a line.
fn label(tokens: &[Token], at: usize) -> Option<usize> {
    let token = &tokens[at];
    let before = at.checked_sub(1).map(|at| &tokens[at]);
    let is_second =
        before.is_some_and(|before| before.is_first && before.is_one_of("code main original primary the"));
    let is_head = token.is_first || token.begins || is_second;
    let is_label = token.is_one_of(LABELS) && token.next == Some(':') && token.glue.is_none();
    (is_label && is_head).then_some(at + 1)
}

/// Where `from` alone ends, or a tag such as `@source`.
fn bare(tokens: &[Token], at: usize) -> Option<usize> {
    let token = &tokens[at];
    let is_tag = token.is_first && token.is_one_of("source credit credits origin") && token.next.is_none();
    if is_tag && tokens.get(at + 1).is_some_and(|next| next.line == token.line && !next.begins) {
        return Some(at + 1);
    }
    // `Helper from NAME`, `The helpers from NAME`; farther within a sentence something else comes from there.
    let is_head = |at: usize| tokens[at].begins || tokens[at].is_first;
    let follows_code = at > 0
        && !token.begins
        && tokens[at - 1].is_one_of(CODE)
        && (is_head(at - 1) || at > 1 && is_head(at - 2) && tokens[at - 2].is_one_of("some the these this"));
    // A line that goes on from the one above may go on with `from`, too.
    let opens_comment = at == 0 || tokens[at - 1].line + 1 < token.line;
    let opens = token.begins || token.is_first && (token.is_capital || opens_comment);
    (token.is_one_of("from via") && token.glue.is_none() && (opens || follows_code)).then_some(at + 1)
}
