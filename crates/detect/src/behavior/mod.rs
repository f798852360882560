//! Type-4 and cross-language clones: fragments whose vectors lie close together; and which Type-3 clones do so too.
//!
//! One vector is made for each normal form. Neighbours are looked for among all of them, and the cosine of two, relative to how
//! near each has code that has nothing to do with it, is read as the probability that they do the same, as the encoder was
//! calibrated. Where an encoder has a quicker first stage, that one finds the neighbours, and the whole encoder reads only what
//! stands in a pair that may be one.
//!
//! `encoding` makes the vectors of fragments, `crowding` says how near unrelated code lies,
//! `across` finds counterparts in other languages.

mod across;
mod crowding;
mod encoding;

use familiar_index::{Collection, FileEntry};
use familiar_model::Encoder;
use familiar_search::Link;
use familiar_search::equal::Equal;
use familiar_source::Language;

use crate::error::DetectError;
use crate::naming::Names;

use across::Groups;
use encoding::Encoded;

pub(crate) use encoding::Encoding;

/// Most neighbours of one fragment that count.
const NEIGHBORS: usize = 20;

/// Most neighbours of one fragment that the first stage hands on.
const CANDIDATES: usize = 64;

/// How many times smaller the odds of a pair may be by the first stage than those that are asked for (docs/benchmarks.md says what
/// that loses).
const GENEROSITY: f64 = 4.0;

/// What is added to the logarithm of the odds of a pair within a language. An encoder is calibrated on pairs from anywhere; the
/// functions of one tree, which one hand wrote, are more alike than that (docs/model.md).
const OF_ONE_TREE: f64 = -0.5;

/// What is added to it besides where the two have neither a file nor a name in common: they rarely do one job (docs/model.md).
const ELSEWHERE: f64 = -0.9;

/// How the logarithm of the odds of a pair across languages follows from that of the encoder with what names say: set by pairs of
/// collections of algorithms that were read (docs/model.md).
const ACROSS_OFFSET: f64 = 0.4;
const ACROSS_SLOPE: f64 = 0.55;

/// What is added to it where another fragment is a better counterpart of either side.
const SECOND: f64 = -2.0;

/// Least probability by the first stage of what may be a counterpart without a name that says so: below, it is never sure enough.
const COUNTERPART: f64 = 0.02;

/// What is needed to tell whether fragments do the same.
pub(crate) struct Behavior<'b> {
    pub(crate) encoder: &'b dyn Encoder,
    pub(crate) encoding: Encoding<'b>,
    /// Least probability of a pair.
    pub(crate) confidence: f64,
    /// Whether functions without a name that tests are made of are compared, too.
    pub(crate) test_callbacks: bool,
}

/// Two fragments, by their numbers, and how probable it is that they do the same.
#[derive(Clone, Copy, Debug)]
struct Alike {
    pair: [u32; 2],
    cosine: f32,
    probability: f64,
    /// Whether they may be counterparts, which does not depend on the probability that is asked for.
    chosen: bool,
}

/// What is compared: fragments, with the nodes that they stand for.
struct Compared {
    nodes: Vec<u32>,
    fragments: Vec<u32>,
}

