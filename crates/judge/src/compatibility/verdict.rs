//! What a judgement says.

use std::fmt;

use super::duties::Duty;

/// That a verdict is none of a lawyer; for every report that shows verdicts.
pub const NO_LEGAL_ADVICE: &str = "Verdicts follow published tables and the texts of licenses. They are not legal advice. They do not \
     consider permissions given elsewhere, or whether the code is protected by copyright at all.";

/// Whether code may be where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Both sides have the same license.
    Same,
    /// It may be taken; the duties say how.
    Compatible,
    /// The sources disagree.
    Contested,
    /// No source says.
    Unknown,
    /// It may not be taken.
    Conflict,
}

impl Status {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Compatible => "compatible",
            Self::Contested => "contested",
            Self::Unknown => "unknown",
            Self::Conflict => "conflict",
        }
    }

    /// The lower, the better: the same license is as good as a compatible one.
    pub(super) const fn rank(self) -> u8 {
        match self {
            Self::Same | Self::Compatible => 0,
            Self::Contested => 1,
            Self::Unknown => 2,
            Self::Conflict => 3,
        }
    }

    /// Whether nothing stands against it.
    pub const fn passes(self) -> bool {
        matches!(self, Self::Same | Self::Compatible)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One source and what it says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleCitation {
    /// `OSADL matrix 2024-11-04`, `GPL-3.0 section 13`, …
    pub source: String,
    pub text: String,
}

impl RuleCitation {
    pub(super) fn new(source: &str, text: impl Into<String>) -> Self {
        Self { source: source.to_owned(), text: text.into() }
    }
}

/// Whether code may be taken, what has to be done then, and what says so. There is at least one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub status: Status,
    /// Without repetition, in the order of the code's licenses. Of a conflict: none.
    pub duties: Vec<Duty>,
    /// Those that decide first.
    pub rules: Vec<RuleCitation>,
}

impl Verdict {
    pub(super) fn new(status: Status, duties: Vec<Duty>, rules: Vec<RuleCitation>) -> Self {
        Self { status, duties, rules }
    }

    /// The worse of the two statuses, with the duties and rules of both. It passes where both do.
    pub(super) fn and(mut self, other: Self) -> Self {
        let other_decides = other.status > self.status;
        self.status = self.status.max(other.status);
        let (mut first, second) =
            if other_decides { (other.rules, self.rules) } else { (self.rules, other.rules) };
        extend(&mut first, second);
        self.rules = first;
        extend(&mut self.duties, other.duties);
        self
    }

    /// What a conflict obliges to is nothing, for the code must go.
    pub(super) fn settled(mut self) -> Self {
        if self.status == Status::Conflict {
            self.duties.clear();
        }
        self
    }
}

/// Adds what is not there yet.
pub(super) fn extend<T: PartialEq>(list: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !list.contains(&one) {
            list.push(one);
        }
    }
}
