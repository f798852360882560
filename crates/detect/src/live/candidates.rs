//! The files that may share something with one file. Each test lets pass whatever the search would report: it asks less than the
//! search does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use familiar_index::{FragmentEntry, Periodic};
use familiar_search::evidence::Commonness;
use familiar_search::information::{LEAST_BITS, Limit, has_bits};
use familiar_search::runs::{Context, RunSettings, shared};
use familiar_source::Span;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::Xxh3Default;

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

/// Most stretches that are kept until the next edit.
const MOST_RUNS: usize = 1 << 18;

/// Fewest samples that are worth a thread of their own.
const SAMPLES_OF_A_PART: usize = 256;

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
    /// What was found for the file before it changed, as far as it holds.
    pub(super) known: Option<&'c Known>,
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

    /// Adds the files with which a file shares runs that say enough. Samples around which nothing changed lead where they led before.
    fn add_runs(&self, settings: &RunSettings, slot: u32, data: &FileData, found: &mut Found) {
        let known = self.known.map_or(&[][..], |known| &known.led);
        let (mut led, mut asked) = (Vec::new(), Vec::new());
        for sample in self.keys.samples(slot, data) {
            match known.binary_search_by_key(&sample.1.at(), |led| led.at) {
                Ok(at) => led.push(known[at].clone()),
                Err(_) => asked.push(sample),
            }
        }
        let few = asked.len().div_ceil(rayon::current_num_threads()).max(SAMPLES_OF_A_PART);
        let collected = AtomicUsize::new(led.iter().map(|led| led.runs.len()).sum());
        let parts = asked
            .par_chunks(few)
            .flat_map_iter(|samples| self.led(settings, (slot, data), samples, &collected));
        led.par_extend(parts);
        led.sort_unstable_by_key(|led| led.at);
        let mut runs: Vec<Stretch> = led.iter().flat_map(|led| &led.runs).copied().collect();
        if collected.into_inner() <= MOST_RUNS {
            found.known.led = led;
        }
        runs.sort_unstable_by_key(|run| (run.slot, run.here.start, run.there, run.here.end));
        runs.dedup();
        for runs in runs.chunk_by(|a, b| a.slot == b.slot) {
            let spans: Vec<Span> = runs.iter().map(|run| run.here).collect();
            if self.say_enough(data, &spans) {
                found.add(runs[0].slot).runs = true;
            }
        }
    }

    /// Where some samples of the file of a slot lead. `collected` counts the stretches; of too many to keep, each is named once.
    fn led(
        &self,
        settings: &RunSettings,
        (slot, data): (u32, &FileData),
        samples: &[(u32, Sample)],
        collected: &AtomicUsize,
    ) -> Vec<Led> {
        // By other file and distance: what is known to be shared there, and the stretch where it may be a copy.
        let mut seen: FxHashMap<(u32, u32), (Span, Option<Stretch>)> = FxHashMap::default();
        let of_sample = |&(key, ours): &(u32, Sample)| {
            let mut led = Led { at: ours.at(), reach: Span::new(ours.at(), ours.at()), runs: Vec::new() };
            for sample in self.lookups.samples.get(key) {
                let goes_through = Context(ours.context()).may_share_run(Context(sample.context()));
                if sample.slot() == slot || !goes_through {
                    continue;
                }
                let distance = sample.at().wrapping_sub(ours.at());
                let (known, stretch) = seen.entry((sample.slot(), distance)).or_default();
                let is_new = known.end <= ours.at();
                if is_new {
                    let Some(other) = (self.data)(sample.slot()) else { continue };
                    let (here, there) =
                        shared(settings, (&data.symbols, ours.at()), (&other.symbols, sample.at()));
                    *known = Span::new(here.start, here.end.max(ours.at() + 1));
                    let symbols = || (&data.symbols[here.range()], &other.symbols[there.range()]);
                    let may_be_copy =
                        here.len() >= settings.min_tokens && self.may_be_copy(settings, symbols());
                    let (slot, there) = (sample.slot(), there.start);
                    *stretch = may_be_copy.then_some(Stretch { slot, here, there });
                }
                // Each sample of a stretch leads to it: after an edit it may be any of them that is left.
                if stretch.is_some() && (is_new || collected.load(Relaxed) <= MOST_RUNS) {
                    collected.fetch_add(1, Relaxed);
                    led.runs.extend(*stretch);
                }
                led.reach = Span::new(led.reach.start.min(known.start), led.reach.end.max(known.end));
            }
            // What stands around a sample tells where it may lead, and so does the end of what is shared.
            let around = settings.min_tokens;
            let (start, end) = (led.reach.start.saturating_sub(1), led.reach.end + 1);
            led.reach = Span::new(start.min(led.at.saturating_sub(around)), end.max(led.at + 2 * around));
            led
        };
        samples.iter().map(of_sample).collect()
    }

    /// Whether a part of two stretches that are equal but for names may be a copy.
    fn may_be_copy(&self, settings: &RunSettings, (left, right): (&[u32], &[u32])) -> bool {
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

    /// Adds the fragments that may be edited copies of a file's own. Those of fragments that are as they were are known.
    fn add_similar(&self, similarity: f64, slot: u32, data: &FileData, found: &mut Found) {
        let similar = |fragment: &FragmentEntry| {
            let form = form_of(data, fragment);
            let known = self.known.filter(|known| known.limit == Some(self.limit));
            let known = known.and_then(|known| known.similar.get(&form)).cloned();
            let others = known.unwrap_or_else(|| self.similar_to(similarity, slot, data, fragment).into());
            (form, others)
        };
        let all: Vec<(u128, Arc<[Fragment]>)> = data.fragments.par_iter().map(similar).collect();
        for other in all.iter().flat_map(|(_, others)| &**others) {
            found.add(other.slot).fragments.insert(other.number);
        }
        found.known.similar.extend(all);
        found.known.limit = Some(self.limit);
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

/// What was found for a file.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// By the form of a fragment, what may be edited copies of it.
    pub(super) similar: FxHashMap<u128, Arc<[Fragment]>>,
    /// How small a clone could be then.
    pub(super) limit: Option<Limit>,
    /// Where its samples lead, by their places.
    pub(super) led: Vec<Led>,
}

/// Where a sample leads.
#[derive(Clone, Debug)]
pub(super) struct Led {
    pub(super) at: u32,
    /// The tokens of its file that it depends on, and perhaps some beyond its ends.
    pub(super) reach: Span,
    pub(super) runs: Vec<Stretch>,
}

/// A stretch of a file that may be a copy of one of the file of a slot, which starts `there`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) slot: u32,
    pub(super) here: Span,
    pub(super) there: u32,
}

/// What is found by a fragment's form: its tokens, and where its statements start.
fn form_of(data: &FileData, fragment: &FragmentEntry) -> u128 {
    let starts = line_starts_of(data, fragment);
    let mut hasher = Xxh3Default::new();
    hasher.update(&[fragment.kind]);
    let numbers = symbols_of(data, fragment).iter().chain([&fragment.tokens]).chain(&starts);
    numbers.for_each(|number| hasher.update(&number.to_le_bytes()));
    hasher.digest128()
}

/// The files that may share something with one.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What of them has to be searched, by slot.
    pub(super) parts: BTreeMap<u32, Part>,
    /// What of it holds until something changes.
    pub(super) known: Known,
}

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
        self.parts.entry(slot).or_default()
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
