//! Names of projects that words of credit lead to.
//!
//! A name alone says nothing, since comments speak of what code uses. So a phrase of credit has to lead to it, and what stands between and
//! behind has to read like the name of a work: "taken from the queue" names no project that is called so.

use super::names::{self, Project};
use super::phrases::{CODE, Phrase};
use super::tokens::{ADDRESS, Token};

/// A name that a phrase of credit leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Credit<'p> {
    pub(super) project: &'p str,
    pub(super) line: u32,
}

/// What projects are: `the NAME library`.
const WORKS: &str = "\
    codebase crate distribution framework gem kernel lib library module package plugin project \
    release repo repository source sources toolkit tree";

/// What makes another noun of a name that follows: `the number of NAME`.
const DETERMINERS: &str = "\
    a all an any current each every given its my number our same some that the their these this \
    those your";

/// Where another thought begins.
const BREAKS: &str = "\
    are as because but can does for has have if into is should since so than that to until was we \
    were when where which while will you";

/// What may follow a name that is no part of a longer noun.
const GOES_ON: &str = "\
    also and as at by c commit copyright for from in license licensed licence licenced on or \
    originally project see tag to under via which with";

/// Names of licenses, as they follow names of projects.
const LICENSES: &str = "apache bsd gpl gplv2 gplv3 isc lgpl mit mpl public psf zlib";

/// What follows the version of a work.
const BEHIND_VERSION: &str = "and by c commit copyright licence licenced license licensed source tag under";

/// Farthest that a name stands from its phrase, in words.
const FAR: usize = 8;
/// Most words behind a name that are looked at.
const BEHIND: usize = 8;
/// Most words of a name.
const NAME: usize = 5;

/// The projects that some comments give credit to.
///
/// Up to the line `head`, where the head of the file ends, a name with a version is one, too.
pub(super) fn credits<'p>(
    tokens: &[Token],
    phrases: &[Phrase],
    projects: &'p [Project],
    head: u32,
) -> Vec<Credit<'p>> {
    let named = phrases.iter().flat_map(|&phrase| named(tokens, phrase, projects));
    let is_of_head = |at: &usize| tokens[*at].line <= head || is_tagged(tokens, *at);
    named.chain((0..tokens.len()).filter(is_of_head).filter_map(|at| banner(tokens, at, projects))).collect()
}

/// The projects that are named behind a phrase.
fn named<'p>(tokens: &[Token], phrase: Phrase, projects: &'p [Project]) -> Vec<Credit<'p>> {
    let mut found = Vec::new();
    let far = if phrase.is_bare { 2 } else { FAR };
    let end = phrase.end;
    let mut at = end;
    while at < tokens.len() && at - end <= far && (!tokens[at].begins || at == end) {
        let between = &tokens[end..at];
        if let Some((project, after)) = name_at(tokens, at, projects)
            && !(at > 0 && tokens[at - 1].is_one_of("import imports"))
            && around(tokens, between, at, after).is_meant(phrase.is_bare)
        {
            found.push(Credit { project: project.as_written(), line: tokens[at].line });
            // A list of names goes on.
            at = after;
            continue;
        }
        let is_within = matches!(tokens[at].glue, Some('/' | '.' | '-' | '_' | ':'));
        if tokens[at].is_one_of(BREAKS) && !is_within {
            break;
        }
        at += 1;
    }
    found
}

/// The project whose name stands at `at`, and where the name ends.
fn name_at<'p>(tokens: &[Token], at: usize, projects: &'p [Project]) -> Option<(&'p Project, usize)> {
    if matches!(tokens[at].glue, Some('-' | '_' | '.')) {
        return None;
    }
    let mut name = String::new();
    let mut best = None;
    for (next, token) in tokens.iter().enumerate().skip(at).take(NAME) {
        if next > at && token.begins {
            break;
        }
        name.push_str(&token.squashed());
        // `flask-login` is not `flask`.
        let goes_on = tokens
            .get(next + 1)
            .is_some_and(|after| matches!(after.glue, Some('-' | '_')) && !after.is_version());
        if !goes_on && let Some(project) = projects.iter().find(|project| project.is_squashed(&name)) {
            best = Some((project, next + 1));
        }
    }
    best
}

fn around<'t>(tokens: &'t [Token], between: &'t [Token], start: usize, end: usize) -> Around<'t> {
    let rest = tokens.get(end..).unwrap_or_default();
    let behind = &rest[..rest.iter().take(BEHIND).take_while(|next| !next.begins).count()];
    let name: String = tokens[start..end].iter().map(Token::squashed).collect();
    let (words, is_word) = (end - start, names::is_word(&name));
    Around { between, first: &tokens[start], last: &tokens[end - 1], behind, words, is_word }
}

