//! Whether a copy names where it comes from.
//!
//! CC BY-SA asks for the author's name, a link to the work, the license's name or link and a word on changes (4.0, section 3(a)(1);
//! 3.0 and 2.5, section 4); Stack Exchange asks for a link to the post and the author's name; most other licenses ask that the copyright
//! notice is kept. Looked for are links, names of authors and projects, kept notices and licenses: in the copy's lines, in the comments
//! above them and in the head of the file ([`region`]). Whether a copy says what it changed is not looked for.
//!
//! # Files
//!
//! `original` is what is known, `evidence` what is found.
//! `region` says which comments speak of some lines, `passage`, `comments` and `tokens` read them.
//! `phrases` are the words that lead to a source, `credit`, `names` and `words` what gets credit,
//! `links` and `address` where links lead. `forms.txt` has the forms that people write,
//! `unseen.txt` those that were written to measure, and `forms` tests both.

mod address;
mod comments;
mod credit;
mod evidence;
mod links;
mod names;
mod original;
mod passage;
mod phrases;
mod region;
mod tokens;
mod words;

pub use evidence::{Evidence, EvidenceKind};
pub use original::{Original, Post};

use familiar_license::Copyright;
use familiar_license::copyright::have_common_holder;

use names::Project;
use original::MAX_NAMES;
use passage::Passage;

/// What a copy names of its origin, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// A link to the very post, repository, package or page, its author or a holder of its copyright, and its license. What is not known
    /// of the original is not asked for.
    Full,
    /// A link to the very post.
    AnswerLink,
    /// A link to the repository, or to something in it.
    RepositoryLink,
    /// A link to the page of the package.
    PackageLink,
    /// A link to another page of the original.
    PageLink,
    /// A copyright notice of the original that was kept.
    CopyrightNotice,
    /// A link to the question that the post answers.
    QuestionLink,
    /// The author, a holder or the project, without a link.
    Name,
    /// Nothing of these; the license's name alone is nothing.
    None,
}

impl Grade {
    pub const ALL: [Self; 9] = [
        Self::Full,
        Self::AnswerLink,
        Self::RepositoryLink,
        Self::PackageLink,
        Self::PageLink,
        Self::CopyrightNotice,
        Self::QuestionLink,
        Self::Name,
        Self::None,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::AnswerLink => "answer-link",
            Self::RepositoryLink => "repository-link",
            Self::PackageLink => "package-link",
            Self::PageLink => "page-link",
            Self::CopyrightNotice => "copyright-notice",
            Self::QuestionLink => "question-link",
            Self::Name => "name",
            Self::None => "none",
        }
    }
}

/// What a copy says of its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribution {
    pub grade: Grade,
    /// By line.
    pub evidence: Vec<Evidence>,
}

/// More than a reader wants to see.
const MAX_EVIDENCE: usize = 32;

/// A file that is looked through for many copies.
#[derive(Debug)]
pub struct Text<'t> {
    lines: Vec<&'t str>,
    /// The comments that speak of the file as a whole.
    head: Passage<'t>,
    /// Those that speak of all that follows them.
    sections: Passage<'t>,
    copyrights: &'t [Copyright],
}

impl<'t> Text<'t> {
    pub fn new(text: &'t str) -> Self {
        Self::claimed(text, &[])
    }

    /// A text with the claims of copyright in it.
    pub fn claimed(text: &'t str, copyrights: &'t [Copyright]) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let (head, sections) = (region::head(&lines), region::sections(&lines));
        Self { lines, head: Passage::new(head), sections: Passage::new(sections), copyrights }
    }
}

/// Looks through what speaks of `lines` (first and last, from 1) of `text` for what names `original`: these lines, the comments above them,
/// of lines within a function or class from the comment above its head on, and the head of the file.
///
/// Links to posts count wherever they stand, all else in comments only. Names of people are whole words, never parts of identifiers or
/// addresses; one of one word counts only on a line that gives credit (`by`, `author`, …) or has a link, and one of less than four
/// letters only where there is a link too. The name of a project counts only where words of credit lead to it (`from`, `based on`, …).
pub fn attribution(text: &Text<'_>, lines: (u32, u32), original: &Original) -> Attribution {
    Copied::new(text, lines).attribution(original)
}

