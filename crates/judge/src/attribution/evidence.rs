//! Words of a copy that name its origin.

use std::fmt;

/// What some words name of the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EvidenceKind {
    AnswerLink,
    RepositoryLink,
    PackageLink,
    PageLink,
    QuestionLink,
    CopyrightNotice,
    Name,
    Project,
    License,
}

impl EvidenceKind {
    pub(super) fn is_link(self) -> bool {
        self <= Self::QuestionLink
    }
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

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, text) = (self.line, &self.text);
        match self.kind {
            EvidenceKind::AnswerLink => write!(f, "link to the post, line {line}: {text}"),
            EvidenceKind::RepositoryLink => write!(f, "link to the repository, line {line}: {text}"),
            EvidenceKind::PackageLink => write!(f, "link to the package, line {line}: {text}"),
            EvidenceKind::PageLink => write!(f, "link to a page of the project, line {line}: {text}"),
            EvidenceKind::QuestionLink => write!(f, "link to the question, line {line}: {text}"),
            EvidenceKind::CopyrightNotice => write!(f, "copyright notice kept, line {line}: {text}"),
            EvidenceKind::Name => write!(f, "name of the author or copyright holder, line {line}: {text}"),
            EvidenceKind::Project => write!(f, "name of the project, line {line}: {text}"),
            EvidenceKind::License => write!(f, "name of the license, line {line}: {text}"),
        }
    }
}
