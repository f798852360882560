//! Balanced pairs that are drawn from a file of solutions.

use std::collections::{BTreeMap, HashMap, HashSet};

use familiar_source::Language;

use super::{Draw, PairsOptions};
use crate::random::SplitMix;
use crate::solutions::Solutions;
use crate::{EvaluateError, SkippedRow};

/// How often a pair is drawn again that was drawn before or cannot be one, until all that are left are looked through.
const TRIES: usize = 100;

/// The pairs, and the rows that could not be used.
pub(super) struct Drawn {
    pub(super) pairs: Vec<DrawnPair>,
    pub(super) positives: usize,
    pub(super) skipped: Vec<SkippedRow>,
}

/// A pair by the lines of its sides.
pub(super) struct DrawnPair {
    pub(super) left: u64,
    pub(super) right: u64,
    pub(super) is_clone: bool,
}

/// A row that can be a side.
struct Side {
    row: u64,
    group: u32,
    language: Language,
}

/// Draws half of the pairs from within groups and, with `negatives`, for each of them one of its left side and a row of
/// the right side's language from another group, so that languages do not tell what is a clone. Fewer where the file
/// does not hold as many. Depends on nothing but the seed and the rows.
pub(super) fn draw(options: &PairsOptions, draw: &Draw, negatives: bool) -> Result<Drawn, EvaluateError> {
    let mut solutions = Solutions::open(&options.pairs, &draw.selection)?;
    let mut sides = Vec::new();
    while let Some(batch) = solutions.batch()? {
        sides.extend(batch.iter().map(|s| Side { row: s.row, group: s.group, language: s.language }));
    }
    let mut drawing = Drawing::new(&sides, draw.cross_language, options.seed);
    let mut pairs = Vec::new();
    let wanted = draw.pairs / 2;
    for done in 0..wanted {
        let Some((left, right)) = drawing.positive(wanted - done) else { break };
        let pair =
            |right: usize, is_clone| DrawnPair { left: sides[left].row, right: sides[right].row, is_clone };
        if !negatives {
            pairs.push(pair(right, true));
        } else if let Some(other) = drawing.negative(left, right) {
            pairs.extend([pair(right, true), pair(other, false)]);
        }
    }
    let positives = pairs.iter().filter(|pair| pair.is_clone).count();
    Ok(Drawn { pairs, positives, skipped: solutions.skipped })
}

struct Drawing<'s> {
    sides: &'s [Side],
    cross_language: bool,
    random: SplitMix,
    groups: HashMap<u32, Vec<usize>>,
    languages: BTreeMap<Language, Vec<usize>>,
    /// The rows that have a partner in their group.
    lefts: Vec<usize>,
    drawn: HashSet<(usize, usize)>,
    /// Positives that were not drawn by chance, once hardly any are left.
    rest: Option<Vec<(usize, usize)>>,
}

impl<'s> Drawing<'s> {
    fn new(sides: &'s [Side], cross_language: bool, seed: u64) -> Self {
        let mut groups: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut languages: BTreeMap<Language, Vec<usize>> = BTreeMap::new();
        let mut of_both: HashMap<(u32, Language), usize> = HashMap::new();
        for (at, side) in sides.iter().enumerate() {
            groups.entry(side.group).or_default().push(at);
            languages.entry(side.language).or_default().push(at);
            *of_both.entry((side.group, side.language)).or_default() += 1;
        }
        let has_partner = |&at: &usize| {
            let side = &sides[at];
            let no_partners = if cross_language { of_both[&(side.group, side.language)] } else { 1 };
            groups[&side.group].len() > no_partners
        };
        let lefts = (0..sides.len()).filter(has_partner).collect();
        let random = SplitMix(seed);
        Self { sides, cross_language, random, groups, languages, lefts, drawn: HashSet::new(), rest: None }
    }

    /// The next positive, of which `wanted` are still to be drawn.
    fn positive(&mut self, wanted: usize) -> Option<(usize, usize)> {
        if self.rest.is_none() {
            for _ in 0..TRIES {
                let left = *self.lefts.get(self.random.below(self.lefts.len()))?;
                let group = &self.groups[&self.sides[left].group];
                let right = group[self.random.below(group.len())];
                let fits = left != right && self.is_positive(left, right);
                if fits && self.drawn.insert((left.min(right), left.max(right))) {
                    return Some((left, right));
                }
            }
            self.rest = Some(self.others(wanted));
        }
        self.rest.as_mut()?.pop()
    }

    fn is_positive(&self, left: usize, right: usize) -> bool {
        !self.cross_language || self.sides[left].language != self.sides[right].language
    }

    /// Up to `most` of the positives that were not drawn, each as likely as the others.
    fn others(&mut self, most: usize) -> Vec<(usize, usize)> {
        let (mut others, mut seen) = (Vec::new(), 0);
        for at in 0..self.lefts.len() {
            let left = self.lefts[at];
            let group = &self.groups[&self.sides[left].group];
            for &right in &group[group.partition_point(|&other| other <= left)..] {
                if !self.is_positive(left, right) || self.drawn.contains(&(left, right)) {
                    continue;
                }
                seen += 1;
                let pair = if self.random.below(2) == 0 { (left, right) } else { (right, left) };
                if others.len() < most {
                    others.push(pair);
                } else if let Some(place) = others.get_mut(self.random.below(seen)) {
                    *place = pair;
                }
            }
        }
        others
    }

    fn negative(&mut self, left: usize, right: usize) -> Option<usize> {
        let pool = &self.languages[&self.sides[right].language];
        for _ in 0..TRIES {
            let other = pool[self.random.below(pool.len())];
            let fits = self.sides[other].group != self.sides[left].group;
            if fits && self.drawn.insert((left.min(other), left.max(other))) {
                return Some(other);
            }
        }
        // Hardly any is left: one of those that are.
        let is_free = |&other: &usize| {
            let fits = self.sides[other].group != self.sides[left].group;
            fits && !self.drawn.contains(&(left.min(other), left.max(other)))
        };
        let free: Vec<usize> = pool.iter().copied().filter(is_free).collect();
        let other = *free.get(self.random.below(free.len()))?;
        self.drawn.insert((left.min(other), left.max(other)));
        Some(other)
    }
}
