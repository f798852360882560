//! A stretch of a text that speaks of a license: what it is, and what had to be taken into account to read it.

use crate::{Expression, License};

/// A stretch of a text that speaks of a license.
#[derive(Clone, Debug, PartialEq)]
pub struct LicenseMatch {
    pub kind: MatchKind,
    pub expression: Expression,
    /// The name of the rule that matched.
    pub rule: String,
    /// The share of the rule that was found, times how sure the rule is; in [0, 1].
    pub score: f32,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// Where it stands in the text.
    pub bytes: (usize, usize),
    pub note: Option<Note>,
}

impl LicenseMatch {
    /// Whether it is an exception, which belongs to the license that it stands beside.
    pub(super) fn is_lone_exception(&self) -> bool {
        let is_lone = |license: &License| Expression::lone_exception(&license.id).is_some();
        matches!(&self.expression, Expression::License(license) if is_lone(license))
    }
}

/// What a stretch of text is to the license that it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchKind {
    /// The text of the license itself.
    Text,
    /// A statement that the code stands under it.
    Notice,
    /// `SPDX-License-Identifier: MIT`, `license = "MIT"`.
    Tag,
    /// Its name or address.
    Reference,
    /// Words that announce a license; no license by themselves.
    Intro,
    /// Words that hint at one.
    Clue,
}

impl MatchKind {
    pub const ALL: [Self; 6] =
        [Self::Text, Self::Notice, Self::Tag, Self::Reference, Self::Intro, Self::Clue];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Notice => "notice",
            Self::Tag => "tag",
            Self::Reference => "reference",
            Self::Intro => "intro",
            Self::Clue => "clue",
        }
    }
}

/// What had to be taken into account to read a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The version stands beside what the rule knows.
    Version,
    /// A tag names licenses without a word between them.
    Choice,
    /// A sentence offers several licenses.
    Offered,
    /// The license and its exception are said apart.
    Excepted,
    /// The text is that of a license, but for words that tell licenses apart.
    Altered,
    /// A sentence takes away what the license beside it gives.
    Restricted,
}

impl Note {
    /// In words, for readers.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Version => "the version stands beside the license's name",
            Self::Choice => "the licenses stand side by side without AND or OR, which is read as OR",
            Self::Offered => "the text offers the licenses as a choice",
            Self::Excepted => "the exception stands beside the license",
            Self::Altered => {
                "the text is that of a known license, but words that tell licenses apart are changed"
            }
            Self::Restricted => "the sentence restricts what the license beside it permits",
        }
    }
}
