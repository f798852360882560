//! Where the name of a holder ends.

use super::marks::MarkKind;
use super::tokens::{Kind, Token, Tokens};
use super::words::{AFTER, JOINING, NEVER, WITHIN, is_abbreviated, is_company, is_group, is_name};
use super::years::{Years, is_years, years};

/// A holder, as far as it was found.
#[derive(Default)]
pub(super) struct Holder {
    /// The name without addresses; the first link where there is nothing else.
    pub name: Option<String>,
    /// Years that stand after the name: `IBM Corp. 2001`.
    pub years: Option<String>,
    /// The number of the first token after all that belongs to it.
    pub next: usize,
}

/// Words that belong to the name in the line before.
const BEGIN_LINE: &[&str] = &[
    "authors",
    "contributors",
    "corp",
    "corporation",
    "developers",
    "foundation",
    "gmbh",
    "inc",
    "incorporated",
    "institute",
    "limited",
    "llc",
    "ltd",
    "maintainers",
    "project",
    "team",
    "university",
];

const MOST_WORDS: usize = 100;

/// What a name stands in.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// Years came before.
    pub dated: bool,
    /// It is part of a sentence, which goes on in the next line.
    pub prose: bool,
}

/// The holder whose name begins with the token `at`.
pub(super) fn holder(tokens: &mut Tokens<'_>, at: usize, manner: Manner) -> Holder {
    let mut reader = Reader { tokens, start: at, at, manner, words: Vec::new(), contact: None, next: at };
    let years = reader.read();
    let Reader { mut words, contact, next, .. } = reader;
    while words.last().is_some_and(|last| JOINING.hold(&last.text) || last.text == "The") {
        words.pop();
    }
    let name = (!words.is_empty()).then(|| name(&words)).filter(|name| !name.is_empty());
    let years = years.filter(|_| name.is_some());
    let (text, next) = years.map_or((None, next), |years| (Some(years.text), years.next));
    Holder { name: name.or(contact), years: text, next }
}

struct Reader<'t, 'a> {
    tokens: &'t mut Tokens<'a>,
    start: usize,
    at: usize,
    manner: Manner,
    words: Vec<Token>,
    contact: Option<String>,
    /// After the last token that belongs to the holder.
    next: usize,
}

