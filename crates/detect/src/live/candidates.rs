//! The files that may share something with one file. Each test lets pass whatever the search would report: it asks less than the
//! search does.

use std::collections::{BTreeMap, BTreeSet};

use familiar_index::{FragmentEntry, Periodic};
use familiar_search::evidence::Commonness;
use familiar_search::information::{LEAST_BITS, Limit, has_bits};
use familiar_search::runs::{Context, RunSettings, shared};
use familiar_source::Span;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::lookup::{Fragment, Posting, Sample};
use super::lookups::{Keys, Lookups, symbols_of, words_of};
use crate::ingest::FileData;

/// Fewest rare words that two renamed or edited copies share in a large tree.
const LEAST_RARE: usize = 2;

/// Edited copies that share no rare words are at least so similar; one is then hardly longer than the other.
const LENGTHS_OF_PLAIN_COPIES: f64 = 0.85;

/// How much shorter than the similarity says one of two edited copies may be: similarity is not counted in tokens alone.
const SLACK: f64 = 0.5;

/// A word or an n-gram of more fragments than this says too little to look through all of them.
const MOST_FRAGMENTS: usize = 2_000;

/// Fewest kept n-grams that two fragments share of which one is a hardly edited copy of the other.
const LEAST_GRAMS: usize = 3;

/// What candidates are chosen by.
pub(super) struct Choice<'c> {
    pub(super) keys: Keys<'c>,
    pub(super) lookups: &'c Lookups,
    pub(super) commonness: Option<&'c Commonness>,
    pub(super) limit: Limit,
    /// Least similarity of edited copies; none where they are not asked for.
    pub(super) similarity: Option<f64>,
    /// Whether renamed runs have to share rare words.
    pub(super) judges_runs: bool,
    pub(super) data: &'c (dyn Fn(u32) -> Option<&'c FileData> + Sync),
}

