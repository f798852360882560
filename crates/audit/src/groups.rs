//! Pairs by PATH's fragments, without what is trivial.

use std::collections::{BTreeMap, BTreeSet};

use familiar_report::PairRow;
use familiar_report::audit::AuditPair;
use rayon::prelude::*;

use crate::findings::Found;
use crate::known::Known;
use crate::{AuditError, trivial};

/// What a pair and its row take in memory, about.
const PAIR: usize = 1000;

/// Most pairs of a piece of code. Two files of hundreds of alike functions have far more, which say nothing new.
const MOST_PAIRS: usize = 100;

/// A piece of PATH's code with its pairs, by their right sides.
pub(crate) struct Group {
    pub(crate) left: u32,
    pub(crate) pairs: Vec<PairRow>,
}

/// How many pieces of code are left out, by reason.
pub(crate) type LeftOut = BTreeMap<&'static str, u64>;

impl Found<'_> {
    /// The pairs by PATH's fragment, without what is trivial as far as that can be told without reading files; and how many further pairs
    /// there are of code that has too many.
    pub(crate) fn groups(&self, left_out: &mut LeftOut) -> Result<(Vec<Group>, u64), AuditError> {
        let most = self.options.clones.memory / 2 / PAIR;
        let mut gathered =
            Gathered { found: self, groups: Vec::new(), pairs: 0, each: MOST_PAIRS, left_out: 0 };
        self.report
            .all_pairs
            .for_each(&mut |pair| {
                gathered.push(pair);
                gathered.shrink_to(most);
                Ok(())
            })
            .map_err(AuditError::Pairs)?;
        gathered.trim_last();
        let Gathered { groups, left_out: left_out_pairs, .. } = gathered;
        if self.options.include_trivial {
            return Ok((groups, left_out_pairs));
        }
        let is_snippet = self.options.snippet.is_some();
        let reason = |group: &Group| -> Result<Option<&'static str>, AuditError> {
            let mut places = Vec::new();
            for pair in &group.pairs {
                if let Some(document) = self.documents[self.fragment(pair.right).document as usize] {
                    places.extend(self.libraries.places(document)?);
                }
            }
            if places.iter().any(|place| place.witness.base) {
                return Ok(Some(trivial::HANDED_OUT));
            }
            let projects = || {
                let owners: BTreeSet<&str> = places.iter().map(|place| place.witness.owner()).collect();
                owners.len()
            };
            let reason = trivial::by_size(self.fragment(group.left), &group.pairs, projects);
            // Who asks for one piece of code asks for short code too.
            Ok(reason.filter(|_| !is_snippet))
        };
        let reasons: Vec<Option<&'static str>> = groups.par_iter().map(reason).collect::<Result<_, _>>()?;
        let mut kept = Vec::with_capacity(groups.len());
        for (mut group, reason) in groups.into_iter().zip(reasons) {
            if let Some(reason) = reason {
                *left_out.entry(reason).or_default() += 1;
                continue;
            }
            if !is_snippet {
                group.pairs.retain(|pair| !pair.idiom);
            }
            kept.push(group);
        }
        Ok((kept, left_out_pairs))
    }
}

/// Groups that are gathered, with no more pairs than there is room for.
struct Gathered<'f, 'a> {
    found: &'f Found<'a>,
    groups: Vec<Group>,
    /// How many are held.
    pairs: usize,
    /// Most pairs of a group.
    each: usize,
    left_out: u64,
}

impl Gathered<'_, '_> {
    /// Takes the next pair; those of a fragment follow one another.
    fn push(&mut self, pair: &PairRow) {
        self.pairs += 1;
        match self.groups.last_mut() {
            Some(group) if group.left == pair.left => group.pairs.push(pair.clone()),
            _ => {
                self.trim_last();
                self.groups.push(Group { left: pair.left, pairs: vec![pair.clone()] });
            }
        }
        if self.groups.last().is_some_and(|group| group.pairs.len() >= 20 * self.each) {
            self.trim_last();
        }
    }

    fn trim_last(&mut self) {
        let last = self.groups.len().saturating_sub(1);
        self.trim(last);
    }

