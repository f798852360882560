//! Type-4 and cross-language clones: fragments whose vectors lie close together; and which Type-3 clones do so too.
//!
//! One vector is made for each normal form. Neighbours are looked for among all of them, and the cosine of two, relative to how
//! near each has code that has nothing to do with it, is read as the probability that they do the same, as the encoder was
//! calibrated. Where an encoder has a quicker first stage, that one finds the neighbours, and the whole encoder reads only what
//! stands in a pair that may be one.

mod crowding;
mod encoding;

use std::io;

use familiar_index::Collection;
use familiar_model::{EncodeError, Encoder};
use familiar_search::Link;
use familiar_search::equal::Equal;
use familiar_source::Language;

use crate::corpus::stored::StoredVectors;
use crate::ingest::{FileInfo, Reading};
use crate::input::Input;
use crate::memory::Memory;

use encoding::Encoded;

pub(crate) use encoding::does_something;

/// The encoder gave no vectors.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct EncoderError(EncodeError);

/// Most neighbours of one fragment that count.
const NEIGHBORS: usize = 20;

/// Most neighbours of one fragment that the first stage hands on.
const CANDIDATES: usize = 64;

/// How many times smaller the odds of a pair may be by the first stage than those that are asked for (docs/benchmarks.md says what
/// that loses).
const GENEROSITY: f64 = 4.0;

/// What is needed to tell whether fragments do the same.
pub(crate) struct Behavior<'b> {
    pub(crate) encoder: &'b dyn Encoder,
    pub(crate) input: &'b Input,
    pub(crate) files: &'b [FileInfo],
    pub(crate) reading: &'b Reading,
    /// What the encoder made of some fragments before.
    pub(crate) stored: Option<&'b StoredVectors>,
    /// Least probability of a pair.
    pub(crate) confidence: f64,
    pub(crate) cross_families: bool,
    pub(crate) memory: Memory,
}

/// Two fragments that probably do the same, by their numbers.
#[derive(Clone, Copy, Debug)]
struct Alike {
    pair: [u32; 2],
    cosine: f32,
    probability: f64,
}

impl Behavior<'_> {
    /// Pairs of nodes of `equal` that probably do the same, each node stood for by the first of its twins. Pairs that are `known` to
    /// be edited copies may be missing. Fails where the encoder does, and where the vectors take more than the memory.
    pub(crate) fn links(
        &self,
        collection: &Collection,
        equal: &Equal,
        known: &[Link],
    ) -> io::Result<Vec<Link>> {
        let nodes = first_of_twins(equal);
        let fragments: Vec<u32> = nodes.iter().map(|&node| equal.nodes[node as usize][0]).collect();
        let encoded = |encoder| self.encoded(encoder, collection, &fragments, false);
        let alike = match self.encoder.first_stage() {
            None => self.pairs(collection, &fragments, encoded(self.encoder)?, self.confidence, NEIGHBORS),
            Some(first) => {
                let odds = self.confidence / (1.0 - self.confidence) / GENEROSITY;
                let least = odds / (1.0 + odds);
                let mut candidates = self.pairs(collection, &fragments, encoded(&*first)?, least, CANDIDATES);
                let known = sorted(known.iter().map(|link| ordered([link.left, link.right])));
                let of_nodes = |alike: &Alike| ordered(alike.pair.map(|number| nodes[number as usize]));
                candidates.retain(|alike| known.binary_search(&of_nodes(alike)).is_err());
                nearest(self.judged(collection, &fragments, candidates)?)
            }
        };
        let link = |alike: Alike| Link {
            left: nodes[alike.pair[0] as usize],
            right: nodes[alike.pair[1] as usize],
            clone_type: 4,
            similarity: alike.probability,
            vector_similarity: Some(alike.cosine),
        };
        Ok(alike.into_iter().map(link).collect())
    }

    /// Pairs of `fragments` of which one is among the `most` nearest of the other, that are asked for and have the probability `least`
    /// and more.
    fn pairs(
        &self,
        collection: &Collection,
        fragments: &[u32],
        encoded: Encoded<'_>,
        least: f64,
        most: usize,
    ) -> Vec<Alike> {
        let Encoded { index, judge } = encoded;
        let file = |number: u32| collection.fragments[fragments[number as usize] as usize].file;
        let probable = |(left, right, cosine): (u32, u32, f32)| {
            let pair = [left, right];
            let [a, b] = pair.map(|number| &collection.files[file(number) as usize]);
            if a.family != b.family && !self.cross_families || !a.side.pairs_with(b.side) {
                return None;
            }
            let languages = pair.map(|number| self.files[file(number) as usize].language);
            let probability = judge.probability(pair, languages, cosine);
            (probability >= least).then_some(Alike { pair, cosine, probability })
        };
        let pairs = index.build().pairs(judge.least_cosine(least, self.cross_families), most);
        pairs.into_iter().filter_map(probable).collect()
    }

    /// Of `candidates` those of which the whole encoder is sure enough, as it sees them.
    fn judged(
        &self,
        collection: &Collection,
        fragments: &[u32],
        candidates: Vec<Alike>,
    ) -> io::Result<Vec<Alike>> {
        let mut numbers = sorted(candidates.iter().flat_map(|alike| alike.pair));
        numbers.dedup();
        let wanted: Vec<u32> = numbers.iter().map(|&number| fragments[number as usize]).collect();
        let encoded = self.encoded(self.encoder, collection, &wanted, false)?;
        let judged = |Alike { pair, .. }: Alike| {
            let places = pair.map(|number| numbers.binary_search(&number).unwrap_or_default() as u32);
            let languages = pair.map(|number| self.language(collection, fragments[number as usize]));
            let cosine = encoded.index.cosine(places[0], places[1])?;
            let probability = encoded.judge.probability(places, languages, cosine);
            (probability >= self.confidence).then_some(Alike { pair, cosine, probability })
        };
        Ok(candidates.into_iter().filter_map(judged).collect())
    }

    /// Of `links` those that are not of type 3, those whose probability is `least` and more, and those of which nothing can be said;
    /// with the cosines that were looked at. Fails as [`Behavior::links`] does.
    pub(crate) fn validated(
        &self,
        collection: &Collection,
        equal: &Equal,
        mut links: Vec<Link>,
        least: f64,
    ) -> io::Result<Vec<Link>> {
        let edited = links.iter().filter(|link| link.clone_type == 3);
        let first = |node: u32| equal.nodes[node as usize][0];
        let mut fragments: Vec<u32> = edited.flat_map(|link| [first(link.left), first(link.right)]).collect();
        fragments.sort_unstable();
        fragments.dedup();
        let encoded = self.encoded(self.encoder, collection, &fragments, true)?;
        links.retain_mut(|link| {
            if link.clone_type != 3 {
                return true;
            }
            let pair = [link.left, link.right].map(first);
            let numbers = pair.map(|fragment| fragments.binary_search(&fragment).unwrap_or_default() as u32);
            let languages = pair.map(|fragment| self.language(collection, fragment));
            link.vector_similarity = encoded.index.cosine(numbers[0], numbers[1]);
            let sure = |cosine| encoded.judge.probability(numbers, languages, cosine) >= least;
            link.vector_similarity.is_none_or(sure)
        });
        Ok(links)
    }

    fn language(&self, collection: &Collection, fragment: u32) -> Language {
        self.files[collection.fragments[fragment as usize].file as usize].language
    }
}

