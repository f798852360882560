//! Pairs by licenses and verdict, as Table I of The Sourcerer's Apprentice counts them.

use std::collections::BTreeMap;

use familiar_report::audit::{AuditFragment, AuditPair, Finding, TableRow};

/// Counts pairs that are not one project's own, by the verdict on taking the code into PATH, unless it is known to have gone out of it.
pub(crate) fn table(fragments: &[AuditFragment], pairs: &[AuditPair], findings: &[Finding]) -> Vec<TableRow> {
    let name = |id: u32| fragments[id as usize].license.clone().unwrap_or_else(|| "NONE".to_owned());
    let mut origins = vec![0u64; pairs.len()];
    for finding in findings {
        origins[finding.pair as usize] += 1;
    }
    let mut counts = BTreeMap::new();
    for (pair, origins) in pairs.iter().zip(origins).filter(|(pair, _)| !pair.own) {
        let licenses = (name(pair.pair.left), name(pair.pair.right));
        let count: &mut (u64, u64) =
            counts.entry((licenses, pair.verdict.status, pair.apprentice)).or_default();
        *count = (count.0 + 1, count.1 + origins);
    }
    let row = |(((license, other_license), verdict, apprentice), (pairs, findings))| TableRow {
        license,
        other_license,
        verdict,
        apprentice,
        pairs,
        findings,
    };
    counts.into_iter().map(row).collect()
}
