//! What a token stands for in a fragment: how much it counts for, and what of it renaming leaves.

use familiar_source::TokenClass;
use familiar_syntax::normal::Symbol;

// The order of the three weights is what the measure means: what a fragment calls says most. Their ratio was chosen when
// the measure was made, and was not tuned since. Only the ratio counts, as scores are divided by what could be earned.

/// Names that point outside the fragment (calls, members, types) say what the code does.
const OUTSIDE: u32 = 4;
/// Local names, literals and keywords say less.
const WORD: u32 = 2;
/// Operators, brackets and separators say least.
const SIGN: u32 = 1;

const CLASS_BITS: u32 = 3;

/// What of a token two fragments must share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its text, at every depth.
    Fixed,
    /// A name whose text counts unless all names are blind.
    Outside,
    /// A name whose text counts only as written.
    Local,
    /// A literal, whose text counts only as written.
    Literal,
}

/// A token's part in the measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Role {
    pub(super) kind: Kind,
    pub(super) weight: u32,
}

/// The punctuation that the measure knows.
pub(super) struct Signs {
    pub(super) open: [u32; 2],
    pub(super) close: [u32; 2],
    pub(super) semicolon: u32,
    pub(super) braces: [u32; 2],
    call: u32,
    members: [u32; 3],
    separators: [u32; 11],
}

impl Signs {
    pub(super) fn new() -> Self {
        let sign = |text: &str| Symbol::new(TokenClass::Operator, text.as_bytes()).0;
        Self {
            open: ["(", "["].map(sign),
            close: [")", "]"].map(sign),
            semicolon: sign(";"),
            braces: ["{", "}"].map(sign),
            call: sign("("),
            members: [".", "->", "::"].map(sign),
            separators: ["(", ")", "[", "]", "{", "}", ";", ".", ",", ":", "@"].map(sign),
        }
    }

    /// Whether `symbol` only separates, so that a statement of nothing else says nothing.
    pub(super) fn separates(&self, symbol: u32) -> bool {
        class(symbol) == TokenClass::Operator && self.separators.contains(&symbol)
    }

    /// The role of the token at `at` of a statement.
    pub(super) fn role(&self, statement: &[u32], at: usize) -> Role {
        match class(statement[at]) {
            TokenClass::Operator => Role { kind: Kind::Fixed, weight: SIGN },
            TokenClass::Keyword | TokenClass::Import => Role { kind: Kind::Fixed, weight: WORD },
            TokenClass::Type => Role { kind: Kind::Outside, weight: WORD },
            TokenClass::Number | TokenClass::String | TokenClass::Char => {
                Role { kind: Kind::Literal, weight: WORD }
            }
            TokenClass::Identifier if self.points_outside(statement, at) => {
                Role { kind: Kind::Outside, weight: OUTSIDE }
            }
            TokenClass::Identifier => Role { kind: Kind::Local, weight: WORD },
        }
    }

    /// Whether the identifier is called, is a member, or stands before another as a type does.
    fn points_outside(&self, statement: &[u32], at: usize) -> bool {
        let named_or_called = |&next: &u32| next == self.call || class(next) == TokenClass::Identifier;
        statement.get(at + 1).is_some_and(named_or_called)
            || (at > 0 && self.members.contains(&statement[at - 1]))
    }
}

pub(super) fn class(symbol: u32) -> TokenClass {
    Symbol(symbol).class()
}

/// Whether renaming may change the symbol into that of another name.
pub(super) fn is_name(symbol: u32) -> bool {
    matches!(class(symbol), TokenClass::Identifier | TokenClass::Type)
}

/// A number for the symbol by which those that no renaming changes come first.
pub(super) fn key(symbol: u32) -> u32 {
    let class = symbol & ((1 << CLASS_BITS) - 1);
    (((class + 1) & 7) << (32 - CLASS_BITS)) | (symbol >> CLASS_BITS)
}

/// Whether the symbol with this key keeps its text at every depth.
pub(super) fn is_fixed(key: u32) -> bool {
    key >> (32 - CLASS_BITS) <= TokenClass::Keyword as u32 + 1
}
