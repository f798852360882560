//! Lines of a file that are looked through, and what of their comments is asked for each copy anew.

use super::comments::Line;
use super::evidence::{Evidence, EvidenceKind};
use super::names::Project;
use super::original::{MAX_NAMES, Original};
use super::phrases::{self, Phrase};
use super::tokens::{self, Token};
use super::{credit, links, words};

/// Lines, in order.
#[derive(Debug)]
pub(super) struct Passage<'t> {
    lines: Vec<Line<'t>>,
    tokens: Vec<Token>,
    phrases: Vec<Phrase>,
    /// Lines with words of credit.
    credited: Vec<u32>,
    /// Of each line the words of its comment, and those outside addresses.
    words: Vec<(String, String)>,
}

impl<'t> Passage<'t> {
    pub(super) fn new(lines: Vec<Line<'t>>) -> Self {
        let tokens = tokens::tokens(&lines);
        let phrases = phrases::phrases(&tokens);
        let says_so = tokens.iter().filter(|token| token.is_one_of("copyright credit credits"));
        let credited =
            phrases.iter().map(|phrase| phrase.line).chain(says_so.map(|token| token.line)).collect();
        let spread = |line: &Line<'_>| {
            let people = links::without_addresses(&line.comment);
            (words::spread(&line.comment), words::spread(&people))
        };
        let words = lines.iter().map(spread).collect();
        Self { lines, tokens, phrases, credited, words }
    }

    /// The last line; 0 where there is none.
    pub(super) fn last_line(&self) -> u32 {
        self.lines.last().map_or(0, |line| line.number)
    }

    /// Finds links, and names of projects that words of credit lead to, on lines before `before`; the file's head ends with the line `head`.
    pub(super) fn links(
        &self,
        wanted: &links::Wanted<'_>,
        projects: &[Project],
        before: u32,
        head: u32,
        evidence: &mut Vec<Evidence>,
    ) {
        for line in self.lines.iter().filter(|line| line.number < before) {
            let of = |link: links::Link| Evidence { kind: link.kind, text: link.text, line: line.number };
            evidence.extend(wanted.posts(line.text).into_iter().map(of));
            let is_credited =
                || self.credited.iter().any(|&credit| credit <= line.number && line.number <= credit + 1);
            let counts = |link: &links::Link| !link.needs_credit || is_credited();
            evidence.extend(wanted.places(&line.comment).into_iter().filter(counts).map(of));
        }
        let named = credit::credits(&self.tokens, &self.phrases, projects, head)
            .into_iter()
            .filter(|credit| credit.line < before);
        evidence.extend(named.map(|credit| Evidence {
            kind: EvidenceKind::Project,
            text: credit.project.to_owned(),
            line: credit.line,
        }));
    }

    /// Finds authors, holders and licenses on lines before `before`; `evidence` has the links.
    pub(super) fn people(&self, original: &Original, before: u32, evidence: &mut Vec<Evidence>) {
        let linked = evidence.iter().any(|one| one.kind.is_link());
        let people = original.author.iter().chain(&original.holders).take(MAX_NAMES);
        let names: Vec<_> = people.map(|name| words::Name::new(name)).collect();
        for (line, (comment, people)) in self.lines.iter().zip(&self.words) {
            if line.comment.is_empty() || line.number >= before {
                continue;
            }
            let on_line = |wants: &dyn Fn(EvidenceKind) -> bool| {
                evidence.iter().any(|one| one.line == line.number && wants(one.kind))
            };
            let with_link = on_line(&EvidenceKind::is_link);
            let is_notice = on_line(&|kind| kind == EvidenceKind::CopyrightNotice);
            let mut found = Vec::new();
            for name in names.iter().filter(|name| !is_notice && name.is_in(people, with_link, linked)) {
                found.push((EvidenceKind::Name, name.as_written().to_owned()));
            }
            let page =
                original.author_page.and_then(|number| links::author_page(line.text, number, original));
            found.extend(page.map(|page| (EvidenceKind::Name, page)));
            for license in original.licenses.iter().filter(|license| words::names_license(comment, license)) {
                found.push((EvidenceKind::License, license.clone()));
            }
            evidence.extend(found.into_iter().map(|(kind, text)| Evidence { kind, text, line: line.number }));
        }
    }
}
