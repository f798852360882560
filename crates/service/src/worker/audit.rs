//! Audits of uploads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use familiar_audit::AuditOptions;
use familiar_audit::policy::{Policies, Policy};
use familiar_corpus::spec;
use familiar_engine::{CloneOptions, Progress};
use familiar_library::Extent;
use familiar_license::Expression;
use familiar_report::audit::{self, AuditReport, Decision};
use familiar_report::html::ResultView;

use super::context::Context;
use super::files::{AUDIT, RESULT, keep, leave_pages, write_excerpt};
use super::filling::{add, outcome_of, source_of};
use super::peer_corpora::{PeerCorpora, of_peers};
use super::progress::Failure;
use crate::tasks::{Audit, AuditCounts, Found};

pub(super) fn audit_uploads(wanted: &Audit, context: Context<'_>) -> Result<Found, Failure> {
    let Context { folder, bounds, progress } = context;
    let corpus = folder.join("corpus");
    let name = |upload: &PathBuf| Ok(spec::canonical(&source_of(upload)?)?);
    let names = wanted.uploads.iter().map(name).collect::<Result<Vec<_>, Failure>>()?;
    outcome_of(&add(&corpus, &names, &BTreeSet::new(), context)?)?;
    let license = wanted.license.as_deref().map(Expression::parse).transpose()?;
    let peer_corpora = PeerCorpora::gather(&wanted.peers, context)?;
    let (mut against, mut against_names) = (wanted.against.clone(), wanted.names.clone());
    for (name, corpus) in peer_corpora.corpora {
        against.push(corpus);
        against_names.push(name);
    }
    let options = AuditOptions {
        clones: CloneOptions {
            threads: bounds.threads,
            memory: bounds.memory,
            alignments: true,
            ..CloneOptions::default()
        },
        corpora: vec![corpus],
        against,
        against_names,
        policies: Policies { here: Policy { license, ..Policy::default() }, ..Policies::default() },
        ..AuditOptions::default()
    };
    let result = folder.join(RESULT);
    std::fs::create_dir_all(&result)?;
    if wanted.excerpt {
        // Whoever asked compares them, knowing all places.
        let blobs = familiar_audit::candidates(&options, progress)?;
        progress.stage("writing", 0);
        write_excerpt(&wanted.names, &wanted.against, &blobs, Extent::Everything, &result)?;
        return Ok(Found::default());
    }
    let mut report = familiar_audit::run(&options, progress)?;
    report.summary.unanswered = of_peers(&peer_corpora.unanswered);
    progress.stage("writing", 0);
    leave_audit(&report, &result)?;
    let (pairs, findings) = (report.pairs.len() as u64, report.findings.len() as u64);
    Ok(Found {
        files: report.summary.files,
        classes: findings,
        pairs,
        duplication: report.summary.duplication,
        verdicts: Some(verdicts(&report)),
        unanswered: peer_corpora.unanswered,
    })
}

fn leave_audit(report: &AuditReport, result: &Path) -> Result<(), Failure> {
    for (format, name) in AUDIT {
        let (style, stamp) = (audit::Style::default(), audit::Stamp::of_environment(None));
        keep(&result.join(name), |out| audit::write(report, format, style, stamp, out))?;
    }
    leave_pages(&ResultView::from(report), result)
}

/// What an audit comes to.
fn verdicts(report: &AuditReport) -> AuditCounts {
    let mut verdicts = AuditCounts::default();
    for finding in &report.findings {
        *verdicts.by_decision.entry(finding.decision.name().to_owned()).or_default() += 1;
        if finding.decision != Decision::Own {
            *verdicts.by_verdict.entry(finding.status.name().to_owned()).or_default() += 1;
        }
    }
    verdicts
}
