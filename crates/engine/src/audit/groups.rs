//! Pairs by PATH's fragments, without what is trivial.

use std::collections::{BTreeMap, BTreeSet};

use familiar_report::PairRow;
use familiar_report::audit::AuditPair;
use rayon::prelude::*;

use super::findings::Found;
use super::known::Known;
use super::{AuditError, trivial};

/// What a pair and its row take in memory, about.
const PAIR: usize = 1000;

/// A piece of PATH's code with all its pairs.
pub(super) struct Group {
    pub(super) left: u32,
    pub(super) pairs: Vec<PairRow>,
}

/// How many pieces of code are left out, by reason.
pub(super) type LeftOut = BTreeMap<&'static str, u64>;

impl Found<'_> {
    /// The pairs by PATH's fragment, without what is trivial as far as that can be told without reading files.
    pub(super) fn groups(&self, left_out: &mut LeftOut) -> Result<Vec<Group>, AuditError> {
        let most = self.options.clones.memory / 2 / PAIR;
        let mut groups: Vec<Group> = Vec::new();
        let mut count = 0;
        let visited = self.report.all_pairs.for_each(&mut |pair| {
            count += 1;
            if count > most {
                return Err(std::io::ErrorKind::OutOfMemory.into());
            }
            match groups.last_mut() {
                Some(group) if group.left == pair.left => group.pairs.push(pair.clone()),
                _ => groups.push(Group { left: pair.left, pairs: vec![pair.clone()] }),
            }
            Ok(())
        });
        match visited {
            Err(_) if count > most => return Err(AuditError::TooMany { pairs: count }),
            other => other.map_err(AuditError::Pairs)?,
        }
        if self.options.include_trivial {
            return Ok(groups);
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
        Ok(kept)
    }
}

impl Known<'_, '_> {
    /// Leaves out what the text of PATH's files shows to be trivial.
    pub(super) fn without_trivial_text(&self, groups: Vec<Group>, left_out: &mut LeftOut) -> Vec<Group> {
        if self.found.options.include_trivial {
            return groups;
        }
        let mut last = (u32::MAX, String::new());
        let mut kept = Vec::with_capacity(groups.len());
        for group in groups {
            let row = self.found.fragment(group.left);
            if last.0 != row.document {
                last = (row.document, self.text(row.document));
            }
            match trivial::by_text(row, &self.facts(group.left).license_texts, &last.1) {
                Some(reason) => *left_out.entry(reason).or_default() += 1,
                None => kept.push(group),
            }
        }
        kept
    }

    /// Leaves out what is alike to code elsewhere, but lies within code that is equal to it, or to other code: that is where it is from.
    pub(super) fn without_explained(
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
