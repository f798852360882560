//! How much a stretch of code says: the limit that a clone must reach where the user names no number of tokens.
//!
//! A number of tokens is a poor measure. Languages differ in how many brackets and semicolons they need, and a call
//! that is repeated ten times says little more than one. So each token counts with what a reader would have to learn to
//! write it down: a name that is new to the stretch most, a name that was there before less, punctuation hardly
//! anything. These are the costs of a simple adaptive code, rounded to whole bits.

use std::hash::Hasher;

use familiar_source::TokenClass;
use familiar_syntax::normal::Symbol;
use rustc_hash::{FxHashSet, FxHasher};

/// The least number of bits of a clone: so many that a function of 40 tokens of Python passes, as in the scenarios of Roy,
/// Cordy and Koschke at their original size.
pub const LEAST_BITS: u32 = 150;

/// Fewer tokens are too few, whatever they say.
pub const LEAST_TOKENS: u32 = 30;

/// The same for runs, which are sampled so that each of as many tokens is found: the fewer, the more samples.
const LEAST_RUN_TOKENS: u32 = 40;

// What is asked of clones in a large tree was set by 943 pairs that two readers judged (`docs/precision.md`, *What a reader
// would not want to see*). There stand the shares of right pairs below and above 240 bits, seven forms, 40 specific bits
// and 70 % of the words. The limits for tests, heads and plain copies come from the same judgements. Later readings
// of unseen trees measure all of them together.

/// The least number of bits in a large tree. The more code is searched, the more of it is alike by chance, or because
/// there is one way to write it: forwarding calls, checks, registrations (`docs/precision.md`).
const LEAST_BITS_OF_MANY: u32 = 240;

/// A tree of so many tokens is a small one, log₂; what is alike there is hardly so by chance. Sixteen thousand tokens are
/// about 2,000 lines. So a program of some files keeps its short clones.
const FEW_TOKENS_LOG2: f64 = 14.0;

/// How many more bits each doubling of the tree asks for, up to [`LEAST_BITS_OF_MANY`], which is reached at 78,000 tokens.
/// A steep step between small and large was chosen, and its slope was not tuned.
const BITS_PER_DOUBLING: f64 = 40.0;

/// Fewest forms of statements in a large tree. What says much in few forms is a list: of settings, of constructor
/// arguments that become fields, of methods that only forward.
const LEAST_FORMS: u32 = 7;

/// [`Evidence::forms`] in a large tree.
const LEAST_FORMS_OF_SMALL: u32 = 5;

/// [`Evidence::specific`] in a large tree.
const LEAST_SPECIFIC: f64 = 40.0;

/// [`Evidence::plain`] in a large tree.
const LEAST_SPECIFIC_OF_PLAIN: f64 = 100.0;

/// [`Evidence::words`] in a large tree.
const LEAST_WORDS: f64 = 0.7;

/// [`Evidence::words_in_tests`] in a large tree.
const LEAST_WORDS_IN_TESTS: f64 = 0.75;

/// [`Evidence::similarity_of_small_tests`] in a large tree.
const LEAST_SIMILARITY_OF_SMALL_TESTS: f64 = 0.8;

/// [`Evidence::unique_in_heads`] in a large tree.
const LEAST_UNIQUE_IN_HEADS: u32 = 150;

/// [`Evidence::unique_in_tests`] in a large tree.
const LEAST_UNIQUE_IN_TESTS: u32 = 110;

/// [`Evidence::renamed_test`] in a large tree.
const LEAST_TOKENS_OF_RENAMED_TEST: u32 = 52;

/// Markup and settings need so many times the bits: their lists of steps and cells look alike by themselves. Chosen
/// with the early readings of `docs/precision.md`, and not tuned since.
const MARKUP: u32 = 5;

