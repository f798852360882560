//! The rules that licenses are detected by: token sequences with the license expression that each stands for.
//!
//! They are ScanCode's (CC-BY-4.0), compiled by `tools/xtask` into one artefact that comes with the crate; see
//! `data/scancode/NOTICE`.

mod artefact;
mod distinguishing;
mod words;

pub use artefact::Damaged;
pub use distinguishing::{Distinguishing, Does, Telling};
pub(crate) use words::Known;
pub use words::{STOP_WORDS, Vocabulary, Word, Words};

use std::ops::Range;
use std::sync::OnceLock;

/// What a rule is, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u16);

impl Flags {
    pub const TEXT: Self = Self(1);
    pub const NOTICE: Self = Self(1 << 1);
    pub const REFERENCE: Self = Self(1 << 2);
    pub const TAG: Self = Self(1 << 3);
    pub const INTRO: Self = Self(1 << 4);
    pub const CLUE: Self = Self(1 << 5);
    /// What it matches is no license.
    pub const FALSE_POSITIVE: Self = Self(1 << 6);
    /// It is a phrase that others require; matched only without a gap.
    pub const REQUIRED_PHRASE: Self = Self(1 << 7);
    /// Matched only without a gap.
    pub const CONTINUOUS: Self = Self(1 << 8);
    /// It names a file that says more.
    pub const NAMES_FILE: Self = Self(1 << 9);
    /// It says that there is a license, not which.
    pub const UNKNOWN: Self = Self(1 << 10);
    /// It may be matched in parts.
    pub const APPROXIMATE: Self = Self(1 << 11);
    pub const STARTS_WITH_LICENSE: Self = Self(1 << 12);
    pub const ENDS_WITH_LICENSE: Self = Self(1 << 13);

    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What is known of a rule beside its tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// As its source names it.
    pub name: String,
    /// Position in [`Rules::expressions`].
    pub expression: u32,
    pub flags: Flags,
    /// How sure a whole match is of the license, in percent.
    pub relevance: u8,
    /// Least share that an approximate match has of it, in percent.
    pub minimum_coverage: u8,
    /// Number of its tokens that are legal words.
    pub legal: u32,
    /// Where its rarest four tokens start; of fewer, 0.
    pub anchor: u32,
    /// Stretches of its tokens that a match must have, without gaps.
    pub required: Vec<Range<u32>>,
    /// (position, number) of the stop words that follow a token; given where a match must have no gaps.
    pub stops: Vec<(u32, u32)>,
}

/// What a license is to those who take code under it, as ScanCode's data sort them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownLicense {
    /// SPDX's identifier or `LicenseRef-scancode-…`.
    pub id: String,
    /// `Permissive`, `Copyleft Limited`, …
    pub category: String,
    /// Other names that tags may use.
    pub aliases: Vec<String>,
}

/// All rules, with their tokens in one row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    pub vocabulary: Vocabulary,
    /// SPDX expressions, each once.
    pub expressions: Vec<String>,
    pub licenses: Vec<KnownLicense>,
    pub rules: Vec<Rule>,
    /// Where the tokens of each rule start, with the end of the last.
    pub starts: Vec<u32>,
    pub tokens: Vec<Word>,
    /// The words that tell the licenses apart.
    pub distinguishing: Distinguishing,
}

impl Rules {
    /// The rules that come with this crate.
    pub fn embedded() -> &'static Self {
        static RULES: OnceLock<Rules> = OnceLock::new();
        RULES.get_or_init(|| {
            Self::decode(Self::artefact())
                .expect("the artefact was written by this version and is part of the program")
        })
    }

    /// The rules that come with this crate, as bytes.
    pub fn artefact() -> &'static [u8] {
        include_bytes!("../../data/scancode/rules.zst")
    }

    pub fn tokens(&self, rule: u32) -> &[Word] {
        &self.tokens[self.starts[rule as usize] as usize..self.starts[rule as usize + 1] as usize]
    }

    /// Number of tokens of a rule.
    pub fn length(&self, rule: u32) -> u32 {
        self.starts[rule as usize + 1] - self.starts[rule as usize]
    }

    /// The expression that a rule stands for.
    pub fn expression(&self, rule: u32) -> &str {
        &self.expressions[self.rules[rule as usize].expression as usize]
    }
}

#[cfg(test)]
impl Rules {
    /// The words of a rule, with as many stop words between them as the rule has.
    pub(crate) fn words(&self, rule: u32) -> Vec<&str> {
        let mut spelled = vec![""; usize::from(Word::MAX)];
        for (word, number) in &self.vocabulary.words {
            spelled[usize::from(*number)] = word;
        }
        let stops = &self.rules[rule as usize].stops;
        let mut words = Vec::new();
        for (token, at) in self.tokens(rule).iter().zip(0u32..) {
            words.push(spelled[usize::from(*token)]);
            let count = stops.iter().find(|stop| stop.0 == at).map_or(0, |stop| stop.1);
            words.extend(std::iter::repeat_n("nbsp", count as usize));
        }
        words
    }

    /// The text of the rule of this name.
    pub(crate) fn text_of(&self, name: &str) -> String {
        let rule = self.rules.iter().position(|rule| rule.name == name).expect(name);
        self.words(rule as u32).join(" ")
    }
}