/// Lines of a text that may be copied from many originals.
#[derive(Debug)]
pub struct Copied<'c, 't> {
    text: &'c Text<'t>,
    /// The first line that is read.
    first: u32,
    /// The comment above the function or class around the lines.
    of_block: Passage<'t>,
    /// The lines, and the comments right above them.
    own: Passage<'t>,
}

impl<'c, 't> Copied<'c, 't> {
    /// `lines`: first and last, from 1.
    pub fn new(text: &'c Text<'t>, lines: (u32, u32)) -> Self {
        let above = comments::comment_above(&text.lines, lines.0);
        let head = comments::head_of_blocks(&text.lines, lines.0);
        let above_head = if head < lines.0 { comments::comment_above(&text.lines, head) } else { above };
        let first = above.min(above_head);
        let (of_block, own): (Vec<_>, Vec<_>) = comments::commented(&text.lines, first, lines.1)
            .into_iter()
            // Between the head and the lines other functions stand, whose origins are others.
            .filter(|line| line.number >= above || line.number < head)
            .partition(|line| line.number < above);
        Self { text, first, of_block: Passage::new(of_block), own: Passage::new(own) }
    }

    /// What of an original they name, as [`attribution`] says.
    pub fn attribution(&self, original: &Original) -> Attribution {
        let names = original.projects.iter().take(MAX_NAMES);
        let projects: Vec<Project> = names.filter_map(|name| Project::of(name)).collect();
        let wanted = links::Wanted::new(original, &projects);
        let mut evidence = Vec::new();
        notices(self.text.copyrights, original, &mut evidence);
        let Text { head, sections, .. } = self.text;
        let passages =
            [(head, self.first), (sections, self.first), (&self.of_block, u32::MAX), (&self.own, u32::MAX)];
        for (passage, before) in passages {
            passage.links(&wanted, &projects, before, head.last_line(), &mut evidence);
        }
        for (passage, before) in passages {
            passage.people(original, before, &mut evidence);
        }
        evidence.sort_by_key(|one| (one.line, one.kind));
        evidence.dedup();
        let grade = grade(&evidence, original);
        evidence.truncate(MAX_EVIDENCE);
        Attribution { grade, evidence }
    }
}

/// Copyright notices that name a holder of the original.
fn notices(copyrights: &[Copyright], original: &Original, evidence: &mut Vec<Evidence>) {
    for copyright in copyrights {
        let Some(holder) = &copyright.holder else { continue };
        if have_common_holder(std::slice::from_ref(holder), &original.holders) {
            let text = copyright.statement.clone();
            evidence.push(Evidence { kind: EvidenceKind::CopyrightNotice, text, line: copyright.lines.0 });
        }
    }
}

fn grade(evidence: &[Evidence], original: &Original) -> Grade {
    use EvidenceKind as Kind;
    let has = |kind: Kind| evidence.iter().any(|one| one.kind == kind);
    let is_unknown =
        original.author.is_none() && original.author_page.is_none() && original.holders.is_empty();
    let named = has(Kind::Name) || has(Kind::CopyrightNotice) || is_unknown;
    let licensed = has(Kind::License) || original.licenses.is_empty();
    let is_whole = |kind: Kind| kind.is_link() && kind != Kind::QuestionLink && has(kind);
    let links = [Kind::AnswerLink, Kind::RepositoryLink, Kind::PackageLink, Kind::PageLink];
    if named && licensed && links.into_iter().any(is_whole) {
        return Grade::Full;
    }
    let grades = [
        (Kind::AnswerLink, Grade::AnswerLink),
        (Kind::RepositoryLink, Grade::RepositoryLink),
        (Kind::PackageLink, Grade::PackageLink),
        (Kind::PageLink, Grade::PageLink),
        (Kind::CopyrightNotice, Grade::CopyrightNotice),
        (Kind::QuestionLink, Grade::QuestionLink),
        (Kind::Name, Grade::Name),
        (Kind::Project, Grade::Name),
    ];
    grades.into_iter().find(|(kind, _)| has(*kind)).map_or(Grade::None, |(_, grade)| grade)
}

#[cfg(test)]
mod forms;
#[cfg(test)]
mod tests;