/// What two fragments that are alike share where they are copies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evidence {
    /// What the words that they share say beyond what is said elsewhere, in bits.
    pub(crate) specific: f64,
    /// The same times the forms of statements, where nothing differs but names that are renamed throughout, and whole
    /// statements.
    pub(crate) plain: f64,
    /// The share of the larger side's words that both sides have.
    pub(crate) words: f64,
    /// The same where both sides stand in tests, which have their frame in common.
    pub(crate) words_in_tests: f64,
    /// The similarity of edited copies of tests that are hardly more than their frame.
    pub(crate) similarity_of_small_tests: f64,
    /// How many forms of statements a small copy has.
    pub(crate) forms: u32,
    /// What the statements say that both sides have as written and that stand nowhere else, in bits, where no more than
    /// the heads of two functions is alike.
    pub(crate) unique_in_heads: u32,
    /// The same of short stretches of tests.
    pub(crate) unique_in_tests: u32,
    /// The tokens of a renamed function of a test.
    pub(crate) renamed_test: u32,
}

/// How small a clone may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// At least so many bits, in at least [`LEAST_TOKENS`] tokens.
    Information(u32),
    /// At least so many tokens.
    Tokens(u32),
}

impl Limit {
    /// The limit by information for a tree of `tokens` tokens.
    pub fn among(tokens: u64) -> Self {
        let doublings = ((tokens.max(1) as f64).log2() - FEW_TOKENS_LOG2).max(0.0);
        let more = (doublings * BITS_PER_DOUBLING) as u32;
        Self::Information((LEAST_BITS + more).min(LEAST_BITS_OF_MANY))
    }

    /// Whatever satisfies the limit has at least so many tokens.
    pub fn tokens(self) -> u32 {
        match self {
            Self::Information(_) => LEAST_TOKENS,
            Self::Tokens(least) => least,
        }
    }

    /// The same for runs.
    pub fn run_tokens(self) -> u32 {
        self.tokens().max(match self {
            Self::Information(_) => LEAST_RUN_TOKENS,
            Self::Tokens(_) => 0,
        })
    }

    /// What tells a copy from what is alike.
    pub(crate) fn evidence(self) -> Evidence {
        let strictness = self.strictness();
        Evidence {
            specific: LEAST_SPECIFIC * strictness,
            plain: LEAST_SPECIFIC_OF_PLAIN * strictness,
            words: LEAST_WORDS * strictness,
            words_in_tests: LEAST_WORDS_IN_TESTS * strictness,
            similarity_of_small_tests: LEAST_SIMILARITY_OF_SMALL_TESTS * strictness,
            forms: (f64::from(LEAST_FORMS_OF_SMALL) * strictness) as u32,
            unique_in_heads: (f64::from(LEAST_UNIQUE_IN_HEADS) * strictness) as u32,
            unique_in_tests: (f64::from(LEAST_UNIQUE_IN_TESTS) * strictness) as u32,
            renamed_test: (f64::from(LEAST_TOKENS_OF_RENAMED_TEST) * strictness) as u32,
        }
    }

    /// How far the limit is that of a large tree, between 0 and 1.
    fn strictness(self) -> f64 {
        let Self::Information(bits) = self else { return 0.0 };
        f64::from(bits.saturating_sub(LEAST_BITS)) / f64::from(LEAST_BITS_OF_MANY - LEAST_BITS)
    }

    /// The limit for copies that differ in hardly anything and say something special ([`crate::copies`]).
    pub(crate) fn of_small(self) -> Self {
        match self {
            Self::Information(bits) => Self::Information(bits.min(LEAST_BITS)),
            Self::Tokens(_) => self,
        }
    }

    /// The limit for markup and settings.
    pub(crate) fn in_markup(self) -> Self {
        match self {
            Self::Information(bits) => Self::Information(bits * MARKUP),
            Self::Tokens(_) => self,
        }
    }

    /// Whether `symbols` are enough, with the positions in them that start a statement. In a tree that is not small a
    /// statement counts only where none of its form stood before.
    pub fn allows(self, symbols: &[u32], line_starts: &[u32]) -> bool {
        if (symbols.len() as u32) < self.tokens() {
            return false;
        }
        match self {
            Self::Tokens(_) => true,
            Self::Information(least) if self.strictness() == 0.0 || line_starts.is_empty() => {
                has_bits(symbols, least)
            }
            Self::Information(least) => {
                let (bits, forms) = bits_and_forms(symbols, line_starts);
                bits >= least && forms >= (f64::from(LEAST_FORMS) * self.strictness()) as u32
            }
        }
    }