impl Choice<'_> {
    /// The files that may share something with the file of a slot, without it.
    pub(super) fn of(&self, slot: u32, data: &FileData) -> Found {
        let mut found = Found::default();
        self.add_equal(slot, data, &mut found);
        if let Some(settings) = self.keys.runs {
            self.add_runs(settings, slot, data, &mut found);
            self.add_periodic(slot, data, &mut found);
        }
        if let Some(similarity) = self.similarity {
            self.add_similar(similarity, slot, data, &mut found);
        }
        found
    }

    /// Adds the fragments that are equal to a file's own but for names.
    fn add_equal(&self, slot: u32, data: &FileData, found: &mut Found) {
        let own: BTreeSet<u64> = data.fragments.iter().map(|fragment| fragment.renamed).collect();
        for key in self.keys.forms(data) {
            for other in self.lookups.forms.get(key).filter(|&other| other != slot) {
                let fragments = (self.data)(other).map_or(&[][..], |data| data.fragments.as_slice());
                let equal = (0u32..).zip(fragments).filter(|(_, fragment)| own.contains(&fragment.renamed));
                let part = found.add(other);
                part.fragments.extend(equal.map(|(number, _)| number));
            }
        }
    }

    /// What is rare, where the tree is large enough to tell.
    fn rarity(&self) -> Option<&Commonness> {
        self.commonness.and_then(Commonness::if_large_enough)
    }

    /// Adds the files with which a file shares runs that say enough.
    fn add_runs(&self, settings: &RunSettings, slot: u32, data: &FileData, found: &mut Found) {
        // By other file and distance: the end of what is known to be shared there.
        let mut seen: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut runs: FxHashMap<u32, Vec<Span>> = FxHashMap::default();
        for (key, ours) in self.keys.samples(slot, data) {
            for sample in self.lookups.samples.get(key) {
                let goes_through = Context(ours.context()).may_share_run(Context(sample.context()));
                if sample.slot() == slot || !goes_through || found.has_runs(sample.slot()) {
                    continue;
                }
                let end = seen.entry((sample.slot(), sample.at().wrapping_sub(ours.at()))).or_default();
                if *end > ours.at() {
                    continue;
                }
                let Some(other) = (self.data)(sample.slot()) else { continue };
                let (here, there) =
                    shared(settings, (&data.symbols, ours.at()), (&other.symbols, sample.at()));
                *end = here.end.max(ours.at() + 1);
                if here.len() >= settings.min_tokens
                    && self.may_be_copy(settings, &data.symbols[here.range()], &other.symbols[there.range()])
                {
                    runs.entry(sample.slot()).or_default().push(here);
                }
            }
        }
        let enough = runs.into_iter().filter(|(_, spans)| self.say_enough(data, spans));
        enough.for_each(|(other, _)| found.add(other).runs = true);
    }

    /// Whether a part of two stretches that are equal but for names may be a copy.
    fn may_be_copy(&self, settings: &RunSettings, left: &[u32], right: &[u32]) -> bool {
        let Some(rarity) = self.rarity().filter(|_| self.judges_runs && settings.type_2) else { return true };
        let same = || left.iter().zip(right).filter(|(a, b)| a == b).map(|(&a, _)| a);
        if are_several(same().filter(|&symbol| rarity.is_rare(symbol))) {
            return true;
        }
        let mut equal = 0;
        left.iter().zip(right).any(|(a, b)| {
            equal = if a == b { equal + 1 } else { 0 };
            equal >= settings.min_tokens
        })
    }

    /// Whether stretches of a file together say as much as a clone has to.
    fn say_enough(&self, data: &FileData, spans: &[Span]) -> bool {
        let Limit::Information(bits) = self.limit else { return true };
        let symbols: Vec<u32> = spans.iter().flat_map(|span| &data.symbols[span.range()]).copied().collect();
        // Small copies that say something special are copies, too.
        has_bits(&symbols, bits.min(LEAST_BITS))
    }

    /// Adds the files that repeat a piece that a file repeats, too.
    fn add_periodic(&self, slot: u32, data: &FileData, found: &mut Found) {
        for (key, region) in self.keys.pieces(data) {
            if !self.say_enough(data, &[Span::new(region.start, region.end)]) {
                continue;
            }
            let others = self.lookups.samples.get(key).filter(|sample| sample.slot() != slot);
            let may_share = |sample: &Sample| self.repeats_the_same(data, region, *sample);
            others.filter(may_share).for_each(|sample| found.add(sample.slot()).runs = true);
        }
    }

    /// Whether a file has words of a stretch of another where it repeats the same piece.
    fn repeats_the_same(&self, data: &FileData, region: Periodic, sample: Sample) -> bool {
        let Some(rarity) = self.rarity().filter(|_| self.judges_runs) else { return true };
        let Some(other) = (self.data)(sample.slot()) else { return false };
        let stretches = other.samples.first().map_or(&[][..], |files| files.periodic());
        let Some(there) = stretches.iter().find(|there| there.start == sample.at()) else { return false };
        let ours = &data.symbols[region.start as usize..region.end as usize];
        let theirs = &other.symbols[there.start as usize..there.end as usize];
        let piece = &ours[..(region.period as usize).min(ours.len())];
        are_several(ours.iter().copied().filter(|symbol| rarity.is_rare(*symbol) && theirs.contains(symbol)))
            || theirs.windows(piece.len().max(1)).any(|window| window == piece)
    }

    /// Adds the fragments that may be edited copies of a file's own.
    fn add_similar(&self, similarity: f64, slot: u32, data: &FileData, found: &mut Found) {
        let similar = |fragment: &FragmentEntry| self.similar_to(similarity, slot, data, fragment);
        let all: Vec<Vec<Fragment>> = data.fragments.par_iter().map(similar).collect();
        for other in all.into_iter().flatten() {
            found.add(other.slot).fragments.insert(other.number);
        }
    }

    /// The fragments of other files that may be edited copies of one.
    fn similar_to(
        &self,
        similarity: f64,
        slot: u32,
        data: &FileData,
        fragment: &FragmentEntry,
    ) -> Vec<Fragment> {
        let symbols = symbols_of(data, fragment);
        let starts = line_starts_of(data, fragment);
        if !self.limit.may_be_copied(symbols, &starts) {
            return Vec::new();
        }
        let words = words_of(symbols);
        let least = self.limit.least_specific(symbols, &starts) * SLACK;
        let own = Own { fragment, words, least, similarity };
        let plain = self.plain(data, symbols).into_iter().map(|other| (other, None));
        let sharing = self.sharing(data, &own).into_iter().map(|(other, says)| (other, Some(says)));
        let others = sharing.chain(plain).filter(|(other, _)| other.slot != slot);
        others.filter(|&(other, says)| self.are_similar(&own, other, says)).map(|(other, _)| other).collect()
    }

    /// The fragments that share enough words with one, and what these say in bits.
    fn sharing(&self, data: &FileData, own: &Own<'_>) -> Vec<(Fragment, f64)> {
        let mut others: FxHashMap<Fragment, (usize, f64)> = FxHashMap::default();
        for &word in &own.words {
            let bits = self.says(word);
            if self.rarity().map_or(bits > 0.0, |rarity| rarity.is_rare(word)) {
                for other in self.lookups.words.get(self.keys.word(data, word)).take(MOST_FRAGMENTS) {
                    let (shared, says) = others.entry(other).or_default();
                    (*shared, *says) = (*shared + 1, *says + bits);
                }
            }
        }
        let is_large = self.rarity().is_some();
        let shares =
            |shared: usize, says: f64| if is_large { shared >= LEAST_RARE } else { says >= own.least };
        let enough = others.into_iter().filter(|&(_, (shared, says))| shares(shared, says));
        enough.map(|(other, (_, says))| (other, says)).collect()
    }

    /// The fragments with which one has several of its kept n-grams in common.
    fn plain(&self, data: &FileData, symbols: &[u32]) -> Vec<Fragment> {
        let mut others: FxHashMap<Fragment, usize> = FxHashMap::default();
        for gram in self.keys.grams(data, symbols) {
            let has_it = self.lookups.grams.get(gram).take(MOST_FRAGMENTS);
            has_it.for_each(|other| *others.entry(other).or_default() += 1);
        }
        others.into_iter().filter(|&(_, shared)| shared >= LEAST_GRAMS).map(|(other, _)| other).collect()
    }

    /// What a word says in bits; 1 where nothing tells words apart.
    fn says(&self, word: u32) -> f64 {
        self.commonness.map_or(1.0, |commonness| commonness.says(word))
    }

    /// Whether a fragment may be an edited copy of a file's own. `says` is what the rare words that both have say; where they have none,
    /// only a copy that is hardly edited counts.
    fn are_similar(&self, own: &Own<'_>, other: Fragment, says: Option<f64>) -> bool {
        let Some(data) = (self.data)(other.slot) else { return false };
        let fragment = &data.fragments[other.number as usize];
        let lengths = [own.fragment.tokens, fragment.tokens].map(f64::from);
        let ratio = lengths[0].min(lengths[1]) / lengths[0].max(lengths[1]);
        let least = if says.is_none() { LENGTHS_OF_PLAIN_COPIES } else { own.similarity * SLACK };
        if fragment.kind != own.fragment.kind || ratio < least {
            return false;
        }
        if says.is_some_and(|says| says >= own.least) {
            return true;
        }
        let words = words_of(symbols_of(data, fragment));
        let both = words.iter().filter(|word| own.words.binary_search(word).is_ok());
        both.map(|&word| self.says(word)).sum::<f64>() >= own.least
    }
}

