//! Normal forms: tokens to symbols, and symbols renamed.
//!
//! A [`Symbol`] is one token as a number: a 29-bit hash of its text above the three bits of its class. The Type-1 form
//! is the sequence of symbols. The Type-2 forms abstract literals and types and rename identifiers, *blindly* (all
//! alike) or *consistently* (numbered by first appearance), and are computed from the symbols alone.

use familiar_source::{Token, TokenClass};
use xxhash_rust::xxh3::xxh3_64;

/// A token as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Symbol(pub u32);

/// How identifiers are renamed in the Type-2 form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Renaming {
    /// Every identifier alike (NiCad's blind renaming).
    #[default]
    Blind,
    /// Identifiers numbered by first appearance in the fragment: a renaming must be one to one.
    Consistent,
}

const CLASS_BITS: u32 = 3;
const CLASS_MASK: u32 = (1 << CLASS_BITS) - 1;

impl Symbol {
    /// The symbol that every identifier and built-in type has in the blind form.
    pub const NAME: Self = Self(TokenClass::Identifier as u32);
    /// The symbol that every literal has in both Type-2 forms.
    pub const LITERAL: Self = Self(TokenClass::String as u32);

    #[inline]
    pub fn new(class: TokenClass, text: &[u8]) -> Self {
        // The hash is cut to its low 29 bits; matches are verified on the text before they are reported.
        Self(((xxh3_64(text) as u32) << CLASS_BITS) | class as u32)
    }

    #[inline]
    pub fn class(self) -> TokenClass {
        TokenClass::ALL[(self.0 & CLASS_MASK) as usize]
    }

    /// The symbol under blind renaming.
    #[inline]
    pub fn blind(self) -> Self {
        // Indexed by class; `None` keeps the symbol. A table keeps the loop free of unpredictable branches.
        const FORM: [Option<Symbol>; 8] = [
            None,
            None,
            Some(Symbol::NAME),
            Some(Symbol::NAME),
            Some(Symbol::LITERAL),
            Some(Symbol::LITERAL),
            Some(Symbol::LITERAL),
            None,
        ];
        FORM[(self.0 & CLASS_MASK) as usize].unwrap_or(self)
    }
}

/// Appends the Type-1 form of `tokens` to `out`.
pub fn symbols(source: &[u8], tokens: &[Token], out: &mut Vec<Symbol>) {
    out.extend(tokens.iter().map(|token| Symbol::new(token.class, token.text(source))));
}

/// Renames whole fragments; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub struct Renamer {
    numbers: std::collections::HashMap<Symbol, u32>,
}

impl Renamer {
    /// Replaces `out` by the Type-2 form of `symbols`.
    pub fn rename(&mut self, symbols: &[Symbol], renaming: Renaming, out: &mut Vec<Symbol>) {
        out.clear();
        match renaming {
            Renaming::Blind => out.extend(symbols.iter().map(|symbol| symbol.blind())),
            Renaming::Consistent => {
                self.numbers.clear();
                out.extend(symbols.iter().map(|&symbol| self.numbered(symbol)));
            }
        }
    }

    fn numbered(&mut self, symbol: Symbol) -> Symbol {
        if symbol.class() != TokenClass::Identifier {
            return symbol.blind();
        }
        let next = self.numbers.len() as u32 + 1;
        let number = *self.numbers.entry(symbol).or_insert(next);
        Symbol((number << CLASS_BITS) | TokenClass::Identifier as u32)
    }
}
