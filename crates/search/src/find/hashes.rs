//! Looking for code that is known by its fingerprints alone.
//!
//! What can be told without the tokens: equal fragments, and runs as far as their sampled k-grams reach. Every hash is
//! compared with that of the blob's own tokens before it counts.

use familiar_index::segment::{Details, SegmentError};
use familiar_source::Span;
use familiar_syntax::normal::{self, Symbol};

use super::blob::Blob;
use super::fingerprint::{FUNCTION, Fingerprints, K, LEAST_FORM, tokens_of, upper};
use super::hits::{Hit, Hits, Seed};
use super::piece::Piece;
use super::settings::FindSettings;

/// Some tokens of the query, known by their hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashed {
    pub tokens: Span,
    /// What they are found by.
    pub key: u32,
    /// Hashes of the blind form and of the tokens as written.
    pub blind: u64,
    pub exact: u64,
}

/// A query without its tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hashes {
    /// Sampled k-grams, by position.
    pub runs: Vec<Hashed>,
    /// Functions.
    pub functions: Vec<Hashed>,
}

impl Hashes {
    /// The hashes of tokens whose fingerprints are known.
    pub(super) fn of(symbols: &[u32], blind: &[u32], details: &Details, fingerprints: &Fingerprints) -> Self {
        let hashed = |tokens: Span, key: u32| Hashed {
            tokens,
            key,
            blind: normal::hash(&blind[tokens.range()]),
            exact: normal::hash(&symbols[tokens.range()]),
        };
        let functions = details.fragments.iter().filter(|f| f.kind == FUNCTION && f.tokens >= LEAST_FORM);
        let function = |tokens: Span| hashed(tokens, upper(normal::hash(&blind[tokens.range()])));
        Self {
            runs: fingerprints.runs.iter().map(|&(key, at, _)| hashed(Span::new(at, at + K), key)).collect(),
            functions: functions.map(|f| function(tokens_of(f))).collect(),
        }
    }

    pub(super) fn look_up(
        &self,
        settings: &FindSettings,
        tokens: u32,
        hits: &mut Hits<'_>,
    ) -> Result<(), SegmentError> {
        let mut found = Vec::new();
        for (number, sample) in (0u32..).zip(&self.runs).filter(|_| settings.runs) {
            hits.samples(sample.key, |_| true, &mut found)?;
            let shift = |blob: u32| i64::from(blob) - i64::from(sample.tokens.start);
            hits.add_tokens(&found, |blob, _| Seed::Run { shift: shift(blob), query: number })?;
        }
        let functions = settings.kinds[usize::from(FUNCTION)];
        for (number, function) in (0u32..).zip(&self.functions).filter(|_| functions) {
            let names = !settings.counts_renamed(FUNCTION, function.tokens.len(), tokens);
            let seed = |blob: u32, _| Seed::Form { query: number, blob };
            hits.add_forms(function.key, |bits| !names || bits == function.exact as u8, seed)?;
        }
        Ok(())
    }

    /// What the hits of one blob come to. A k-gram that stands alone counts only if it is equal as written: so short,
    /// others agree by chance.
    pub(super) fn pieces(
        &self,
        settings: &FindSettings,
        tokens: u32,
        blob: &mut Blob<'_>,
        hits: &[Hit],
    ) -> Result<Vec<Piece>, SegmentError> {
        let (mut pieces, mut functions): (Vec<Piece>, Vec<Piece>) = (Vec::new(), Vec::new());
        let mut last: Option<i64> = None;
        for hit in hits {
            match hit.seed {
                Seed::Run { shift, query } => {
                    let sample = &self.runs[query as usize];
                    let start = i64::from(sample.tokens.start) + shift;
                    let theirs = u32::try_from(start).ok().map(|start| Span::new(start, start + K));
                    let Some(theirs) = theirs.filter(|theirs| theirs.end <= blob.record.tokens) else {
                        continue;
                    };
                    let Some(piece) = verified(sample, blob.tokens(theirs)?, theirs) else { continue };
                    match pieces.last_mut() {
                        // Samples stand at most a window apart, so that one token may lie between their k-grams.
                        Some(before) if last == Some(shift) && piece.query.start <= before.query.end + 1 => {
                            before.query.end = piece.query.end;
                            before.blob.end = piece.blob.end;
                            before.extent = before.query.len();
                            before.clone_type = before.clone_type.max(piece.clone_type);
                        }
                        _ => pieces.push(piece),
                    }
                    last = Some(shift);
                }
                Seed::Form { query, blob: fragment } => {
                    let Some(theirs) = blob.fragment(fragment)? else { continue };
                    let function = &self.functions[query as usize];
                    let piece = verified(function, blob.tokens(theirs)?, theirs);
                    let names = !settings.counts_renamed(FUNCTION, function.tokens.len(), tokens);
                    functions.extend(piece.filter(|piece| piece.clone_type == 1 || !names));
                }
                Seed::Sample { .. } | Seed::Periodic { .. } | Seed::Same { .. } | Seed::Similar { .. } => {}
            }
        }
        let is_enough = |piece: &Piece| piece.query.len() > K || piece.clone_type == 1;
        pieces.retain(is_enough);
        pieces.extend(functions);
        Ok(pieces)
    }
}

/// The piece that a hash and a stretch of a blob make, if they are what the hash says.
fn verified(hashed: &Hashed, tokens: &[u32], theirs: Span) -> Option<Piece> {
    let blind: Vec<u32> = tokens.iter().map(|&symbol| Symbol(symbol).blind().0).collect();
    if theirs.len() != hashed.tokens.len() || normal::hash(&blind) != hashed.blind {
        return None;
    }
    let clone_type = if normal::hash(tokens) == hashed.exact { 1 } else { 2 };
    Some(Piece { query: hashed.tokens, blob: theirs, clone_type, similarity: 1.0, extent: theirs.len() })
}
