//! The files that may share something with one file. Each test lets pass whatever the search would report: it asks less than the
//! search does.

use std::collections::BTreeSet;

use familiar_index::{FragmentEntry, Periodic};
use familiar_search::evidence::Commonness;
use familiar_search::information::{Limit, has_bits};
use familiar_search::runs::{Context, RunSettings, shared};
use familiar_source::Span;
use rustc_hash::FxHashMap;

use super::lookup::{Posting, Sample};
use super::lookups::{Keys, Lookups, is_word};
use crate::ingest::FileData;

/// Fewest rare words that two renamed or edited copies share in a large tree.
const LEAST_RARE: usize = 2;

/// Edited copies that share no rare words are at least so similar; one is then hardly longer than the other.
const LENGTHS_OF_PLAIN_COPIES: f64 = 0.85;

/// How much shorter than the similarity says one of two edited copies may be: similarity is not counted in tokens alone.
const SLACK: f64 = 0.5;

/// A word in more files than this says too little to look through all of them.
const MOST_FILES: usize = 2_000;

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
    pub(super) data: &'c dyn Fn(u32) -> Option<&'c FileData>,
}

impl Choice<'_> {
    /// The slots of the files that may share something with the file of a slot, ascending, without it.
    pub(super) fn of(&self, slot: u32, data: &FileData) -> Vec<u32> {
        let mut found = BTreeSet::new();
        for key in self.keys.forms(data) {
            found.extend(self.lookups.forms.get(key).filter(|&other| other != slot));
        }
        if let Some(settings) = self.keys.runs {
            self.add_runs(settings, slot, data, &mut found);
            self.add_periodic(slot, data, &mut found);
        }
        if let Some(similarity) = self.similarity {
            self.add_similar(similarity, slot, data, &mut found);
        }
        found.into_iter().collect()
    }

    /// What is rare, where the tree is large enough to tell.
    fn rarity(&self) -> Option<&Commonness> {
        self.commonness.and_then(Commonness::if_large_enough)
    }

    /// Adds the files with which a file shares runs that say enough.
    fn add_runs(&self, settings: &RunSettings, slot: u32, data: &FileData, found: &mut BTreeSet<u32>) {
        // By other file and distance: the end of what is known to be shared there.
        let mut seen: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut runs: FxHashMap<u32, Vec<Span>> = FxHashMap::default();
        for (key, ours) in self.keys.samples(slot, data) {
            for sample in self.lookups.samples.get(key) {
                let goes_through = Context(ours.context()).may_share_run(Context(sample.context()));
                if sample.slot() == slot || !goes_through || found.contains(&sample.slot()) {
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
        found.extend(
            runs.into_iter().filter(|(_, spans)| self.say_enough(data, spans)).map(|(other, _)| other),
        );
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
        has_bits(&symbols, bits)
    }

    /// Adds the files that repeat a piece that a file repeats, too.
    fn add_periodic(&self, slot: u32, data: &FileData, found: &mut BTreeSet<u32>) {
        for (key, region) in self.keys.pieces(data) {
            if !self.say_enough(data, &[Span::new(region.start, region.end)]) {
                continue;
            }
            let others = self.lookups.samples.get(key).filter(|sample| sample.slot() != slot);
            let may_share = |sample: &Sample| self.repeats_the_same(data, region, *sample);
            found.extend(others.filter(may_share).map(Posting::slot));
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

    /// Adds the files that have fragments of about the length of a file's own, with enough of their words.
    fn add_similar(&self, similarity: f64, slot: u32, data: &FileData, found: &mut BTreeSet<u32>) {
        for fragment in &data.fragments {
            let symbols = symbols_of(data, fragment);
            let starts = line_starts_of(data, fragment);
            if !self.limit.may_be_copied(symbols, &starts) {
                continue;
            }
            let words = words_of(symbols);
            let least = self.limit.least_specific(symbols, &starts) * SLACK;
            let mut says: FxHashMap<u32, f64> = FxHashMap::default();
            for &word in &words {
                let bits = self.says(word);
                if bits > 0.0 {
                    let files = self.lookups.words.get(self.keys.word(data, word)).take(MOST_FILES);
                    files.for_each(|other| *says.entry(other).or_default() += bits);
                }
            }
            let mut others: Vec<u32> =
                says.into_iter().filter(|&(_, bits)| bits >= least).map(|(other, _)| other).collect();
            others.retain(|other| *other != slot && !found.contains(other));
            let own = Own { fragment, words, least, similarity };
            found.extend(others.into_iter().filter(|&other| self.has_similar(&own, other)));
        }
    }

    /// What a word says in bits; 1 where nothing tells words apart.
    fn says(&self, word: u32) -> f64 {
        self.commonness.map_or(1.0, |commonness| commonness.says(word))
    }

    /// Whether a file has a fragment that may be an edited copy.
    fn has_similar(&self, own: &Own<'_>, other: u32) -> bool {
        let Some(other) = (self.data)(other) else { return false };
        let tokens = f64::from(own.fragment.tokens);
        let is_near = |fragment: &&FragmentEntry| {
            let theirs = f64::from(fragment.tokens);
            let ratio = tokens.min(theirs) / tokens.max(theirs);
            fragment.kind == own.fragment.kind && ratio >= own.similarity * SLACK
        };
        other.fragments.iter().filter(is_near).any(|fragment| self.are_similar(own, other, fragment))
    }

    fn are_similar(&self, own: &Own<'_>, other: &FileData, fragment: &FragmentEntry) -> bool {
        let symbols = symbols_of(other, fragment);
        let mut both: Vec<u32> =
            symbols.iter().copied().filter(|symbol| own.words.binary_search(symbol).is_ok()).collect();
        both.sort_unstable();
        both.dedup();
        if both.iter().map(|&word| self.says(word)).sum::<f64>() < own.least {
            return false;
        }
        let lengths = [own.fragment.tokens, fragment.tokens].map(f64::from);
        let ratio = lengths[0].min(lengths[1]) / lengths[0].max(lengths[1]);
        self.rarity().is_none_or(|rarity| {
            ratio >= LENGTHS_OF_PLAIN_COPIES || both.iter().any(|&word| rarity.is_rare(word))
        })
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

fn symbols_of<'d>(data: &'d FileData, fragment: &FragmentEntry) -> &'d [u32] {
    &data.symbols[fragment.first as usize..(fragment.first + fragment.tokens) as usize]
}

/// Where statements start in a fragment, counted from its first token.
fn line_starts_of(data: &FileData, fragment: &FragmentEntry) -> Vec<u32> {
    let end = fragment.first + fragment.tokens;
    let from = data.line_starts.partition_point(|&at| at < fragment.first);
    data.line_starts[from..].iter().take_while(|&&at| at < end).map(|at| at - fragment.first).collect()
}

/// The different words of a fragment, ascending.
fn words_of(symbols: &[u32]) -> Vec<u32> {
    let mut words: Vec<u32> = symbols.iter().copied().filter(|&symbol| is_word(symbol)).collect();
    words.sort_unstable();
    words.dedup();
    words
}