/// What stands around a name behind a phrase.
struct Around<'t> {
    /// Between the phrase and the name.
    between: &'t [Token],
    first: &'t Token,
    last: &'t Token,
    /// What stands behind the name, in the same sentence.
    behind: &'t [Token],
    /// How many words the name has.
    words: usize,
    /// Whether the name is a word of any text.
    is_word: bool,
}

impl Around<'_> {
    /// Whether the name is that of a work.
    fn is_meant(&self, is_bare: bool) -> bool {
        let is_determined = self.between.iter().any(|token| token.is_one_of(DETERMINERS));
        let is_whole = self.ends() || self.goes_on();
        if is_bare {
            let is_close = self.between.iter().all(|token| token.is_one_of("the official original upstream"));
            let is_name = !is_determined && !self.is_word && is_whole;
            return is_close && !self.turns() && (self.is_proven() || is_name);
        }
        let is_of_code = self.between.iter().any(|token| token.is_one_of(CODE) || token.is_one_of(WORKS));
        if self.is_proven() && (!is_determined || is_of_code || self.between.len() <= 3) {
            return true;
        }
        if self.is_word {
            return !is_determined && self.first.is_capital && is_whole && !self.first.begins;
        }
        let is_statement = !is_determined || is_of_code || self.first.is_capital && self.ends();
        let is_title = self.first.is_capital && self.behind.first().is_some_and(|next| next.is_capital);
        is_statement && (is_whole || is_title)
    }

    /// `NAME library`, `NAME 4.17`, `NAME version 4`, `NAME (MIT)`
    fn is_proven(&self) -> bool {
        let Some(next) = self.behind.first() else { return self.words > 1 && self.last.is_version() };
        let is_versioned = next.is_one_of("release v ver version");
        next.is_one_of(WORKS) && !is_versioned
            || next.is_version()
            || next.is_one_of(LICENSES)
            || is_versioned && self.behind.get(1).is_some_and(Token::is_version)
            || self.words > 1 && self.last.is_version()
    }

    /// Whether the name ends a phrase: at the end of a line or a sentence, or before a mark.
    fn ends(&self) -> bool {
        let is_on_next_line = |next: &Token| next.line != self.last.line && !next.is_one_of(BREAKS);
        let is_mark = |mark: char| !mark.is_alphanumeric() && !matches!(mark, '-' | '_');
        self.behind.first().is_none_or(is_on_next_line) || self.last.next.is_some_and(is_mark)
    }

    /// Whether what follows is no part of a longer noun: `NAME by its author`, `NAME's sort`.
    fn goes_on(&self) -> bool {
        let goes_on = |next: &Token| next.is_one_of(GOES_ON) || next.is_one_of(CODE) || next.text == ADDRESS;
        self.behind.first().is_some_and(goes_on)
    }

    /// Whether what follows shows that no work is meant: `from NAME import x`, `from NAME 2.4 the default changed`.
    fn turns(&self) -> bool {
        let words = "import to into is are if when we as which that because where so";
        let on_line = || self.behind.iter().take_while(|next| next.line == self.last.line);
        let turns = on_line().next().is_some_and(|next| next.is_one_of(words));
        let is_code = on_line().any(|next| next.text == "import");
        // A version that a sentence goes on behind says since when something holds.
        let is_since = self.behind.first().is_some_and(Token::is_version)
            && on_line().nth(1).is_some_and(|next| {
                !next.is_one_of(BEHIND_VERSION) && !next.is_one_of(LICENSES) && next.text != ADDRESS
            });
        turns || is_code || is_since
    }
}

/// Whether `@license` or `@preserve` stands before.
fn is_tagged(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map(|at| &tokens[at]);
    before.is_some_and(|before| before.is_first && before.is_one_of("license preserve"))
}

/// `NAME v4.17.21` at the head of a line, as files of packages begin: `/*! lodash 4.17.21 | MIT */`.
fn banner<'p>(tokens: &[Token], at: usize, projects: &'p [Project]) -> Option<Credit<'p>> {
    if !tokens[at].is_first && !is_tagged(tokens, at) {
        return None;
    }
    let (project, end) = name_at(tokens, at, projects)?;
    let line = tokens[at].line;
    let on_line = |at: usize| tokens.get(at).filter(|token| token.line == line && !token.begins);
    // `jQuery JavaScript Library v3.6.0`
    let is_noun = |at: &usize| {
        on_line(*at).is_some_and(|token| token.is_one_of("javascript js library release v version"))
    };
    let version = end + (end..end + 3).take_while(is_noun).count();
    let is_version = |token: &Token| token.text.contains('.') && token.is_version() && token.is_spaced;
    let is_versioned = on_line(version).is_some_and(is_version);
    // `lodash 4.17 or later is needed`
    let goes_on = on_line(version + 1)
        .is_some_and(|next| next.is_spaced && !next.is_one_of(BEHIND_VERSION) && next.text != ADDRESS);
    (is_versioned && !goes_on).then(|| Credit { project: project.as_written(), line })
}
