//! Groups without those that say nothing, counted by reason.

use std::collections::{BTreeMap, BTreeSet};

use familiar_report::audit::AuditPair;
use rayon::prelude::*;

use crate::comparison::Comparison;
use crate::context::Context;
use crate::error::AuditError;
use crate::groups::Group;
use crate::trivial;

/// What is left out.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    /// How many pieces of code, by reason.
    pub(crate) reasons: BTreeMap<&'static str, u64>,
    /// Further pairs of code that has too many.
    pub(crate) pairs: u64,
}

impl LeftOut {
    /// Leaves out those of `groups` that have a reason.
    fn filter(&mut self, groups: Vec<Group>, reasons: Vec<Option<&'static str>>) -> Vec<Group> {
        let mut kept = Vec::with_capacity(groups.len());
        for (group, reason) in groups.into_iter().zip(reasons) {
            match reason {
                Some(reason) => *self.reasons.entry(reason).or_default() += 1,
                None => kept.push(group),
            }
        }
        kept
    }
}

impl Comparison<'_> {
    /// Leaves out what is trivial as far as that can be told without reading files.
    pub(crate) fn without_trivial(
        &self,
        groups: Vec<Group>,
        left_out: &mut LeftOut,
    ) -> Result<Vec<Group>, AuditError> {
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
        let reasons = groups.par_iter().map(reason).collect::<Result<_, AuditError>>()?;
        let mut kept = left_out.filter(groups, reasons);
        if !is_snippet {
            for group in &mut kept {
                group.pairs.retain(|pair| !pair.idiom);
            }
        }
        Ok(kept)
    }
}

impl Context<'_, '_> {
    /// Leaves out what the text of PATH's files shows to be trivial.
    pub(crate) fn without_trivial_text(&self, groups: Vec<Group>, left_out: &mut LeftOut) -> Vec<Group> {
        if self.comparison.options.include_trivial {
            return groups;
        }
        let reason = |group: &Group, lines: &[&str]| {
            let row = self.comparison.fragment(group.left);
            let others = group.pairs.iter().map(|pair| self.comparison.fragment(pair.right).tokens);
            let shared = others.max().unwrap_or_default().min(row.tokens);
            trivial::by_text(row, shared, &self.facts(group.left).content.license_texts, lines)
        };
        let document = |group: &Group| self.comparison.fragment(group.left).document;
        let reasons = |groups: &[Group]| {
            let text = self.text(document(&groups[0]));
            let lines: Vec<&str> = text.lines().collect();
            groups.iter().map(|group| reason(group, &lines)).collect::<Vec<_>>()
        };
        let of_files: Vec<&[Group]> = groups.chunk_by(|a, b| document(a) == document(b)).collect();
        let reasons: Vec<Option<&'static str>> =
            of_files.par_iter().flat_map_iter(|groups| reasons(groups)).collect();
        left_out.filter(groups, reasons)
    }

    /// Leaves out what is alike to code elsewhere, but lies within code that is equal to it, or to other code: that is where it is from.
    pub(crate) fn without_explained(
        &self,
        groups: Vec<Group>,
        pairs: Vec<Vec<AuditPair>>,
        left_out: &mut LeftOut,
    ) -> (Vec<Group>, Vec<Vec<AuditPair>>) {
        let row = |group: &Group| self.comparison.fragment(group.left);
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
            !self.comparison.options.include_trivial
                && pairs.iter().all(|pair| pair.pair.clone_type > 1)
                && around.next().is_some()
        };
        let (explained, kept): (Vec<_>, Vec<_>) =
            groups.into_iter().zip(pairs).partition(|(group, pairs)| is_explained(group, pairs));
        if !explained.is_empty() {
            *left_out.reasons.entry(trivial::EXPLAINED).or_default() += explained.len() as u64;
        }
        kept.into_iter().unzip()
    }
}
