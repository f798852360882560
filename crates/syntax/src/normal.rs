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
    #[must_use]
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

/// The Type-1 form of `tokens`, as plain numbers.
pub fn symbols(source: &[u8], tokens: &[Token]) -> Box<[u32]> {
    tokens.iter().map(|token| Symbol::new(token.class, token.text(source)).0).collect()
}

/// A hash of a normal form: XXH3 of its symbols as little-endian bytes, the same on every machine.
pub fn hash(form: &[u32]) -> u64 {
    if cfg!(target_endian = "little") {
        return xxh3_64(bytemuck::cast_slice(form));
    }
    let bytes: Vec<u8> = form.iter().flat_map(|symbol| symbol.to_le_bytes()).collect();
    xxh3_64(&bytes)
}

/// Renames whole fragments; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub struct Renamer {
    numbers: rustc_hash::FxHashMap<u32, u32>,
}

impl Renamer {
    /// Replaces `out` by the Type-2 form of `symbols`; both are symbols as plain numbers.
    pub fn rename(&mut self, symbols: &[u32], renaming: Renaming, out: &mut Vec<u32>) {
        out.clear();
        match renaming {
            Renaming::Blind => out.extend(symbols.iter().map(|&symbol| Symbol(symbol).blind().0)),
            Renaming::Consistent => {
                self.numbers.clear();
                out.extend(symbols.iter().map(|&symbol| self.numbered(Symbol(symbol)).0));
            }
        }
    }

    fn numbered(&mut self, symbol: Symbol) -> Symbol {
        if symbol.class() != TokenClass::Identifier {
            return symbol.blind();
        }
        let next = self.numbers.len() as u32 + 1;
        let number = *self.numbers.entry(symbol.0).or_insert(next);
        Symbol((number << CLASS_BITS) | TokenClass::Identifier as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(words: &str, renaming: Renaming) -> Vec<u32> {
        let class = |word: &str| match word.as_bytes()[0] {
            b'0'..=b'9' => TokenClass::Number,
            b'a'..=b'z' => TokenClass::Identifier,
            _ => TokenClass::Operator,
        };
        let symbols: Vec<u32> = words.split(' ').map(|w| Symbol::new(class(w), w.as_bytes()).0).collect();
        let mut out = Vec::new();
        Renamer::default().rename(&symbols, renaming, &mut out);
        out
    }

    #[test]
    fn blind_renaming_forgets_names_and_consistent_renaming_their_spelling() {
        let (blind, consistent) = (Renaming::Blind, Renaming::Consistent);
        assert_eq!(renamed("a = b + 1", blind), renamed("c = c + 2", blind));
        assert_ne!(renamed("a = b + 1", blind), renamed("a = b - 1", blind));
        assert_eq!(renamed("a = b + a", consistent), renamed("x = y + x", consistent));
        assert_ne!(renamed("a = b + a", consistent), renamed("x = y + y", consistent));
    }
}