/// A fragment whose edited copies are looked for.
struct Own<'o> {
    fragment: &'o FragmentEntry,
    words: Vec<u32>,
    /// What the words that a copy shares say at least, in bits.
    least: f64,
    similarity: f64,
}

/// The files that may share something with one, by slot.
#[derive(Debug, Default)]
pub(super) struct Found(BTreeMap<u32, Part>);

/// What of a file has to be searched.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// Whether it may share a run.
    pub(super) runs: bool,
    /// Its fragments that may be copies, by their positions among its fragments.
    pub(super) fragments: BTreeSet<u32>,
}

impl Found {
    fn add(&mut self, slot: u32) -> &mut Part {
        self.0.entry(slot).or_default()
    }

    fn has_runs(&self, slot: u32) -> bool {
        self.0.get(&slot).is_some_and(|part| part.runs)
    }

    /// The parts, by slot.
    pub(super) fn parts(self) -> BTreeMap<u32, Part> {
        self.0
    }
}

/// Whether there are several different tokens.
fn are_several(tokens: impl Iterator<Item = u32>) -> bool {
    let mut seen: Vec<u32> = Vec::with_capacity(LEAST_RARE);
    for token in tokens {
        if !seen.contains(&token) {
            seen.push(token);
        }
        if seen.len() == LEAST_RARE {
            return true;
        }
    }
    false
}

/// Where statements start in a fragment, counted from its first token.
fn line_starts_of(data: &FileData, fragment: &FragmentEntry) -> Vec<u32> {
    let end = fragment.first + fragment.tokens;
    let from = data.line_starts.partition_point(|&at| at < fragment.first);
    data.line_starts[from..].iter().take_while(|&&at| at < end).map(|at| at - fragment.first).collect()
}
