//! Which blobs of a corpus are worth comparing with some code.

use std::sync::{Arc, Mutex, PoisonError};

use familiar_index::project_history::FileKey;
use familiar_source::{BlobId, Language, Span};
use rustc_hash::FxHashMap;

use crate::{CodeQuery, CorpusError, FindOptions, Library, Witness};

/// Fewest tokens that a further version of a file has beyond the versions that are compared already. Two lines: a version
/// with less news adds no finding of the least length. Not tuned.
const NEWS: u32 = 20;

/// Most blobs whose places are kept in memory.
const MOST_BLOBS: usize = 1 << 15;

/// Tells which blobs are worth comparing; asked for one file after another, by any number of threads.
pub struct Candidates<'l> {
    library: &'l Library,
    options: &'l FindOptions,
    /// The places of the blobs that were looked at.
    places: Mutex<FxHashMap<BlobId, Arc<[Place]>>>,
}

/// Where a blob stands: the file under all its names, and since when.
struct Place {
    names: Vec<FileKey>,
    since: Option<i64>,
}

impl<'l> Candidates<'l> {
    pub fn new(library: &'l Library, options: &'l FindOptions) -> Self {
        Self { library, options, places: Mutex::default() }
    }

    /// The blobs that have some of a query: of the versions of a file the fullest, and for each part of it the earliest.
    pub fn of(&self, code_query: &CodeQuery) -> Result<Vec<(BlobId, Language)>, CorpusError> {
        let mut found = Vec::new();
        for candidate in self.library.matches(code_query, self.options)? {
            let blob = BlobId(candidate.found.record.id);
            let label = self.library.code[candidate.found.segment].label(&candidate.found.record)?;
            let Some(language) = Language::from_name(label) else { continue };
            let spans: Vec<Span> = candidate.stretches.iter().map(|stretch| stretch.tokens).collect();
            found.push((candidate.covered(), self.places(blob)?, blob, language, spans));
        }
        let since =
            |places: &[Place]| places.iter().filter_map(|place| place.since).min().unwrap_or(i64::MAX);
        found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| (since(&a.1), a.2).cmp(&(since(&b.1), b.2))));
        let mut chosen = cover(&found);
        // The fullest version may have got its parts one after the other.
        found.sort_by_key(|one| (since(&one.1), one.2));
        chosen.extend(cover(&found));
        chosen.sort_unstable();
        chosen.dedup();
        Ok(chosen)
    }

    fn places(&self, blob: BlobId) -> Result<Arc<[Place]>, CorpusError> {
        let known = || self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(places) = known().get(&blob) {
            return Ok(places.clone());
        }
        let place = |witness: &Witness| {
            let names = self.library.witnesses.files(witness)?;
            Ok(Place { names, since: witness.occurrence.first_seen })
        };
        let places = self.library.witnesses.of(&blob)?;
        let places: Arc<[Place]> = places.iter().map(place).collect::<Result<_, CorpusError>>()?;
        let mut known = known();
        if known.len() >= MOST_BLOBS {
            known.clear();
        }
        known.insert(blob, places.clone());
        Ok(places)
    }
}

/// A blob that has some of a query: how much, where it stands, and the parts of the query.
type Found = (u32, Arc<[Place]>, BlobId, Language, Vec<Span>);

/// The blobs that have something of the query which no version of the same file before them has.
fn cover(found: &[Found]) -> Vec<(BlobId, Language)> {
    let mut covered: FxHashMap<FileKey, Vec<Span>> = FxHashMap::default();
    let mut chosen = Vec::new();
    for (_, places, blob, language, spans) in found {
        let is_known = |place: &Place| {
            let known = place.names.iter().filter_map(|name| covered.get(name));
            known.into_iter().any(|known| beyond(spans, known) < NEWS)
        };
        if !places.is_empty() && places.iter().all(is_known) {
            continue;
        }
        for place in places.iter() {
            covered.entry(place.names[0]).or_default().extend(spans);
        }
        chosen.push((*blob, *language));
    }
    chosen
}

/// How many tokens of `spans` lie in none of `known`.
fn beyond(spans: &[Span], known: &[Span]) -> u32 {
    let mut known = known.to_vec();
    known.sort_unstable();
    let rest = |span: &Span| {
        let (mut at, mut tokens) = (span.start, 0);
        for known in known.iter().filter(|known| known.start < span.end && span.start < known.end) {
            tokens += known.start.saturating_sub(at);
            at = at.max(known.end);
        }
        tokens + span.end.saturating_sub(at)
    };
    spans.iter().map(rest).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beyond_counts_once() {
        let spans = |spans: &[(u32, u32)]| spans.iter().map(|&(a, b)| Span::new(a, b)).collect::<Vec<_>>();
        assert_eq!(beyond(&spans(&[(0, 100)]), &spans(&[(50, 60), (10, 30), (20, 40)])), 60);
        assert_eq!(beyond(&spans(&[(0, 10), (90, 100)]), &spans(&[(5, 95)])), 10);
        assert_eq!(beyond(&spans(&[(5, 9)]), &[]), 4);
    }
}
