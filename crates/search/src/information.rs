//! How much a stretch of code says: the limit that a clone must reach where the user names no number of tokens.
//!
//! A number of tokens is a poor measure. Languages differ in how many brackets and semicolons they need, and a call
//! that is repeated ten times says little more than one. So each token counts with what a reader would have to learn to
//! write it down: a name that is new to the stretch most, a name that was there before less, punctuation hardly
//! anything. These are the costs of a simple adaptive code, rounded to whole bits.

use familiar_source::TokenClass;
use familiar_syntax::normal::Symbol;
use rustc_hash::FxHashSet;

/// The least number of bits of a clone: so many that a function of 40 tokens of Python passes, as in the scenarios of Roy,
/// Cordy and Koschke at their original size.
pub const LEAST_BITS: u32 = 150;

/// Fewer tokens are too few, whatever they say. Runs are sampled so that each of as many is found.
pub const LEAST_TOKENS: u32 = 30;

/// How small a clone may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// At least [`LEAST_BITS`] bits in at least [`LEAST_TOKENS`] tokens.
    Information,
    /// At least so many tokens.
    Tokens(u32),
}

impl Limit {
    /// Whatever satisfies the limit has at least so many tokens.
    pub fn tokens(self) -> u32 {
        match self {
            Self::Information => LEAST_TOKENS,
            Self::Tokens(least) => least,
        }
    }

    /// Whether `symbols` are enough.
    pub fn allows(self, symbols: &[u32]) -> bool {
        symbols.len() as u32 >= self.tokens()
            && match self {
                Self::Information => holds(symbols, LEAST_BITS),
                Self::Tokens(_) => true,
            }
    }
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
pub fn holds(symbols: &[u32], bits: u32) -> bool {
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
