//! The normalised tokens of a collection, and how far two places in it agree.

use familiar_index::Collection;
use familiar_syntax::normal::Symbol;
use std::io;

/// The label of what is before the first or after the last token of a segment: equal to nothing, itself included.
pub(super) const NOTHING: u32 = crate::Edges::NOTHING;

/// Which tokens count as equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// Compare blind symbols instead of raw ones.
    pub(crate) blind: bool,
    /// Import tokens equal nothing.
    pub(crate) barriers: bool,
}

const IMPORT: u32 = 7;

impl Form {
    pub(crate) fn value(self, symbol: u32) -> u32 {
        if self.blind { blind(symbol) } else { symbol }
    }

    pub(super) fn is_barrier(self, symbol: u32) -> bool {
        self.barriers && symbol & 7 == IMPORT
    }

    /// Number of leading tokens that agree.
    pub(crate) fn common_prefix(self, a: &[u32], b: &[u32]) -> usize {
        match (self.blind, self.barriers) {
            (false, false) => common_prefix::<false, false>(a, b),
            (false, true) => common_prefix::<false, true>(a, b),
            (true, false) => common_prefix::<true, false>(a, b),
            (true, true) => common_prefix::<true, true>(a, b),
        }
    }

    /// Whether all tokens agree.
    pub(crate) fn are_equal(self, a: &[u32], b: &[u32]) -> bool {
        a.len() == b.len() && self.common_prefix(a, b) == a.len()
    }

    /// Number of trailing tokens that agree.
    pub(crate) fn common_suffix(self, a: &[u32], b: &[u32]) -> usize {
        match (self.blind, self.barriers) {
            (false, false) => common_suffix::<false, false>(a, b),
            (false, true) => common_suffix::<false, true>(a, b),
            (true, false) => common_suffix::<true, false>(a, b),
            (true, true) => common_suffix::<true, true>(a, b),
        }
    }
}

/// `Symbol::blind` without a table, so that loops over it become vector code.
#[inline]
fn blind(symbol: u32) -> u32 {
    let class = symbol & 7;
    let name = (class & 6) == 2;
    let literal = class >= 4 && class != IMPORT;
    let renamed = if name { Symbol::NAME.0 } else { Symbol::LITERAL.0 };
    if name || literal { renamed } else { symbol }
}

/// Tokens compared at once, without a branch for each.
const BLOCK: usize = 16;

#[inline]
fn differ<const BLIND: bool, const BARRIERS: bool>(x: u32, y: u32) -> bool {
    let unequal = if BLIND { blind(x) != blind(y) } else { x != y };
    (u8::from(unequal) | u8::from(BARRIERS && x & 7 == IMPORT)) != 0
}

#[inline]
fn agree<const BLIND: bool, const BARRIERS: bool>(a: &[u32], b: &[u32]) -> bool {
    !a.iter().zip(b).fold(false, |any, (&x, &y)| any | differ::<BLIND, BARRIERS>(x, y))
}

fn common_prefix<const BLIND: bool, const BARRIERS: bool>(a: &[u32], b: &[u32]) -> usize {
    let len = a.len().min(b.len());
    let (a, b) = (&a[..len], &b[..len]);
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK));
    let at = blocks.take_while(|(x, y)| agree::<BLIND, BARRIERS>(x, y)).count() * BLOCK;
    let rest = a[at..].iter().zip(&b[at..]);
    at + rest.take_while(|&(&x, &y)| !differ::<BLIND, BARRIERS>(x, y)).count()
}

fn common_suffix<const BLIND: bool, const BARRIERS: bool>(a: &[u32], b: &[u32]) -> usize {
    let len = a.len().min(b.len());
    let (a, b) = (&a[a.len() - len..], &b[b.len() - len..]);
    let blocks = a.rchunks_exact(BLOCK).zip(b.rchunks_exact(BLOCK));
    let at = blocks.take_while(|(x, y)| agree::<BLIND, BARRIERS>(x, y)).count() * BLOCK;
    let rest = a[..len - at].iter().rev().zip(b[..len - at].iter().rev());
    at + rest.take_while(|&(&x, &y)| !differ::<BLIND, BARRIERS>(x, y)).count()
}

