//! A rule found in a text, in whole or in part.

use super::Note;
use super::query::Query;
use super::span::Span;
use crate::Expression;
use crate::rules::{Flags, Rule, Rules, Word};

/// How a match was found; the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    Tag,
    Exact,
    Sequence,
}

/// Which rule, and where.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) rule: u32,
    pub(super) way: Way,
    /// Positions of the text, and of the rule, one for one.
    pub(super) text: Span,
    pub(super) inside: Span,
    /// How many of them are legal words.
    pub(super) legal: u32,
}

/// Words whose meaning counts; [`Word::MAX`] where no rule has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownWords {
    pub(super) copyright: Word,
    pub(super) version: Word,
    /// *0* to *9*.
    pub(super) digits: [Word; 10],
    /// What a license text permits.
    pub(super) rights: [Word; 5],
    pub(super) or_without_modification: [Word; 3],
    /// What says the opposite.
    pub(super) negations: [Word; 4],
    /// Words after which it does not: *if not*, *or not*.
    pub(super) before_alternatives: [Word; 2],
}

impl KnownWords {
    pub(super) fn of(number: impl Fn(&str) -> Option<Word>) -> Self {
        let word = |word: &str| number(word).unwrap_or(Word::MAX);
        let digits = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"].map(word);
        let rights = ["sell", "sublicense", "modify", "distribute", "publish"].map(word);
        let or_without_modification = ["or", "without", "modification"].map(word);
        // *nor* is a word of lists.
        let negations = ["not", "no", "never", "cannot"].map(word);
        let before_alternatives = ["if", "or"].map(word);
        Self {
            copyright: word("copyright"),
            version: word("version"),
            digits,
            rights,
            or_without_modification,
            negations,
            before_alternatives,
        }
    }

    /// Whether the word at `at` says the opposite of what is said without it.
    pub(super) fn is_negation(&self, tokens: &[Word], at: usize) -> bool {
        let is_alternative =
            || at.checked_sub(1).is_some_and(|before| self.before_alternatives.contains(&tokens[before]));
        self.negations.contains(&tokens[at]) && !is_alternative()
    }

    pub(super) fn is_digit(&self, word: Word) -> bool {
        self.digits.contains(&word)
    }

    /// Whether the word at `at` is a digit of a version.
    pub(super) fn is_of_version(&self, tokens: &[Word], at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| tokens[before]);
        self.is_digit(tokens[at]) && before.is_some_and(|word| word == self.version || self.is_digit(word))
    }
}

/// A text and the rules that it is read by. The numbers of `tags` follow those of the rules.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) rules: &'a Rules,
    /// The expressions of the rules, parsed, in the order of [`Rules::expressions`].
    pub(super) expressions: &'a [Expression],
    pub(super) query: &'a Query,
    pub(super) tags: &'a [TagRule],
    pub(super) known: KnownWords,
    /// The words that name the licenses of each expression, as far as they are known.
    pub(super) names: &'a [Vec<Word>],
}

/// What a tag of the text says, as a rule of its own.
#[derive(Clone, Debug)]
pub(super) struct TagRule {
    pub(super) rule: Rule,
    pub(super) expression: Expression,
    pub(super) length: u32,
    pub(super) note: Option<Note>,
}

impl<'a> Scene<'a> {
    fn tag(&self, found: &Found) -> Option<&'a TagRule> {
        self.tags.get((found.rule as usize).checked_sub(self.rules.rules.len())?)
    }

    pub(super) fn rule(&self, found: &Found) -> &'a Rule {
        self.tag(found).map_or_else(|| &self.rules.rules[found.rule as usize], |tag| &tag.rule)
    }

    pub(super) fn expression(&self, found: &Found) -> &'a Expression {
        self.tag(found).map_or_else(|| self.expression_of(found.rule), |tag| &tag.expression)
    }

    /// The expression that a rule stands for.
    pub(super) fn expression_of(&self, rule: u32) -> &'a Expression {
        &self.expressions[self.rules.rules[rule as usize].expression as usize]
    }

    pub(super) fn note(&self, found: &Found) -> Option<Note> {
        self.tag(found)?.note
    }

    pub(super) fn is(&self, found: &Found, flag: Flags) -> bool {
        self.rule(found).flags.has(flag)
    }

    pub(super) fn length(&self, found: &Found) -> u32 {
        self.tag(found).map_or_else(|| self.rules.length(found.rule), |tag| tag.length)
    }

    pub(super) fn is_whole(&self, found: &Found) -> bool {
        found.text.len() == self.length(found)
    }

    /// Share of the rule that was found, in [0, 1].
    pub(super) fn coverage(&self, found: &Found) -> f32 {
        found.text.len() as f32 / self.length(found).max(1) as f32
    }

    /// Tokens from the first to the last, those that rules do not know included.
    pub(super) fn magnitude(&self, found: &Found) -> u32 {
        let last = found.text.last();
        let unknown: u32 =
            found.text.positions().filter(|&at| at != last).map(|at| self.query.unknown_after(at)).sum();
        found.text.magnitude() + unknown
    }

    /// Whether there are words in between that belong to no match.
    pub(super) fn has_extra_words(&self, found: &Found) -> bool {
        // What is partly found and partly foreign counts by what was found.
        self.is_whole(found) && found.text.len() < self.magnitude(found)
    }

    pub(super) fn is_continuous(&self, found: &Found) -> bool {
        found.text.len() == found.text.magnitude() && found.text.len() == self.magnitude(found)
    }

    /// How much of the rule was found, and how sure the rule is; in [0, 1].
    pub(super) fn score(&self, found: &Found) -> f32 {
        let relevance = f32::from(self.rule(found).relevance) / 100.0;
        let (len, magnitude) = (found.text.len() as f32, self.magnitude(found).max(1) as f32);
        let coverage = self.coverage(found);
        let in_text = len / magnitude;
        if in_text < 1.0 && coverage < 1.0 { coverage * relevance } else { in_text * coverage * relevance }
    }

    pub(super) fn lines(&self, found: &Found) -> (u32, u32) {
        (self.query.line(found.text.start()), self.query.line(found.text.last()))
    }
}