/// Of pairs those of which one is among the nearest of the other, as many as count.
fn nearest(mut alike: Vec<Alike>) -> Vec<Alike> {
    let mut keeps = vec![false; alike.len()];
    let mut sides: Vec<(u32, usize)> =
        alike.iter().enumerate().flat_map(|(at, alike)| alike.pair.map(|number| (number, at))).collect();
    sides.sort_by(|a, b| a.0.cmp(&b.0).then(alike[b.1].cosine.total_cmp(&alike[a.1].cosine)));
    for of_one in sides.chunk_by(|a, b| a.0 == b.0) {
        of_one.iter().take(NEIGHBORS).for_each(|&(_, at)| keeps[at] = true);
    }
    let mut keeps = keeps.into_iter();
    alike.retain(|_| keeps.next().unwrap_or_default());
    alike
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items
}

fn ordered([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The first node of each twin group.
fn first_of_twins(equal: &Equal) -> Vec<u32> {
    let mut seen = vec![false; equal.nodes.len()];
    let is_first = |&node: &u32| !std::mem::replace(&mut seen[equal.twins[node as usize] as usize], true);
    (0..equal.nodes.len() as u32).filter(is_first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_counts_where_one_side_is_among_the_nearest_of_the_other() {
        let of = |pair: [u32; 2], cosine| Alike { pair, cosine, probability: 0.9 };
        // 100 has one neighbour more than count; the farthest of them has none that is nearer, but for the last.
        let mut alike: Vec<Alike> =
            (0..=NEIGHBORS as u32).map(|other| of([other, 100], 0.9 - other as f32 / 100.0)).collect();
        assert_eq!(nearest(alike.clone()).len(), NEIGHBORS + 1);
        alike.extend((0..NEIGHBORS as u32).map(|other| of([NEIGHBORS as u32, 200 + other], 0.95)));
        let kept: Vec<[u32; 2]> = nearest(alike).iter().map(|alike| alike.pair).collect();
        assert_eq!(kept.len(), 2 * NEIGHBORS);
        assert!(!kept.contains(&[NEIGHBORS as u32, 100]) && kept.is_sorted_by_key(|pair| pair[1]));
    }
}