    /// The bits that the words of a copy say at least, beside what is said elsewhere, where it has so many forms of statements. 0
    /// where a copy needs no words.
    pub fn least_specific(self, symbols: &[u32], line_starts: &[u32]) -> f64 {
        let evidence = self.evidence();
        let (_, forms) = bits_and_forms(symbols, line_starts);
        evidence.specific.min(evidence.plain / f64::from(forms.max(1)))
    }

    /// Whether a fragment may be a copy of anything: neither small, nor a list of few forms.
    pub fn may_be_copied(self, symbols: &[u32], line_starts: &[u32]) -> bool {
        let least = self.evidence().forms;
        least == 0 || self.allows(symbols, &[]) || bits_and_forms(symbols, line_starts).1 >= least
    }
}

/// The bits of the statements of `symbols` whose form no statement before them has, and the number of forms. A form is what
/// is left of a statement when names and literals are blind.
pub(crate) fn bits_and_forms(symbols: &[u32], line_starts: &[u32]) -> (u32, u32) {
    let (mut forms, mut words) = (FxHashSet::default(), FxHashSet::default());
    let mut bits = 0;
    let ends = line_starts.iter().copied().chain([symbols.len() as u32]);
    let mut start = 0;
    for end in ends.filter(|&end| end > 0) {
        let statement = &symbols[start as usize..end as usize];
        start = end;
        if !forms.insert(form_of(statement)) {
            continue;
        }
        for &symbol in statement {
            let (new, known) = cost(Symbol(symbol).class());
            bits += if new == known || words.insert(symbol) { new } else { known };
        }
    }
    (bits, forms.len() as u32)
}

fn form_of(statement: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for &symbol in statement {
        let class = Symbol(symbol).class();
        let is_blind = matches!(
            class,
            TokenClass::Identifier
                | TokenClass::Type
                | TokenClass::String
                | TokenClass::Number
                | TokenClass::Char
        );
        hasher.write_u32(if is_blind { u32::MAX } else { symbol });
    }
    hasher.finish()
}

/// Bits of a token that is new to its stretch, and of one that stood there before.
fn cost(class: TokenClass) -> (u32, u32) {
    match class {
        TokenClass::Operator | TokenClass::Import => (1, 1),
        TokenClass::Keyword | TokenClass::Type => (3, 3),
        TokenClass::Identifier => (12, 5),
        TokenClass::String => (8, 2),
        TokenClass::Number | TokenClass::Char => (4, 2),
    }
}

/// Whether `symbols` hold at least `bits`; reads no farther than that takes.
pub fn has_bits(symbols: &[u32], bits: u32) -> bool {
    let mut seen = FxHashSet::default();
    let mut sum = 0;
    for &symbol in symbols {
        let (new, known) = cost(Symbol(symbol).class());
        sum += if new == known || seen.insert(symbol) { new } else { known };
        if sum >= bits {
            return true;
        }
    }
    bits == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_grows_with_the_tree_up_to_a_bound() {
        let bits = |tokens| match Limit::among(tokens) {
            Limit::Information(bits) => bits,
            Limit::Tokens(_) => panic!("no number of tokens is asked for"),
        };
        assert_eq!([0, 16_000].map(bits), [LEAST_BITS; 2]);
        assert_eq!(bits(1 << 15), LEAST_BITS + 40);
        assert_eq!([1 << 20, u64::MAX].map(bits), [LEAST_BITS_OF_MANY; 2]);
    }

    #[test]
    fn a_form_that_stood_before_says_nothing() {
        let symbols = |words: &str| -> Vec<u32> {
            let class = |word: &str| {
                if word.starts_with(char::is_alphabetic) {
                    TokenClass::Identifier
                } else {
                    TokenClass::Operator
                }
            };
            words.split(' ').map(|word| Symbol::new(class(word), word.as_bytes()).0).collect()
        };
        let once = symbols("this . price = price ;");
        let twice = symbols("this . price = price ; this . tax = tax ;");
        assert_eq!(bits_and_forms(&once, &[0]), (12 + 1 + 12 + 1 + 5 + 1, 1));
        assert_eq!(bits_and_forms(&twice, &[0, 6]), bits_and_forms(&once, &[0]));
        assert_eq!(bits_and_forms(&twice, &[0, 5]).1, 2, "these are other statements");
    }
}
