//! Code that is looked for.

use familiar_index::segment::{BlobParts, Details, SegmentFragment};
use familiar_source::Span;
use familiar_syntax::normal::{self, Symbol};

use super::fingerprint::{BlobFingerprinter, FUNCTION, Fingerprints, tokens_of};
use super::hashes::Hashes;

/// Code that is looked for.
#[derive(Clone, Debug)]
pub struct Query {
    pub symbols: Box<[u32]>,
    pub details: Details,
    pub(super) blind: Vec<u32>,
    pub(super) fingerprints: Fingerprints,
    /// The functions by where they start, an outer one before those in it.
    functions: Vec<Span>,
    /// In the place of symbols, of a query that is known by its fingerprints alone.
    pub(super) hashes: Option<Hashes>,
}

impl Query {
    /// The query that some tokens make. Where no function is among them, all of them together are compared as one.
    pub fn new(symbols: Box<[u32]>, mut details: Details, fingerprinter: &mut BlobFingerprinter) -> Self {
        if !details.fragments.iter().any(|fragment| fragment.kind == FUNCTION) {
            let lines = details.lines.first().zip(details.lines.last());
            let lines = lines.map_or((1, 1), |(first, last)| (first.0, last.1));
            let tokens = symbols.len() as u32;
            details.fragments.push(SegmentFragment { kind: FUNCTION, first: 0, tokens, lines });
        }
        Self::of_blob(symbols, details, fingerprinter)
    }

    /// A blob's tokens with its fragments as they are.
    pub fn of_blob(symbols: Box<[u32]>, details: Details, fingerprinter: &mut BlobFingerprinter) -> Self {
        let blind: Vec<u32> = symbols.iter().map(|&symbol| Symbol(symbol).blind().0).collect();
        let forms = details.fragments.iter().map(|fragment| {
            let tokens = tokens_of(fragment).range();
            (normal::hash(&blind[tokens.clone()]), normal::hash(&symbols[tokens]))
        });
        let forms: Vec<(u64, u64)> = forms.collect();
        let fingerprints = fingerprinter.of(&blind, &details, &forms);
        let mut functions: Vec<Span> =
            details.fragments.iter().filter(|f| f.kind == FUNCTION).map(tokens_of).collect();
        functions.sort_unstable_by_key(|function| (function.start, std::cmp::Reverse(function.end)));
        Self { symbols, details, blind, fingerprints, functions, hashes: None }
    }

    /// A query that is known by its fingerprints alone, and by the lines of its tokens.
    pub fn of_hashes(hashes: Hashes, lines: Vec<(u32, u32)>) -> Self {
        Self {
            symbols: Box::default(),
            details: Details { lines, ..Details::default() },
            blind: Vec::new(),
            fingerprints: Fingerprints::default(),
            functions: Vec::new(),
            hashes: Some(hashes),
        }
    }

    /// What of the query can be told without its tokens.
    pub fn hashes(&self) -> Hashes {
        let of_tokens = || Hashes::of(&self.symbols, &self.blind, &self.details, &self.fingerprints);
        self.hashes.clone().unwrap_or_else(of_tokens)
    }

    /// What a segment keeps of a blob whose tokens these are.
    pub fn into_parts(self, id: [u8; 20], label: &'static str) -> BlobParts {
        self.fingerprints.into_parts(id, label, self.symbols, self.details)
    }

    /// The functions that start at a token or behind it.
    pub(super) fn functions_from(&self, token: u32) -> &[Span] {
        &self.functions[self.functions.partition_point(|function| function.start < token)..]
    }

    /// Number of tokens.
    pub fn tokens(&self) -> u32 {
        self.details.lines.len() as u32
    }
}