/// A token's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub file: u32,
    pub offset: u32,
}

/// Reads tokens; one for each thread, for files that are not in memory are read into its buffers.
pub(super) struct Reader<'a> {
    pub collection: &'a Collection,
    pub form: Form,
    left: Vec<u32>,
    right: Vec<u32>,
}

/// Tokens compared at a time, growing from the first to the second: a file may have to be read for them.
const CHUNK: (u32, u32) = (64, 4096);

impl<'a> Reader<'a> {
    pub(super) fn new(collection: &'a Collection, form: Form) -> Self {
        Self { collection, form, left: Vec::new(), right: Vec::new() }
    }

    /// Number of tokens, up to `limit`, that agree from `a` and from `b` on.
    pub(super) fn after(&mut self, a: At, b: At, limit: u32) -> io::Result<u32> {
        let tokens = &self.collection.tokens;
        let limit = limit.min(tokens.len(a.file) - a.offset).min(tokens.len(b.file) - b.offset);
        let (mut done, mut chunk) = (0, CHUNK.0);
        while done < limit {
            let step = chunk.min(limit - done);
            let x = tokens.get(a.file, a.offset + done..a.offset + done + step, &mut self.left)?;
            let y = tokens.get(b.file, b.offset + done..b.offset + done + step, &mut self.right)?;
            let common = self.form.common_prefix(x, y) as u32;
            done += common;
            if common < step {
                break;
            }
            chunk = (chunk * 2).min(CHUNK.1);
        }
        Ok(done)
    }

    /// Number of tokens, up to `limit`, that agree right before `a` and `b`.
    pub(super) fn before(&mut self, a: At, b: At, limit: u32) -> io::Result<u32> {
        let tokens = &self.collection.tokens;
        let limit = limit.min(a.offset).min(b.offset);
        let (mut done, mut chunk) = (0, CHUNK.0);
        while done < limit {
            let step = chunk.min(limit - done);
            let x = tokens.get(a.file, a.offset - done - step..a.offset - done, &mut self.left)?;
            let y = tokens.get(b.file, b.offset - done - step..b.offset - done, &mut self.right)?;
            let common = self.form.common_suffix(x, y) as u32;
            done += common;
            if common < step {
                break;
            }
            chunk = (chunk * 2).min(CHUNK.1);
        }
        Ok(done)
    }

    /// The normalised token at `at`, or [`NOTHING`] past the end of its file or at a barrier.
    pub(super) fn value(&mut self, at: At) -> io::Result<u32> {
        if at.offset >= self.collection.tokens.len(at.file) {
            return Ok(NOTHING);
        }
        let symbol = self.collection.tokens.get(at.file, at.offset..at.offset + 1, &mut self.left)?[0];
        Ok(if self.form.is_barrier(symbol) { NOTHING } else { self.form.value(symbol) })
    }

    /// The normalised token before `at`, or [`NOTHING`] where there is none.
    pub(super) fn value_before(&mut self, at: At) -> io::Result<u32> {
        match at.offset.checked_sub(1) {
            Some(offset) => self.value(At { offset, ..at }),
            None => Ok(NOTHING),
        }
    }

    /// The normalised tokens of a stretch.
    pub(super) fn normal(&mut self, at: At, len: u32) -> io::Result<Vec<u32>> {
        let symbols = self.collection.tokens.get(at.file, at.offset..at.offset + len, &mut self.left)?;
        Ok(symbols.iter().map(|&symbol| self.form.value(symbol)).collect())
    }

    /// The raw tokens of a stretch.
    pub(super) fn raw(&mut self, at: At, len: u32) -> io::Result<&[u32]> {
        self.collection.tokens.get(at.file, at.offset..at.offset + len, &mut self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blind_is_the_blind_form_of_every_class() {
        for symbol in 0..64 {
            assert_eq!(blind(symbol), Symbol(symbol).blind().0);
        }
    }
}