    /// Leaves no more than `most` pairs where that leaves each group one.
    fn shrink_to(&mut self, most: usize) {
        while self.pairs > most && self.each > 1 {
            self.each /= 2;
            (0..self.groups.len()).for_each(|group| self.trim(group));
        }
    }

    /// Leaves a group its best pairs: of each project the one that is most alike, then of each file, then others. A project under another
    /// license may be the last of many, so of projects ten times as many are kept as of pairs.
    fn trim(&mut self, group: usize) {
        let found = self.found;
        let Some(Group { pairs, .. }) = self.groups.get_mut(group) else { return };
        let before = pairs.len();
        if before <= self.each {
            return;
        }
        pairs.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.right.cmp(&b.right)));
        let (mut projects, mut documents) = (BTreeSet::new(), BTreeSet::new());
        pairs.sort_by_cached_key(|pair| {
            let row = found.fragment(pair.right);
            let is_further = !documents.insert(row.document);
            (!projects.insert(row.root), is_further)
        });
        pairs.truncate(projects.len().clamp(self.each, 10 * self.each));
        pairs.sort_by_key(|pair| pair.right);
        self.pairs -= before - pairs.len();
        self.left_out += (before - pairs.len()) as u64;
    }
}

impl Known<'_, '_> {
    /// Leaves out what the text of PATH's files shows to be trivial.
    pub(crate) fn without_trivial_text(&self, groups: Vec<Group>, left_out: &mut LeftOut) -> Vec<Group> {
        if self.found.options.include_trivial {
            return groups;
        }
        let reason = |group: &Group, lines: &[&str]| {
            let row = self.found.fragment(group.left);
            let others = group.pairs.iter().map(|pair| self.found.fragment(pair.right).tokens);
            let shared = others.max().unwrap_or_default().min(row.tokens);
            trivial::by_text(row, shared, &self.facts(group.left).content.license_texts, lines)
        };
        let document = |group: &Group| self.found.fragment(group.left).document;
        let reasons = |groups: &[Group]| {
            let text = self.text(document(&groups[0]));
            let lines: Vec<&str> = text.lines().collect();
            groups.iter().map(|group| reason(group, &lines)).collect::<Vec<_>>()
        };
        let of_files: Vec<&[Group]> = groups.chunk_by(|a, b| document(a) == document(b)).collect();
        let reasons: Vec<Option<&'static str>> =
            of_files.par_iter().flat_map_iter(|groups| reasons(groups)).collect();
        let mut kept = Vec::with_capacity(groups.len());
        for (group, reason) in groups.into_iter().zip(reasons) {
            match reason {
                Some(reason) => *left_out.entry(reason).or_default() += 1,
                None => kept.push(group),
            }
        }
        kept
    }

    /// Leaves out what is alike to code elsewhere, but lies within code that is equal to it, or to other code: that is where it is from.
    pub(crate) fn without_explained(
        &self,
        groups: Vec<Group>,
        pairs: Vec<Vec<AuditPair>>,
        left_out: &mut LeftOut,
    ) -> (Vec<Group>, Vec<Vec<AuditPair>>) {
        let row = |group: &Group| self.found.fragment(group.left);
        let is_equal = |pair: &AuditPair| pair.pair.clone_type == 1 && !pair.own;
        let mut equal: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        for (group, _) in groups.iter().zip(&pairs).filter(|(_, pairs)| pairs.iter().any(is_equal)) {
            let row = row(group);
            equal.entry(row.document).or_default().push((row.start_line, row.end_line));
        }
        let is_explained = |group: &Group, pairs: &[AuditPair]| {
            let row = row(group);
            let spans = equal.get(&row.document).map_or(&[][..], Vec::as_slice);
            let mut around =
                spans.iter().filter(|(start, end)| *start <= row.start_line && row.end_line <= *end);
            !self.found.options.include_trivial
                && pairs.iter().all(|pair| pair.pair.clone_type > 1)
                && around.next().is_some()
        };
        let (explained, kept): (Vec<_>, Vec<_>) =
            groups.into_iter().zip(pairs).partition(|(group, pairs)| is_explained(group, pairs));
        if !explained.is_empty() {
            *left_out.entry(trivial::EXPLAINED).or_default() += explained.len() as u64;
        }
        kept.into_iter().unzip()
    }
}
