//! Whether a copy names where it comes from.
//!
//! CC BY-SA asks for the author's name, a link to the work, the license's name or link and a word on changes (4.0, section 3(a)(1);
//! 3.0 and 2.5, section 4); Stack Exchange asks for a link to the post and the author's name. Looked for are the first three,
//! within the copy's lines and in the comment above them. Whether a copy says what it changed is not looked for.

mod comments;
mod links;
mod words;

use std::fmt;

pub use links::Post;

use links::Found;

/// How much of the origin a copy names, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// A link to the very post, repository or package, its author or a holder of its copyright, and its license. What is not known
    /// of the original is not asked for.
    Full,
    /// A link to the very post, repository or package.
    AnswerLink,
    /// A link to the question that the post answers.
    QuestionLink,
    /// The author or a holder, without a link.
    Name,
    /// Nothing of these; the license's name alone is nothing.
    None,
}

impl Grade {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::AnswerLink => "answer-link",
            Self::QuestionLink => "question-link",
            Self::Name => "name",
            Self::None => "none",
        }
    }
}

/// What is known of where the code was first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Original {
    /// Addresses of the repository, package or page that has it.
    pub links: Vec<String>,
    /// The post, where it stood on a Stack Exchange site.
    pub post: Option<Post>,
    pub author: Option<String>,
    /// Who its copyright statements name.
    pub holders: Vec<String>,
    /// Identifiers of its licenses.
    pub licenses: Vec<String>,
}

/// What some words name of the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EvidenceKind {
    AnswerLink,
    RepositoryLink,
    QuestionLink,
    Name,
    License,
}

/// Words that were found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Evidence {
    pub kind: EvidenceKind,
    /// As they stand there.
    pub text: String,
    /// From 1.
    pub line: u32,
}

/// What a copy says of its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribution {
    pub grade: Grade,
    /// By line.
    pub evidence: Vec<Evidence>,
}

/// More than a file's statements name; those beyond are not looked for.
const MAX_NAMES: usize = 256;
/// More than a reader wants to see.
const MAX_EVIDENCE: usize = 32;

/// A file that is looked through for many copies.
#[derive(Debug)]
pub struct Text<'t> {
    lines: Vec<&'t str>,
}

impl<'t> Text<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { lines: text.lines().collect() }
    }
}

/// Looks through `lines` (first and last, from 1) of `text` and the comment above them for what names `original`; of lines within a
/// function or class, from the comment above its head on.
///
/// Links count wherever they stand, names and licenses in comments only. Names are whole words, never parts of identifiers or
/// addresses. A name of one word counts only on a line that gives credit (`by`, `author`, …) or has a link, and one of less than four
/// letters only where there is a link too.
pub fn attribution(text: &Text<'_>, lines: (u32, u32), original: &Original) -> Attribution {
    let above = comments::comment_above(&text.lines, lines.0);
    let head = comments::head_of_blocks(&text.lines, lines.0);
    let above_head = if head < lines.0 { comments::comment_above(&text.lines, head) } else { above };
    let first = above.min(above_head);
    let read = comments::commented(&text.lines, first, lines.1);
    let mut evidence = Vec::new();
    let wanted = links::Wanted::new(original);
    for line in &read {
        for (found, link) in wanted.in_line(line.text) {
            let kind = match found {
                Found::Answer => EvidenceKind::AnswerLink,
                Found::Repository => EvidenceKind::RepositoryLink,
                Found::Question => EvidenceKind::QuestionLink,
            };
            evidence.push(Evidence { kind, text: link, line: line.number });
        }
    }
    let linked = !evidence.is_empty();
    let names: Vec<_> = original
        .author
        .iter()
        .chain(&original.holders)
        .take(MAX_NAMES)
        .map(|name| words::Name::new(name))
        .collect();
    // Between the head and the lines other functions stand, whose authors are others.
    let is_its = |number: u32| number >= above || number < head;
    for line in read.iter().filter(|line| !line.comment.is_empty() && is_its(line.number)) {
        let comment = words::spread(&line.comment);
        let with_link =
            evidence.iter().any(|one| one.line == line.number && one.kind <= EvidenceKind::QuestionLink);
        let people = words::spread(&links::without_addresses(&line.comment));
        for name in names.iter().filter(|name| name.is_in(&people, with_link, linked)) {
            evidence.push(Evidence {
                kind: EvidenceKind::Name,
                text: name.as_written().to_owned(),
                line: line.number,
            });
        }
        for license in original.licenses.iter().filter(|license| words::names_license(&comment, license)) {
            evidence.push(Evidence { kind: EvidenceKind::License, text: license.clone(), line: line.number });
        }
    }
    evidence.sort_by_key(|one| (one.line, one.kind));
    evidence.dedup();
    let grade = grade(&evidence, original);
    evidence.truncate(MAX_EVIDENCE);
    Attribution { grade, evidence }
}

fn grade(evidence: &[Evidence], original: &Original) -> Grade {
    let has = |kind: EvidenceKind| evidence.iter().any(|one| one.kind == kind);
    let named = has(EvidenceKind::Name) || original.author.is_none() && original.holders.is_empty();
    let licensed = has(EvidenceKind::License) || original.licenses.is_empty();
    if has(EvidenceKind::AnswerLink) || has(EvidenceKind::RepositoryLink) {
        if named && licensed { Grade::Full } else { Grade::AnswerLink }
    } else if has(EvidenceKind::QuestionLink) {
        Grade::QuestionLink
    } else if has(EvidenceKind::Name) {
        Grade::Name
    } else {
        Grade::None
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            EvidenceKind::AnswerLink => "link to the post",
            EvidenceKind::RepositoryLink => "link to the repository or package",
            EvidenceKind::QuestionLink => "link to the question",
            EvidenceKind::Name => "name",
            EvidenceKind::License => "license",
        };
        write!(f, "line {}: {what}: {}", self.line, self.text)
    }
}

#[cfg(test)]
mod tests;