impl Behavior<'_> {
    /// Pairs of nodes of `equal` that probably do the same, each node stood for by the first of its twins. Pairs that are `known` to
    /// be edited copies may be missing. Fails where the encoder does, and where the vectors take more than the memory.
    pub(crate) fn links(
        &self,
        collection: &Collection,
        equal: &Equal,
        known: &[Link],
    ) -> Result<Vec<Link>, DetectError> {
        let compared = self.compared(collection, equal);
        let alike = match self.encoder.first_stage() {
            None => {
                let least = probability_of(log_odds(self.confidence) - OF_ONE_TREE);
                self.candidates(collection, &compared, self.encoder, least, NEIGHBORS)?
            }
            Some(first) => {
                let least = probability_of(log_odds(self.confidence) - OF_ONE_TREE - GENEROSITY.ln());
                let mut candidates = self.candidates(collection, &compared, &*first, least, CANDIDATES)?;
                let known = sorted(known.iter().map(|link| ordered([link.left, link.right])));
                let of_nodes =
                    |alike: &Alike| ordered(alike.pair.map(|number| compared.nodes[number as usize]));
                candidates.retain(|alike| known.binary_search(&of_nodes(alike)).is_err());
                self.judged(collection, &compared.fragments, candidates)?
            }
        };
        let alike = self.weighed(collection, &compared.fragments, alike);
        let link = |alike: Alike| Link {
            left: compared.nodes[alike.pair[0] as usize],
            right: compared.nodes[alike.pair[1] as usize],
            clone_type: 4,
            similarity: alike.probability,
            vector_similarity: Some(alike.cosine),
        };
        Ok(alike.into_iter().filter(|alike| alike.probability >= self.confidence).map(link).collect())
    }

    /// Of each twin group of `equal` the first fragment that is compared at all, in the order of fragments.
    fn compared(&self, collection: &Collection, equal: &Equal) -> Compared {
        let is_compared =
            |fragment: &u32| self.test_callbacks || !collection.fragments[*fragment as usize].test_callback;
        let mut seen = vec![false; equal.nodes.len()];
        let mut compared = Compared { nodes: Vec::new(), fragments: Vec::new() };
        for (node, members) in (0u32..).zip(&equal.nodes) {
            let seen = &mut seen[equal.twins[node as usize] as usize];
            if let Some(&fragment) = members.iter().find(|fragment| is_compared(fragment)).filter(|_| !*seen)
            {
                *seen = true;
                compared.nodes.push(node);
                compared.fragments.push(fragment);
            }
        }
        compared
    }

    /// Pairs of what is compared of which one is among the `most` nearest of the other by `encoder`, that are asked for and have the
    /// probability `least` and more; and what may be counterparts across languages.
    fn candidates(
        &self,
        collection: &Collection,
        compared: &Compared,
        encoder: &dyn Encoder,
        least: f64,
        most: usize,
    ) -> Result<Vec<Alike>, DetectError> {
        let fragments = &compared.fragments;
        if self.encoding.cross_families {
            // The vectors are there once more, by language.
            self.encoding.memory.check_vectors(2 * fragments.len(), encoder.dimensions(), 0)?;
        }
        let Encoded { index, judge } = self.encoding.encoded(encoder, collection, fragments, false)?;
        let alike = |(left, right, cosine): (u32, u32, f32), chosen: bool| {
            let pair = [left, right];
            let languages = pair.map(|number| self.language(collection, fragments[number as usize]));
            Alike { pair, cosine, probability: judge.probability(pair, languages, cosine), chosen }
        };
        let is_asked = |alike: &Alike| {
            let [a, b] = alike.pair.map(|number| file(collection, fragments[number as usize]));
            (a.family == b.family || self.encoding.cross_families) && a.side.pairs_with(b.side)
        };
        let mut found = Vec::new();
        let groups = self.encoding.cross_families.then(|| groups(collection, fragments));
        if let Some(groups) = &groups {
            let namesakes =
                self.names(collection, fragments, groups).namesakes(|a, b| groups.are_compared(a, b));
            let of_name = |[a, b]: [u32; 2]| Some(alike((a, b, index.cosine(a, b)?), true));
            found.extend(namesakes.into_iter().filter_map(of_name));
        }
        let index = index.build();
        if let Some(groups) = &groups {
            let nearest = groups.candidates(&index)?.into_iter().map(|pair| alike(pair, true));
            found.extend(nearest.filter(|alike| alike.probability >= COUNTERPART));
        }
        let pairs = index.pairs(judge.least_cosine(least, self.encoding.cross_families), most);
        let probable = pairs.into_iter().map(|pair| alike(pair, false)).filter(is_asked);
        found.extend(probable.filter(|alike| alike.probability >= least));
        found.sort_by_key(|alike| (alike.pair, !alike.chosen));
        found.dedup_by_key(|alike| alike.pair);
        Ok(found)
    }

    /// Each of `candidates` as the whole encoder sees it.
    fn judged(
        &self,
        collection: &Collection,
        fragments: &[u32],
        candidates: Vec<Alike>,
    ) -> Result<Vec<Alike>, DetectError> {
        let mut numbers = sorted(candidates.iter().flat_map(|alike| alike.pair));
        numbers.dedup();
        let wanted: Vec<u32> = numbers.iter().map(|&number| fragments[number as usize]).collect();
        let encoded = self.encoding.encoded(self.encoder, collection, &wanted, false)?;
        let judged = |Alike { pair, chosen, .. }: Alike| {
            let places = pair.map(|number| numbers.binary_search(&number).unwrap_or_default() as u32);
            let languages = pair.map(|number| self.language(collection, fragments[number as usize]));
            let cosine = encoded.index.cosine(places[0], places[1])?;
            let probability = encoded.judge.probability(places, languages, cosine);
            Some(Alike { pair, cosine, probability, chosen })
        };
        Ok(candidates.into_iter().filter_map(judged).collect())
    }

    /// The same pairs with what the tree says of them.
    fn weighed(&self, collection: &Collection, fragments: &[u32], mut alike: Vec<Alike>) -> Vec<Alike> {
        let groups = groups(collection, fragments);
        let names = self.names(collection, fragments, &groups);
        let (mut across, within): (Vec<&mut Alike>, Vec<&mut Alike>) =
            alike.iter_mut().partition(|alike| groups.are_across(alike.pair));
        for alike in within {
            let [a, b] = alike.pair.map(|number| &collection.fragments[fragments[number as usize] as usize]);
            let elsewhere = if a.file != b.file && a.name != b.name { ELSEWHERE } else { 0.0 };
            alike.probability = probability_of(log_odds(alike.probability) + OF_ONE_TREE + elsewhere);
        }
        let evidence = |alike: &Alike| log_odds(alike.probability) + names.evidence(alike.pair);
        let chosen: Vec<([u32; 2], f64)> =
            across.iter().filter(|alike| alike.chosen).map(|alike| (alike.pair, evidence(alike))).collect();
        let mut mutual = groups.are_mutual(&chosen).into_iter();
        for alike in &mut across {
            let is_first = alike.chosen && mutual.next().unwrap_or_default();
            let told = ACROSS_OFFSET + ACROSS_SLOPE * evidence(alike);
            alike.probability = probability_of(if is_first { told } else { told + SECOND });
        }
        alike
    }

    fn names(&self, collection: &Collection, fragments: &[u32], groups: &Groups) -> Names {
        let names = fragments.iter().map(|&number| {
            let fragment = &collection.fragments[number as usize];
            [fragment.name, self.encoding.files[fragment.file as usize].name]
        });
        Names::new(names.collect(), &groups.of, groups.len())
    }

    /// Of `links` those that are not of type 3, those whose probability is `least` and more, and those of which nothing can be said;
    /// with the cosines that were looked at. Fails as [`Behavior::links`] does.
    pub(crate) fn validated(
        &self,
        collection: &Collection,
        equal: &Equal,
        mut links: Vec<Link>,
        least: f64,
    ) -> Result<Vec<Link>, DetectError> {
        let edited = links.iter().filter(|link| link.clone_type == 3);
        let first = |node: u32| equal.nodes[node as usize][0];
        let mut fragments: Vec<u32> = edited.flat_map(|link| [first(link.left), first(link.right)]).collect();
        fragments.sort_unstable();
        fragments.dedup();
        let encoded = self.encoding.encoded(self.encoder, collection, &fragments, true)?;
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
        self.encoding.files[collection.fragments[fragment as usize].file as usize].language
    }
}

/// The logarithm of the odds of what has this probability.
fn log_odds(probability: f64) -> f64 {
    let probability = probability.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
    (probability / (1.0 - probability)).ln()
}

fn probability_of(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

fn groups(collection: &Collection, fragments: &[u32]) -> Groups {
    Groups::new(fragments.iter().map(|&fragment| file(collection, fragment)))
}

fn file(collection: &Collection, fragment: u32) -> &FileEntry {
    &collection.files[collection.fragments[fragment as usize].file as usize]
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items
}

fn ordered([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