impl Reader<'_, '_> {
    /// Reads up to the end of the name; gives the years that end it.
    fn read(&mut self) -> Option<Years> {
        while self.at < self.start + MOST_WORDS {
            let token = self.tokens.get(self.at).clone();
            match token.kind {
                Kind::Line if self.goes_on() => self.at += 1,
                Kind::Contact => {
                    if self.contact.is_none() {
                        let bare =
                            token.text.trim_matches(['<', '>', '(', ')', '[', ']']).trim_end_matches('.');
                        self.contact = Some(bare.to_owned());
                    }
                    self.at += 1;
                    self.next = self.at;
                    if !self.joins(&token) {
                        return None;
                    }
                    if let Some(last) = self.words.last_mut() {
                        last.trail = last.trail.or(token.trail);
                    }
                }
                Kind::Word if is_years(&token.text) => {
                    let years = years(self.tokens, self.at)?;
                    let ends =
                        matches!(self.tokens.kind(years.next), Kind::Line | Kind::Stop | Kind::Mark(_))
                            || self.is_after(years.next)
                            || years.text.len() > 4;
                    return (ends && !self.manner.dated && !self.words.is_empty()).then_some(years);
                }
                Kind::Word if self.belongs(&token) => {
                    let stopped = token.text.ends_with('.') && !is_abbreviated(&token.text);
                    let ends = matches!(token.trail, Some(';' | ':'))
                        || (stopped && !is_company(&self.tokens.get(self.at + 1).text));
                    let company = token.text.ends_with('.') && is_company(&token.text);
                    let joins = self.joins_name(&token);
                    self.words.push(token);
                    self.at += 1;
                    self.next = self.at;
                    if ends || (company && !joins) {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        None
    }

    /// Whether the name goes on after an address.
    fn joins(&mut self, contact: &Token) -> bool {
        let word = self.tokens.lower(self.at);
        let more = matches!(self.tokens.kind(self.at), Kind::Line | Kind::Contact);
        (contact.trail == Some(',') && !self.is_after(self.at))
            || more
            || matches!(word.as_str(), "and" | "&" | "for")
    }

    /// Whether the name of a company goes on after its full stop.
    fn joins_name(&mut self, company: &Token) -> bool {
        let at = self.at + 1;
        let word = self.tokens.get(at).clone();
        let joins = JOINING.hold(word.text.to_lowercase().as_str())
            || is_group(&word.text)
            || is_company(&word.text)
            || is_years(&word.text);
        company.trail == Some(',') || joins || word.kind != Kind::Word
    }

    /// Whether what comes after a statement begins with the token.
    fn is_after(&mut self, at: usize) -> bool {
        let word = self.tokens.lower(at);
        let bare = word.trim_end_matches('.');
        let next = self.tokens.lower(at + 1);
        let rights = next.starts_with("right") || next == "rechte" || next == "droits";
        (AFTER.hold(bare) && !(bare == "gnu" && next == "project"))
            || (rights && matches!(bare, "all" | "some" | "no" | "alle" | "tous"))
            || (bare == "rights" && next.starts_with("reserved"))
            || (bare == "the"
                && matches!(
                    next.as_str(),
                    "above" | "following" | "code" | "software" | "program" | "source"
                ))
    }

    fn belongs(&mut self, token: &Token) -> bool {
        if self.is_after(self.at) {
            return false;
        }
        let word = token.text.trim_end_matches('.');
        let lower = word.to_lowercase();
        if is_name(&token.text) || is_company(&token.text) {
            return true;
        }
        let next = self.tokens.get(self.at + 1).clone();
        if !word.chars().any(char::is_alphabetic) {
            // `650 Industries`
            let number =
                self.words.is_empty() && self.manner.dated && next.kind == Kind::Word && is_name(&next.text);
            return number || (matches!(word, "&" | "+" | "/" | "-" | "–") && !self.words.is_empty());
        }
        if NEVER.hold(lower.as_str()) {
            return false;
        }
        let plain =
            self.words.iter().all(|word| !is_name(&word.text) || word.text == "The") && self.words.len() < 4;
        let group = is_group(&next.text);
        WITHIN.hold(lower.as_str())
            || (group && !self.words.is_empty())
            || (plain && (self.manner.dated || !self.words.is_empty()))
    }

    /// Whether the name goes on in the line after the end of line at hand.
    fn goes_on(&mut self) -> bool {
        let at = self.at + 1;
        let next = self.tokens.get(at).clone();
        if matches!(
            next.kind,
            Kind::Mark(MarkKind::Word | MarkKind::Sign | MarkKind::Letter | MarkKind::Tag) | Kind::Stop
        ) || self.is_after(at)
            || (next.trail == Some(':') && !self.manner.prose)
        {
            return false;
        }
        if next.kind == Kind::Contact {
            return self.contact.is_none()
                && self.tokens.get(self.at - 1).text != "."
                && next.text.starts_with('<');
        }
        let Some(last) = self.words.last() else { return self.contact.is_none() && next.kind == Kind::Word };
        let written = self.tokens.get(self.at - 1).clone();
        let (trail, last) = (written.trail, last.text.to_lowercase());
        let name = next.kind == Kind::Word
            && !is_years(&next.text)
            && is_name(&next.text)
            && !next.text.starts_with(|c: char| c.is_ascii_digit());
        let joined = JOINING.hold(last.as_str())
            || trail == Some(',')
            || (self.manner.prose && trail.is_none() && !written.text.ends_with('.'));
        let begins = next.text.to_lowercase();
        let after = self.tokens.get(at + 1).clone();
        let goes_on = BEGIN_LINE.contains(&begins.trim_end_matches('.'))
            || (matches!(begins.as_str(), "and" | "&")
                && (is_name(&after.text) || WITHIN.hold(after.text.as_str()))
                && trail.is_none());
        let lower_joined = joined
            && matches!(begins.as_str(), "and" | "the" | "contributors" | "others" | "its" | "other" | "all");
        (joined && name && !is_address(&last, &next))
            || lower_joined
            || (next.kind == Kind::Word
                && goes_on
                && (!written.text.ends_with('.') || is_company(&written.text)))
    }
}

/// Whether the next line is the street of a company rather than a part of its name.
fn is_address(last: &str, next: &Token) -> bool {
    is_company(last) && next.text.chars().any(|char| char.is_ascii_digit())
}

/// The words of a name with the commas between them.
fn name(words: &[Token]) -> String {
    let mut name = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            name.push(' ');
        }
        name.push_str(&word.text);
        if at + 1 < words.len() {
            name.extend(word.trail);
        }
    }
    let last = words.last().map_or("", |word| &word.text);
    let name = if is_abbreviated(last) { name.as_str() } else { name.trim_end_matches('.') };
    name.trim_matches([' ', '-', ',', '/']).to_owned()
}
